import RelayStore
import RelayStoreTesting
import Testing

/// Releases while the store's lock is held. They take effect once it is free.
@Suite(.timeLimit(.minutes(1))) struct ReleaseInUpdaterTests {
  private let test = TestStore()

  /// Waits until the store has no observers, retentions or updates.
  private func emptiness() async throws {
    try await eventually {
      test.store.statistics
    } is: {
      $0.isEmpty
    }
  }

  @Test("an updater may hold the last reference to a retention or an iterator")
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
    try await emptiness()
  }

  @Test(
    "the updater of a mutation may release the last reference to a query in flight, and cancel a fetch"
  )
  func inFlight() async throws {
    let server = MockTransport()
    let environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: server)
    let loaded = Locked<LoadedQuery<TodoListQuery>?>(environment.load(TodoListQuery()))
    let fetching = Task { try await environment.fetch(TodoListQuery()) }
    let query = try await server.next()
    let mutation = Task {
      try await environment.commit(
        SetCompleteMutation(id: "1", isComplete: true),
        updater: { _ in
          loaded.withLock { $0 = nil }
          fetching.cancel()
        })
    }
    try await server.next().resolve(
      data: ["setComplete": ["todo": ["id": "1", "isComplete": true, "text": "a"]]])
    #expect(try await mutation.value.data?.setComplete?.todo?.isComplete == true)
    await #expect(throws: CancellationError.self) { try await fetching.value }
    #expect(environment.operationsInFlight.count == 0)
    try await eventually {
      environment.store.statistics
    } is: {
      $0.isEmpty
    }
    withExtendedLifetime(query) {}
  }

  @Test("an updater may release a retention and revert an update")
  func released() async throws {
    let retention = test.environment.retain(TodoListQuery())
    let update = try test.environment.applyUpdate { _ in }
    try test.environment.commitUpdate { _ in
      retention.release()
      update.revert()
    }
    try await emptiness()
  }

  @Test("the bound plans of a store are released with it")
  func plans() throws {
    struct Ended {
      weak var plan: BoundPlan?
      weak var child: BoundPlan?
      weak var store: RecordStore?
    }
    let ended = try {
      let test = TestStore()
      let me = TestSelection("{ me { id name friends { id } } }")
      try test.write(me, ["me": ["id": "1", "name": "Ada", "friends": [["id": "2"]]]])
      #expect(test.read(me).missing.isEmpty)
      let plan = me.normalization
      return Ended(
        plan: test.store.bind(plan, variables: [:]),
        child: test.store.bind(plan, variables: [:]).children[0],
        store: test.store)
    }()
    #expect(ended.plan == nil && ended.child == nil && ended.store == nil)
  }
}
