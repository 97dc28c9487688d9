import Testing

@testable import RelayStore

/// What ends while the store is held ends as soon as it is free.
@Suite(.timeLimit(.minutes(1))) struct LettingGoTests {
  private let test = TestStore()

  /// Waits until nothing is held of the store.
  private func emptiness() async {
    while !test.store.statistics.isEmpty { await Task.yield() }
  }

  @Test("an updater may be the last to hold a retention or an iterator")
  func captured() async throws {
    struct Held: @unchecked Sendable {
      let retention: Retention
      let iterator: Snapshots<User_name>.Iterator
    }
    let make = { [test] in
      Held(
        retention: test.environment.retain(TodoListQuery()),
        iterator: test.environment.observe(FragmentRef<User_name>(id: "u")).makeAsyncIterator())
    }
    let update = try { [test] in
      let held = make()
      return try test.environment.applyUpdate { _ in withExtendedLifetime(held) {} }
    }()
    #expect(test.store.statistics.observers == 1)
    update.revert()
    await emptiness()
  }

  @Test("an updater may release a retention, or revert an update")
  func released() async throws {
    let retention = test.environment.retain(TodoListQuery())
    let update = try test.environment.applyUpdate { _ in }
    try test.environment.commitUpdate { _ in
      retention.release()
      update.revert()
    }
    await emptiness()
  }
}
