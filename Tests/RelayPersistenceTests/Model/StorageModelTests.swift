import Foundation
import RelayPersistence
import RelayStore
import SeededRandom
import Testing

/// Compares a store that is closed, killed and reopened with a dictionary.
///
/// `make soak-storage` runs many more cases, so the suite has 60 minutes.
@Suite("Storage: the model", .timeLimit(.minutes(60)))
struct StorageModelTests {
  @Test(
    "random operations, restarts and kills leave what a dictionary says",
    arguments: PersistenceRun.Medium.allCases)
  func model(medium: PersistenceRun.Medium) async throws {
    let count = size("RELAYSTORE_STORAGE_OPERATIONS", otherwise: 1_600) / 2
    let seed = size("RELAYSTORE_SEED", otherwise: .random(in: 0..<1_000_000))
    var run = PersistenceRun(medium, seed: UInt64(seed))
    await run.open()
    for index in 0..<count {
      let operation = try await run.step()
      guard let divergence = run.divergence() else { continue }
      Issue.record("seed \(seed), operation \(index), \(operation): \(divergence)")
      return
    }
    let list = run.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    print("Storage model: \(medium), seed \(seed), \(list.joined(separator: ", "))")
    #expect(run.counts.count == PersistenceRun.operations.count)
    #expect(run.losses > 0 || medium == .sqlite)
  }
}
