import Testing

@testable import RelayStore

@Suite(.timeLimit(.minutes(1))) struct InvalidationTests {
  private let query = TodoListQuery()
  private let data: JSONValue = [
    "todos": [
      ["id": "1", "text": "a", "isComplete": false, "assignee": ["id": "u", "name": "Ada"]]
    ]
  ]

  private func store() throws -> TestStore {
    let test = TestStore()
    try test.environment.commitPayload(query, data: data)
    return test
  }

  @Test("invalidating the store makes every operation stale until it is written again")
  func wholeStore() throws {
    let test = try store()
    try test.environment.commitUpdate { try $0.invalidateStore() }
    #expect(test.environment.check(query) == .stale)
    // Staleness is checked before missing data.
    try test.environment.commitUpdate { try $0["1"]?.removeValue("text") }
    #expect(test.environment.check(query) == .stale)
    try test.environment.commitPayload(query, data: data)
    #expect(test.environment.check(query) != .stale)
    // An operation that was never written is stale too, not missing.
    #expect(test.environment.check(TodoListQuery(first: 3)) == .stale)
  }

  @Test(
    "a publish that invalidates the store leaves its operation stale; one that invalidates a record does not"
  )
  func together() async throws {
    let test = try store()
    let request = OperationRequest(query, store: test.store, root: .root)
    let payload = try request.payload(data.jsonBytes)
    try test.store.publish(
      [.commit(payload, root: .root, updater: { try $0["u"]?.invalidateRecord() })],
      of: request.written)
    #expect(test.environment.check(query) != .stale)
    #expect(!test.environment.read(query).isStale)
    try test.store.publish(
      [.commit(payload, root: .root, updater: { try $0.invalidateStore() })],
      of: request.written)
    #expect(test.environment.check(query) == .stale)
    #expect(test.environment.read(query).isStale)
  }

  @Test("an invalidated record makes an operation stale whose last write is not known")
  func unknownWrite() throws {
    let test = TestStore(releaseBufferSize: 0)
    try test.environment.commitPayload(query, data: data)
    #expect(test.environment.check(query) == .available(fetchedAt: nil))
    try test.environment.commitUpdate { try $0["u"]?.invalidateRecord() }
    #expect(test.environment.check(query) == .stale)
  }

  @Test(
    "an invalidated record makes every operation that reaches it stale, even if data is missing")
  func record() throws {
    let test = try store()
    try test.environment.commitUpdate { try $0["u"]?.invalidateRecord() }
    #expect(test.environment.check(query) == .stale)
    try test.environment.commitUpdate { try $0["1"]?.removeValue("text") }
    #expect(test.environment.check(query) == .stale)
    try test.environment.commitPayload(query, data: data)
    #expect(test.environment.check(query) != .stale)
    try test.environment.commitUpdate { store in
      try store["1"]?.setLinkedRecord(nil, for: "assignee")
      try store["u"]?.invalidateRecord()
    }
    #expect(test.environment.check(query) != .stale)
  }

  @Test("a dump has a record's invalidation time, also after the record is written again")
  func dump() throws {
    let test = try store()
    #expect(!test.store.dump().contains("__invalidated_at"))
    try test.environment.commitUpdate { try $0["u"]?.invalidateRecord() }
    #expect(test.store.dump().contains(#""__invalidated_at":2"#))
    try test.environment.commitPayload(query, data: data)
    #expect(test.store.dump().contains(#""__invalidated_at":2"#))
    try test.environment.commitUpdate { try $0.delete("u") }
    try test.environment.commitPayload(query, data: data)
    #expect(!test.store.dump().contains("__invalidated_at"))
  }

  @Test("an optimistic update or an updater that throws invalidates nothing")
  func ignored() throws {
    let test = try store()
    let update = try test.environment.applyUpdate { store in
      try store["u"]?.invalidateRecord()
      try store.invalidateStore()
    }
    struct Refusal: Error {}
    #expect(throws: Refusal.self) {
      try test.environment.commitUpdate { store in
        try store["u"]?.invalidateRecord()
        try store.invalidateStore()
        throw Refusal()
      }
    }
    #expect(test.environment.check(query) != .stale)
    update.revert()
    #expect(!test.environment.read(query).isStale)
  }

  @Test(
    "invalidation observers are notified once for each commit or batch, and not of deleted records"
  )
  func observers() throws {
    let test = try store()
    let calls = Locked<[String]>([])
    func call(_ name: String) -> @Sendable () -> Void { { calls.withLock { $0.append(name) } } }
    func drained() -> [String] {
      calls.withLock { calls in
        defer { calls = [] }
        return calls
      }
    }
    let environment = test.environment
    let all = [
      environment.onInvalidation(of: ["u", "1"] as [DataID], call("both")),
      environment.onInvalidation(of: query, call("query")),
      environment.onInvalidation(of: ["other"] as [DataID], call("other")),
    ]
    try environment.commitUpdate { store in
      try store["u"]?.invalidateRecord()
      try store["1"]?.invalidateRecord()
    }
    #expect(drained() == ["both", "query"])
    try environment.commitUpdate { store in
      try store["u"]?.invalidateRecord()
      try store.delete("u")
    }
    #expect(drained() == [])
    try environment.batch {
      try environment.commitUpdate { try $0["1"]?.invalidateRecord() }
      try environment.commitUpdate { try $0["1"]?.invalidateRecord() }
      #expect(drained() == [])
    }
    #expect(drained() == ["both", "query"])
    try environment.commitUpdate { try $0.invalidateStore() }
    #expect(drained() == ["both", "query", "other"])
    all[0].cancel()
    try environment.commitUpdate { try $0.invalidateStore() }
    #expect(drained() == ["query", "other"])
  }

  @Test(
    "a snapshot is stale from the invalidation to the next response; staleness alone is not delivered"
  )
  func snapshots() throws {
    let test = try store()
    let calls = Locked(0)
    let reference = FragmentRef<User_name>(id: "u")
    let observation = test.environment.observe(reference) { _ in calls.withLock { $0 += 1 } }
    #expect(!test.environment.read(reference).isStale)
    try test.environment.commitUpdate { try $0["u"]?.invalidateRecord() }
    #expect(test.environment.read(reference).isStale)
    #expect(!test.environment.read(FragmentRef<User_name>(id: "1")).isStale)
    try test.environment.commitPayload(query, data: data)
    #expect(!test.environment.read(reference).isStale)
    try test.environment.commitUpdate { try $0.invalidateStore() }
    #expect(test.environment.read(reference).isStale)
    #expect(calls.withLock { $0 } == 0)
    withExtendedLifetime(observation) {}
  }

  @Test("an operation that is not retained stays stale while another one keeps its data")
  func staleWithoutEntry() throws {
    let test = TestStore(releaseBufferSize: 0)
    let request = OperationRequest(query, store: test.store, root: .root)
    var other = request.written
    other.identity = RequestIdentity(name: "OtherQuery", documentHash: 1, variables: [:])
    let retention = test.environment.retain(query)
    try test.environment.commitPayload(query, data: data)
    #expect(test.store.markStale([other.identity]).isEmpty)
    test.store.collectGarbage()
    #expect(test.store.check(other) == .stale)
    #expect(test.store.check(request.written).isAvailable)
    retention.release()
  }
}
