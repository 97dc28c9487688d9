import SeededRandom
import Testing

/// Compares an app with what its user expects to see of objects that were created offline.
///
/// `make soak-storage` runs many more operations, so the suite has 60 minutes.
@Suite("Outbox: the model of created objects", .timeLimit(.minutes(60)))
struct CreatedObjectsTests {
  @Test("created, shown, changed, deleted and killed in any order, an object is what it should be")
  func model() async throws {
    let count = size("RELAYSTORE_STORAGE_OPERATIONS", otherwise: 1_600) / 4
    let seed = size("RELAYSTORE_SEED", otherwise: .random(in: 0..<1_000_000))
    var counts: [String: Int] = [:]
    for part in 0..<(count / 100) {
      var run = try CreatedObjectsRun(seed: UInt64(seed + part))
      for index in 0..<100 {
        let operation = try await run.step()
        guard let divergence = run.divergence() else { continue }
        Issue.record("seed \(seed + part), operation \(index), \(operation): \(divergence)")
        return
      }
      if let difference = try await run.finish() {
        Issue.record("seed \(seed + part), at the end: \(difference)")
      }
      counts.merge(run.counts, uniquingKeysWith: +)
    }
    let list = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    print("Created objects: seed \(seed), \(list.joined(separator: ", "))")
    #expect(counts.count == CreatedObjectsRun.operations.count)
  }
}
