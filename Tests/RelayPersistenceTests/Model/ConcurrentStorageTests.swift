import RelayPersistence
import RelayStore
import SeededRandom
import Testing

/// Eight tasks on one persisted store.
///
/// `make soak-storage` runs many more operations, also under the thread sanitizer, so the suite has
/// 60 minutes.
@Suite("Storage: eight tasks", .timeLimit(.minutes(60)))
struct ConcurrentStorageTests {
  @Test("eight tasks use a store from before it has loaded, and the next process finds its records")
  func tasks() async throws {
    let count = size("RELAYSTORE_STORAGE_OPERATIONS", otherwise: 1_600)
    let seed = size("RELAYSTORE_SEED", otherwise: .random(in: 0..<1_000_000))
    let directory = TemporaryDirectory()
    var dump = RecordStore().dump(.base)
    for round in 0..<4 {
      let stored = PersistedStore(directory)
      let use = ConcurrentUse(stored.environment)
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<8 {
          let seed = UInt64((seed * 4 + round) * 8 + task)
          group.addTask { await use.work(count / 32, seed: seed) }
        }
      }
      #expect(use.problems.withLock { $0 } == [], "Seed \(seed), round \(round).")
      #expect(use.deliveries.withLock { $0 } > 0)
      use.end()
      // A collection may have been the last step.
      try stored.environment.writeItem("item-\(round)")
      try await stored.close()
      stored.check()
      #expect(stored.events.problems.isEmpty)
      dump = stored.store.dump(.base)
    }
    let reopened = PersistedStore(directory)
    await reopened.store.loaded()
    #expect(reopened.differences(from: dump) == [])
    #expect(dump.contains("item-"))
  }
}

/// Random operations on a persisted store, and the mistakes they have found.
private final class ConcurrentUse: Sendable {
  enum Step: CaseIterable {
    case write, delete, apply, revert, read, observe, cancel, flush, collect
  }

  let problems = Locked<Set<String>>([])
  let deliveries = Locked(0)
  private let environment: RelayEnvironment
  private let observations = Locked<[ObservationHandle]>([])
  private let applied = Locked<[OptimisticUpdate]>([])

  private static let steps =
    Step.allCases + repeatElement(.write, count: 30) + repeatElement(.read, count: 40)
    + repeatElement(.observe, count: 4)

  init(_ environment: RelayEnvironment) { self.environment = environment }

  /// Performs each step once, then as many random ones as `count` says.
  func work(_ count: Int, seed: UInt64) async {
    var random = SeededGenerator(seed: seed)
    let steps = (0..<count).compactMap { _ in Self.steps.randomElement(using: &random) }
    for step in Step.allCases + steps {
      do { try await perform(step, &random) } catch { report("\(step): \(error)") }
    }
  }

  /// Ends all observations and optimistic updates.
  func end() {
    for handle in observations.withLock({ $0 }) { handle.cancel() }
    for update in applied.withLock({ $0 }) { update.revert() }
  }

  private func perform(_ step: Step, _ random: inout SeededGenerator) async throws {
    let id = "item-\(Int.random(in: 0..<30, using: &random))"
    let number = Int.random(in: 0..<1_000, using: &random)
    switch step {
    case .write:
      let tags = (0..<number % 4).map { JSONValue.string(String(repeating: "é", count: $0 * 90)) }
      try environment.writeItem(
        id,
        [
          "number": .number(JSONNumber(number)), "name": .string("\(number)"),
          "tags": .array(tags), "isDone": .bool(number % 2 == 0),
        ])
    case .delete:
      try environment.commitUpdate { store in
        if try store[DataID(id)] != nil { try store.delete(DataID(id)) }
      }
    case .apply:
      let update = try environment.applyUpdate { store in
        try store[DataID(id)]?.setValue(.number(JSONNumber(number)), for: "number")
        try store[DataID(id)]?.setValue(.string("\(number)"), for: "name")
      }
      applied.withLock { $0.append(update) }
    case .revert: applied.withLock { $0.popLast() }?.revert()
    case .read: check(environment.read(FragmentRef<ItemFragment>(id: DataID(id))))
    case .observe:
      let handle = environment.observe(FragmentRef<ItemFragment>(id: DataID(id))) { [weak self] in
        self?.deliveries.withLock { $0 += 1 }
        self?.check($0)
      }
      observations.withLock { $0.append(handle) }
    case .cancel: observations.withLock { $0.popLast() }?.cancel()
    case .flush: try await environment.store.flush()
    case .collect: environment.store.collectGarbage()
    }
  }

  private func check(_ snapshot: Snapshot<ItemFragment>) {
    guard let item = snapshot.data, let number = item.number else { return }
    if item.name != "\(number)" { report("A snapshot shows half of a write.") }
  }

  private func report(_ problem: String) { problems.withLock { _ = $0.insert(problem) } }
}
