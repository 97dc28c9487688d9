import RelayStore
import RelayStoreTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct AvailabilityTests {
  private let query = TodoListQuery()
  private let data: JSONValue = [
    "todos": [
      ["id": "1", "text": "a", "isComplete": false, "assignee": ["id": "u", "name": "Ada"]]
    ]
  ]

  private func isAvailable(_ availability: OperationAvailability) -> Bool {
    if case .available = availability { true } else { false }
  }

  @Test("an operation is missing until all its data is in the store")
  func missing() throws {
    let test = TestStore()
    #expect(test.environment.check(query).isMissing)
    try test.environment.commitPayload(query, data: data)
    #expect(isAvailable(test.environment.check(query)))
    try test.environment.commitUpdate { try $0["u"]?.removeValue("name") }
    #expect(test.environment.check(query).isMissing)
  }

  @Test("what is missing has its path, its record and its field")
  func missingData() throws {
    let test = TestStore()
    let todos: [JSONValue] = ["1", "2"].map { id in
      ["id": id, "text": "a", "isComplete": false, "assignee": ["id": "u", "name": "Ada"]]
    }
    try test.environment.commitPayload(query, data: ["todos": .array(todos)])
    try test.environment.commitUpdate { store in
      try store["2"]?.removeValue("text")
      try store["u"]?.removeValue("name")
    }
    guard case .missing(let missing) = test.environment.check(query) else {
      Issue.record("nothing is missing")
      return
    }
    // A record reached by several paths is reported as missing data only once.
    let owner = try #require(missing.first { $0.recordID == "u" })
    #expect(
      [["todos", 0, "assignee", "name"], ["todos", 1, "assignee", "name"]].contains(owner.path))
    let text = try #require(missing.first { $0.recordID == "2" })
    #expect(missing.count == 2 && text.path == ["todos", 1, "text"])
    #expect(text.typeName == "Todo" && text.storageKey == "text")
    #expect(text.description == #"todos[1].text: record "2" of type Todo is missing text"#)
    let other = TestStore(releaseBufferSize: 0)
    guard case .missing(let todos) = other.environment.check(query), todos.count == 1 else {
      Issue.record("not one field is missing")
      return
    }
    #expect(todos[0].path == ["todos"] && todos[0].recordID == .root)
    #expect(todos[0].typeName == "__Root" && todos[0].storageKey == "todos(first:10)")
  }

  @Test("at most 100 missing fields are listed")
  func longList() throws {
    let test = TestStore()
    let todos = (0..<101).map { id -> JSONValue in
      ["id": .string("\(id)"), "text": "a", "isComplete": false, "assignee": nil]
    }
    try test.environment.commitPayload(query, data: ["todos": .array(todos)])
    try test.environment.commitUpdate { store in
      for id in 0..<101 { try store[DataID("\(id)")]?.removeValue("text") }
    }
    guard case .missing(let missing) = test.environment.check(query) else {
      Issue.record("nothing is missing")
      return
    }
    #expect(Set(missing).count == 100)
  }

  @Test("deleted records and nulls are not missing; unknown records are")
  func deleted() throws {
    let test = TestStore()
    try test.environment.commitPayload(query, data: data)
    try test.environment.commitUpdate { try $0.delete("u") }
    #expect(isAvailable(test.environment.check(query)))
    try test.environment.commitUpdate { store in
      try store["1"]?.setLinkedRecord(nil, for: "assignee")
    }
    #expect(isAvailable(test.environment.check(query)))
    let retention = test.environment.retain(query)
    retention.release()
    let other = TestStore(releaseBufferSize: 0)
    try other.environment.commitPayload(query, data: data)
    other.store.collectGarbage()
    #expect(other.environment.check(query).isMissing)
  }

  @Test("the store's clock dates a fetch, if the operation is retained or in the release buffer")
  func fetchTime() throws {
    let clock = VirtualClock()
    let test = TestStore(.init(releaseBufferSize: 1, clock: clock, garbageCollection: .manual))
    try test.environment.commitPayload(query, data: data)
    guard case .available(let first?) = test.environment.check(query) else {
      Issue.record("not available")
      return
    }
    clock.advance(by: .seconds(90))
    try test.environment.commitPayload(query, data: data)
    #expect(test.environment.check(query) == .available(fetchedAt: first.addingTimeInterval(90)))
    // The release buffer is full, so the fetch of a second query is not tracked.
    let second = TodoListQuery(first: 5)
    try test.environment.commitPayload(second, data: data)
    #expect(test.environment.check(second) == .available(fetchedAt: nil))
    let retention = test.environment.retain(second)
    #expect(test.environment.check(second) == .available(fetchedAt: nil))
    try test.environment.commitPayload(second, data: data)
    #expect(
      test.environment.check(second) == .available(fetchedAt: first.addingTimeInterval(90)))
    withExtendedLifetime(retention) {}
  }

  @Test("a query expires; a missing one stays missing")
  func expiry() throws {
    let clock = VirtualClock()
    let test = TestStore(
      .init(queryExpiration: .seconds(60), clock: clock, garbageCollection: .manual))
    try test.environment.commitPayload(query, data: data)
    clock.advance(by: .seconds(59))
    #expect(isAvailable(test.environment.check(query)))
    clock.advance(by: .seconds(1))
    #expect(test.environment.check(query) == .stale)
    try test.environment.commitUpdate { try $0["1"]?.removeValue("text") }
    #expect(test.environment.check(query).isMissing)
  }

  @Test("an expired query is not put into the release buffer")
  func expiredAtRelease() throws {
    let clock = VirtualClock()
    let test = TestStore(
      .init(
        releaseBufferSize: 1, queryExpiration: .seconds(60), clock: clock,
        garbageCollection: .manual))
    let retention = test.environment.retain(query)
    try test.environment.commitPayload(query, data: data)
    clock.advance(by: .seconds(60))
    retention.release()
    #expect(test.store.collectGarbage().collected == 2)
    // The buffer has room for another query.
    try test.environment.commitPayload(TodoListQuery(first: 1), data: data)
    #expect(test.store.collectGarbage().collected == 0)
  }

  @Test(
    "release is idempotent for each handle, and retaining again removes the query from the buffer")
  func retaining() throws {
    let test = TestStore(releaseBufferSize: 1)
    try test.environment.commitPayload(query, data: data)
    let first = test.environment.retain(query)
    let second = test.environment.retain(query)
    first.release()
    first.release()
    // The query is still retained, so the buffer has room for the other.
    let other = TodoListQuery(first: 1)
    try test.environment.commitPayload(
      other, data: ["todos": [["id": "2", "text": "b", "isComplete": true, "assignee": nil]]])
    #expect(test.store.collectGarbage().collected == 0)
    second.release()
    // The query is released later, and replaces the other in the buffer.
    #expect(test.store.collectGarbage().collected == 1)
    #expect(!test.environment.check(query).isMissing && test.environment.check(other).isMissing)
  }
}
