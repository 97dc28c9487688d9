import Testing

@testable import RelayStore

@Suite struct CollectionTests {
  @Test("a number that the root still links to is not given to another record")
  func rootLinks() throws {
    let test = TestStore()
    let plan = Plan("Query{me User{id ID! name String}}")
    try test.write(plan, ["me": ["id": "u", "name": "Ada"]])
    #expect(test.store.collectGarbage().collected == 1)
    try test.environment.commitUpdate {
      try $0.create("b", type: "Bot").setValue("R2", for: "name")
    }
    #expect(test.read(plan).missing.map(\.description) == ["me"])
  }

  @Test("what an observer sees again once an optimistic update is taken back was kept")
  func underOptimisticUpdates() throws {
    let test = TestStore()
    let plan = Plan("User{friend User{name String pet Pet{name String}}}")
    try test.write(
      Plan("Query{me User{id ID! friend User{id ID! name String pet Pet{id ID! name String}}}}"),
      [
        "me": [
          "id": "u", "friend": ["id": "f", "name": "Bob", "pet": ["id": "p", "name": "Rex"]],
        ]
      ])
    let subscription = test.store.subscribe("u", plan, VariableScope(operation: [:]))
    let before = test.json(plan, id: "u")
    let update = try test.environment.applyUpdate { store in
      try store["u"]?.setLinkedRecord(nil, for: "friend")
    }
    #expect(test.store.collectGarbage().collected == 0)
    update.revert()
    #expect(test.json(plan, id: "u") == before)
    withExtendedLifetime(subscription) {}
  }

  @Test("what a mutation returns is there, however often garbage is collected meanwhile")
  func mutationResults() async throws {
    struct Answer: Transport {
      func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
        GraphQLResponse(
          json: [
            "data": ["setComplete": ["todo": ["id": "1", "isComplete": true, "text": "a"]]]
          ])
      }
    }
    let store = RecordStore(configuration: .init(releaseBufferSize: 0, collection: .manual))
    let environment = RelayEnvironment(store: store, transport: Answer())
    let isDone = Locked(false)
    let collector = Task.detached {
      while !isDone.withLock({ $0 }) { store.collectGarbage() }
    }
    for _ in 0..<500 {
      let snapshot = try await environment.commit(SetCompleteMutation(id: "1", isComplete: true))
      #expect(snapshot.data?.setComplete?.todo?.isComplete == true)
    }
    isDone.withLock { $0 = true }
    await collector.value
  }
}
