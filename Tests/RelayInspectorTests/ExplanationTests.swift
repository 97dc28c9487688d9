import RelayStoreTesting
import Testing

@testable import RelayRecording
@testable import RelayStore

@Suite("A store explains its state", .timeLimit(.minutes(1))) struct ExplanationTests {
  // MARK: Missing

  @Test("a missing field names the operation that reaches the record and what it selects there")
  func notSelected() throws {
    let recorded = RecordedStore(nil)
    try recorded.fill(("0", "z"), ("1", "a"))
    let retention = recorded.environment.retain(FeedQuery())
    let found = try recorded.environment.explain(.missing(FragmentRef<TodoDetails>(id: "1")))
    #expect(found.map(\.data.path) == [["isDone"], ["owner"]])
    #expect(
      found.map(\.reasons)
        == Array(
          repeating: [
            .notSelected(
              operation: "FeedQuery", path: ["feed", 1], fields: ["id", "text"])
          ], count: 2))
    #expect(
      found[0].description
        == #"isDone: record "1" of type Todo is missing isDone; FeedQuery reaches the record at feed[1], and selects only id, text"#
    )
    retention.release()
  }

  @Test("nothing missing, or an operation that is not kept, is said too")
  func notReached() throws {
    let recorded = RecordedStore(nil, releaseBufferSize: 0)
    try recorded.fill(("1", "a"))
    #expect(try recorded.environment.explain(.missing(todo("1"))).isEmpty)
    let found = try recorded.environment.explain(.missing(FragmentRef<TodoDetails>(id: "1")))
    #expect(found.first?.reasons == [.notReached])
  }

  @Test("a query that was never fetched, one whose response lacked a field, and one in flight")
  func queries() async throws {
    let recorded = RecordedStore()
    let query = TodoQuery(id: "1")
    let before = try recorded.environment.explain(.missing(query))
    #expect(before.map(\.data.path) == [["todo"]])
    #expect(before.first?.reasons == [.notFetched(operation: "TodoQuery", path: [])])

    async let fetched = recorded.environment.fetch(query)
    let request = try await recorded.server.next()
    let during = try recorded.environment.explain(.missing(query))
    #expect(during.first?.reasons.contains(.inFlight(operation: "TodoQuery")) == true)
    request.resolve(data: ["todo": ["id": "1", "text": "a", "owner": nil]])
    _ = try await fetched
    let after = try recorded.environment.explain(.missing(query))
    #expect(after.map(\.data.path) == [["todo", "isDone"]])
    #expect(after.first?.reasons == [.notInResponse(operation: "TodoQuery", path: ["todo"])])
  }

  @Test("a field with other arguments is found")
  func otherArguments() throws {
    let recorded = RecordedStore(nil)
    try recorded.fill(("1", "a"))
    try recorded.set("1", "comments(last:3)", [])
    let found = try recorded.environment.explain(.missing(FragmentRef<TodoComments>(id: "1")))
    #expect(found.first?.reasons.last == .otherArguments(fields: ["comments(last:3)"]))
  }

  @Test("a recorded request is known although the operation is not kept")
  func recordedRequest() async throws {
    let recorded = RecordedStore(releaseBufferSize: 0)
    async let fetched = recorded.environment.fetch(FeedQuery())
    try await recorded.server.next().resolve(data: FeedQuery.data(("1", "a")))
    _ = try await fetched
    let found = try recorded.environment.explain(.missing(FragmentRef<TodoDetails>(id: "1")))
    #expect(
      found.first?.reasons == [
        .notSelected(operation: "FeedQuery", path: ["feed", 0], fields: ["id", "text"])
      ])
  }

  @Test("a field that an optimistic update has left out is blamed on it, and on no query")
  func optimistic() throws {
    let recorded = RecordedStore(nil)
    try recorded.fill(("1", "a"))
    let retention = recorded.environment.retain(FeedQuery())
    let update = try recorded.environment.applyUpdate { store in
      let todo = try store.create("9", type: "Todo")
      try todo.setValue("9", for: "id")
      try store.root.setLinkedRecords([todo], for: "feed", arguments: ["first": 10])
    }
    let found = try recorded.environment.explain(.missing(FeedQuery()))
    #expect(found.map(\.data.path) == [["feed", 0, "text"]])
    #expect(found.map(\.reasons) == [[.notInOptimisticUpdate(operation: nil)]])
    #expect(found.first?.description.hasSuffix("an optimistic update left it out") == true)
    update.revert()
    // For the same record in the base, the cause is its origin.
    try recorded.environment.commitUpdate { store in
      let todo = try store.create("9", type: "Todo")
      try todo.setValue("9", for: "id")
      try store.root.setLinkedRecords([todo], for: "feed", arguments: ["first": 10])
    }
    let other = try recorded.environment.applyUpdate { try $0["1"]?.setValue("b", for: "text") }
    #expect(
      try recorded.environment.explain(.missing(FeedQuery())).map(\.reasons)
        == [[.notInResponse(operation: "FeedQuery", path: ["feed", 0])]])
    other.revert()
    retention.release()
  }

  @Test("a field that a mutation's optimistic updater has left out names the mutation")
  func optimisticMutation() async throws {
    let recorded = RecordedStore()
    try recorded.fill(("1", "a"))
    async let committed = recorded.environment.commit(
      SetTextMutation(id: "9", text: "b"),
      optimisticUpdater: { store in
        let todo = try store.create("9", type: "Todo")
        try todo.setValue("9", for: "id")
        try store.root.setLinkedRecords([todo], for: "feed", arguments: ["first": 10])
      })
    let request = try await recorded.server.next()
    #expect(
      try recorded.environment.explain(.missing(FeedQuery())).map(\.reasons)
        == [[.notInOptimisticUpdate(operation: "SetTextMutation")]])
    request.resolve(data: ["setText": ["id": "9", "text": "b"]])
    _ = try await committed
    #expect(try recorded.environment.explain(.missing(FeedQuery())).isEmpty)
  }

  @Test("a field of a new record names the optimistic response that created it")
  func optimisticResponse() async throws {
    let recorded = RecordedStore(nil)
    async let committed = recorded.environment.commit(
      SetTextMutation(id: "9", text: "b"),
      optimisticResponse: .init(setText: .init(id: "9", text: "b")))
    let request = try await recorded.server.next()
    // A later update of the record is not the reason.
    let update = try recorded.environment.applyUpdate { try $0["9"]?.setValue("c", for: "text") }
    let found = try recorded.environment.explain(.missing(FragmentRef<TodoDetails>(id: "9")))
    #expect(found.map(\.data.storageKey) == ["isDone", "owner"])
    #expect(
      found.map(\.reasons) == [
        [.notInOptimisticUpdate(operation: "SetTextMutation")],
        [.notInOptimisticUpdate(operation: "SetTextMutation")],
      ])
    update.revert()
    request.resolve(data: ["setText": ["id": "9", "text": "b"]])
    _ = try await committed
    #expect(
      try recorded.environment.explain(.missing(FragmentRef<TodoDetails>(id: "9")))
        .allSatisfy { !$0.reasons.contains(.notInOptimisticUpdate(operation: "SetTextMutation")) })
  }

  @Test("a reference without a record is refused")
  func noRecord() throws {
    let recorded = RecordedStore(nil)
    let error = #expect(throws: RelayError.self) {
      try recorded.environment.explain(.missing(FragmentRef<TodoText>(.nothing)))
    }
    #expect(error?.code == .request && error?.message.contains("TodoText") == true)
  }

  // MARK: Retained

  @Test("a record is kept by retentions, observers and optimistic updates, each with its way")
  func kept() throws {
    let recorded = RecordedStore(nil)
    try recorded.environment.commitPayload(
      TodoQuery(id: "1"),
      data: ["todo": ["id": "1", "text": "a", "isDone": true, "owner": ["id": "2", "name": "b"]]])
    let released = try recorded.environment.explain(.retained("2"))
    #expect(
      released.map(\.description) == [
        #"released by TodoQuery, and in the release buffer: client:root.todo(id:"1") → 1.owner → 2"#
      ])
    let retention = recorded.environment.retain(TodoQuery(id: "1"))
    let observation = recorded.environment.observe(FragmentRef<TodoDetails>(id: "1")) { _ in }
    let update = try recorded.environment.applyUpdate {
      try $0["1"]?.setValue("b", for: "text")
    }
    #expect(
      try recorded.environment.explain(.retained("2")).map(\.description) == [
        #"retained by TodoQuery: client:root.todo(id:"1") → 1.owner → 2"#,
        "observed by TodoDetails: 1.owner → 2", "an optimistic update: 1.owner → 2",
      ])
    update.revert()
    observation.cancel()
    retention.release()
  }

  @Test("an operation that is pinned and not retained is not in the release buffer")
  func pinned() throws {
    let recorded = RecordedStore(nil)
    recorded.environment.pin(FeedQuery())
    try recorded.fill(("1", "a"))
    func reasons() throws -> [[RetentionReason]] {
      [
        recorded.environment.store.explain("1"),
        try recorded.environment.explain(.retained("1")).map(\.reason),
      ]
    }
    #expect(try reasons() == Array(repeating: [.pinned(operation: "FeedQuery")], count: 2))
    #expect(
      try recorded.environment.explain(.retained("1")).map(\.description)
        == ["pinned as FeedQuery: client:root.feed(first:10)[0] → 1"])
    let retention = recorded.environment.retain(FeedQuery())
    #expect(
      try reasons() == Array(repeating: [.retained(operation: "FeedQuery", count: 1)], count: 2))
    retention.release()
    recorded.environment.unpin(FeedQuery())
    #expect(try reasons() == Array(repeating: [.released(operation: "FeedQuery")], count: 2))
  }

  @Test("the index in a list is part of the way, and the shortest way is found")
  func way() throws {
    let recorded = RecordedStore(nil)
    try recorded.fill(("0", "z"), ("1", "a"), ("1", "a"))
    let found = try recorded.environment.explain(.retained("1"))
    #expect(found.first?.steps == [.init(record: .root, field: "feed(first:10)", index: 1)])
  }

  @Test("a record that nothing keeps has no reason, and one that does not exist is an error")
  func notKept() throws {
    let recorded = RecordedStore(nil, releaseBufferSize: 0)
    try recorded.fill(("1", "a"))
    #expect(try recorded.environment.explain(.retained("1")).isEmpty)
    #expect(try recorded.environment.explain(.retained(.root)).map(\.reason) == [.root])
    let error = #expect(throws: RelayError.self) {
      try recorded.environment.explain(.retained("9"))
    }
    #expect(error?.description == #"request: The store has no record with the id "9"."#)
  }

  @Test("the time until an operation is stale is part of the reason")
  func timeLeft() throws {
    let clock = VirtualClock()
    let store = RecordStore(
      configuration: .init(
        queryExpiration: .seconds(60), clock: clock, garbageCollection: .manual))
    let environment = RelayEnvironment(store: store, transport: MockTransport())
    try environment.commitPayload(FeedQuery(), data: FeedQuery.data(("1", "a")))
    clock.advance(by: .seconds(20))
    #expect(try environment.explain(.retained("1")).map(\.timeLeft) == [.seconds(40)])
  }

  // MARK: Delivered

  @Test("deliveries are listed with their causes, newest first")
  func delivered() throws {
    let recorded = RecordedStore()
    try recorded.fill(("1", "a"))
    let observation = recorded.environment.observe(todo("1")) { _ in }
    try recorded.set("1", "text", "b")
    let update = try recorded.environment.applyUpdate {
      try $0["1"]?.setValue("c", for: "text")
    }
    let found = try recorded.environment.explain(.delivered(todo("1")))
    #expect(
      found.map { $0.cause.publishes.map(\.cause.kind) } == [[.optimisticUpdate], [.update]])
    #expect(found.allSatisfy { $0.cause.changes.map(\.field) == ["text"] })
    #expect(try recorded.environment.explain(.delivered(todo("2"))).isEmpty)
    update.revert()
    observation.cancel()
  }

  @Test(
    "a publish that is not delivered has changed fields that are not selected, or other records")
  func notDelivered() throws {
    let recorded = RecordedStore()
    try recorded.fill(("1", "a"), ("2", "b"))
    let observation = recorded.environment.observe(todo("1")) { _ in }
    try recorded.set("1", "note", "x")
    try recorded.set("2", "text", "y")
    try recorded.set("1", "text", "z")
    let found = try recorded.environment.explain(.notDelivered(todo("1")))
    #expect(
      found.map(\.reason) == [
        .notRead,
        .equal(
          changed: [
            .init(record: "1", typeName: "Todo", kind: .changed, fields: [.init(field: "note")])
          ]),
        .notObserved,
      ])
    #expect(found.map(\.publish.cause.kind) == [.update, .update, .payload])
    observation.cancel()
  }

  @Test(
    "a publish without an observer, one that changed other records, and an equal value are told apart"
  )
  func notDeliveredLines() throws {
    let recorded = RecordedStore()
    try recorded.fill(("1", "a"), ("2", "b"))
    let first = recorded.environment.observe(todo("1")) { _ in }
    try recorded.set("2", "text", "x")
    first.cancel()
    try recorded.set("1", "text", "c")
    let second = recorded.environment.observe(todo("1")) { _ in }
    try recorded.set("1", "note", "x")
    try recorded.set("2", "text", "y")
    let found = try recorded.environment.explain(.notDelivered(todo("1")))
    #expect(
      found.map { "\($0)" } == [
        "local update (event 7): no record that it depends on has changed",
        #"local update (event 5): it was read again, and its value is equal; Todo "1" changed: note"#,
        "local update (event 3): it had no observers",
        "local update (event 2): no record that it depends on has changed",
        "payload of FeedQuery (event 1): it had no observers",
      ])
    second.cancel()
  }

  @Test("changes beyond those that a publish records are not taken for none")
  func changesNotRecorded() throws {
    let recorded = RecordedStore()
    let todos = (0..<1_500).map { ["id": .string("\($0)"), "text": "a"] as JSONValue }
    try recorded.environment.commitPayload(FeedQuery(), data: ["feed": .array(todos)])
    let observation = recorded.environment.observe(todo("1499")) { _ in }
    try recorded.environment.commitUpdate { store in
      for id in 0..<1_500 { try store[DataID("\(id)")]?.setValue("x", for: "note") }
    }
    let found = try recorded.environment.explain(.notDelivered(todo("1499")))
    #expect(
      found.first.map { "\($0)" }
        == "local update (event 3): it was read again, and its value is equal; the publish changed too many records to list what changed"
    )
    observation.cancel()
  }

  @Test("a record that was collected is missing for that reason, with the event")
  func collected() throws {
    for replacesTable in [true, false] {
      let recorded = RecordedStore(releaseBufferSize: 0)
      recorded.environment.store.state.withLock { $0.collector.replacesTables = replacesTable }
      try recorded.fill(("1", "a"))
      recorded.environment.store.collectGarbage()
      let found = try recorded.environment.explain(.missing(todo("1")))
      #expect(
        found.map(\.description) == [
          #"(root): no record "1"; garbage collection removed the record (event 2)"#
        ])
      try recorded.fill(("1", "a"))
      let again = try recorded.environment.explain(.missing(FragmentRef<TodoDetails>(id: "1")))
      #expect(!again.isEmpty && !again.contains { "\($0)".contains("garbage") })
    }
  }

  @Test("without a timeline these questions are refused, with what to do")
  func noTimeline() {
    let recorded = RecordedStore(nil)
    let error = #expect(throws: RelayError.self) {
      try recorded.environment.explain(.delivered(todo("1")))
    }
    #expect(error?.code == .request && error?.message.contains("timeline:") == true)
    #expect(throws: RelayError.self) {
      try recorded.environment.explain(.notDelivered(todo("1")))
    }
  }
}
