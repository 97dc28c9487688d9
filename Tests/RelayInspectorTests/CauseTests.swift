import RelayStoreTesting
import Testing

@testable import RelayRecording
@testable import RelayStore

@Suite("The cause of a delivery names what has changed the data", .timeLimit(.minutes(1)))
struct CauseTests {
  // MARK: Batches

  @Test("a publish of a batch that has changed nothing of the data is no cause")
  func batch() throws {
    let recorded = RecordedStore()
    try recorded.fill(("1", "a"), ("2", "b"))
    let causes = Locked<[String: [SnapshotCause]]>([:])
    let observations = ["1", "2"].map { id in
      recorded.environment.observe(todo(id)) { snapshot in
        causes.withLock { $0[id, default: []] += snapshot.cause.map { [$0] } ?? [] }
      }
    }
    try recorded.environment.batch {
      try recorded.set("1", "text", "A")
      try recorded.set("2", "text", "B")
      try recorded.set("1", "text", "C")
    }
    #expect(causes.withLock { $0["1"] }?.map { $0.publishes.map(\.event) } == [[2, 4]])
    #expect(causes.withLock { $0["2"] }?.map { $0.publishes.map(\.event) } == [[3]])
    #expect(recorded.deliveries.map { $0.publishes.map(\.event) } == [[2, 4], [3]])
    let delivered = try recorded.environment.explain(.delivered(todo("2")))
    #expect(delivered.map { $0.cause.publishes.map(\.event) } == [[3]])
    let others = try recorded.environment.explain(.notDelivered(todo("2")))
    #expect(others.map(\.publish.event) == [4, 2, 1])
    for observation in observations { observation.cancel() }
  }

  @Test(
    "a publish of a batch is a cause beyond the records that are listed, and for a list of fragments"
  )
  func largeBatch() throws {
    let recorded = RecordedStore()
    let todos = (0..<1_500).map { ["id": .string("\($0)"), "text": "a"] as JSONValue }
    try recorded.environment.commitPayload(FeedQuery(), data: ["feed": .array(todos)])
    let one = Locked<SnapshotCause?>(nil)
    let all = Locked<SnapshotCause?>(nil)
    let observations = [
      recorded.environment.observe(todo("1499")) { snapshot in
        one.withLock { $0 = snapshot.cause }
      },
      recorded.environment.observe([todo("0"), todo("7")]) { list in
        all.withLock { $0 = list.cause }
      },
    ]
    let changed = todos.map { ["id": $0["id"] ?? nil, "text": "b"] as JSONValue }
    try recorded.environment.batch {
      try recorded.set("7", "text", "x")
      try recorded.environment.commitPayload(FeedQuery(), data: ["feed": .array(changed)])
      try recorded.set("8", "text", "y")
    }
    #expect(one.withLock { $0?.publishes.map(\.event) } == [3])
    #expect(all.withLock { $0?.publishes.map(\.event) } == [2, 3])
    for observation in observations { observation.cancel() }
  }

  // MARK: Variables

  @Test(
    "deliveries to the same fragment and record with other variables are not those of a reference")
  func variables() throws {
    let recorded = RecordedStore()
    let references = ["a", "b"].map { label in
      FragmentRef<LabelledFeed>(id: .root, variables: ["label": label])
    }
    let observations = references.map { recorded.environment.observe($0) { _ in } }
    try recorded.environment.commitUpdate { store in
      try store.root.setValue("x", for: #"count(label:"a")"#)
    }
    func explain(
      _ reference: FragmentRef<LabelledFeed>
    ) throws -> ([Int], [NonDeliveryExplanation.Reason]) {
      (
        try recorded.environment.explain(.delivered(reference)).map(\.cause.changes.count),
        try recorded.environment.explain(.notDelivered(reference)).map(\.reason)
      )
    }
    #expect(try explain(references[0]) == ([1], []))
    #expect(try explain(references[1]).0.isEmpty)
    #expect(try explain(references[1]).1.count == 1)
    // The same reference, plus a variable that the fragment does not declare.
    let same = FragmentRef<LabelledFeed>(id: .root, variables: ["label": "a", "first": 7])
    #expect(try explain(same) == ([1], []))
    for observation in observations { observation.cancel() }
  }

  // MARK: Arrival and loss

  /// Returns the causes of the snapshots delivered to a fragment's observer during `body`.
  private func causes<Fragment>(
    of reference: FragmentRef<Fragment>, in recorded: RecordedStore, while body: () throws -> Void
  ) rethrows -> [String] {
    let found = Locked<[String]>([])
    let observation = recorded.environment.observe(reference) { snapshot in
      found.withLock { $0.append(snapshot.cause.map { "\($0)" } ?? "none") }
    }
    try body()
    observation.cancel()
    return found.withLock { $0 }
  }

  @Test("data that has arrived and data that is missing now are told apart")
  func arrival() throws {
    let recorded = RecordedStore()
    let details = FragmentRef<TodoDetails>(id: "1")
    let found = try causes(of: details, in: recorded) {
      try recorded.fill(("1", "a"))
      try recorded.environment.commitPayload(
        TodoQuery(id: "1"),
        data: [
          "todo": ["id": "1", "text": "a", "isDone": true, "owner": ["id": "2", "name": "b"]]
        ])
      try recorded.environment.commitUpdate { try $0["1"]?.removeValue("isDone") }
    }
    #expect(
      found == [
        #"payload of FeedQuery (event 2): (root): Todo "1" arrived, isDone: now missing, owner: now missing"#,
        #"payload of TodoQuery (event 4): isDone: isDone of Todo "1" arrived, owner: owner of Todo "1" arrived"#,
        // The row is retained, so no value has changed.
        "local update (event 6): isDone: now missing",
      ])
  }

  @Test("an element that moves in its list, and still lacks a field, has neither lost nor got it")
  func movedElement() throws {
    let recorded = RecordedStore()
    try recorded.fill(("1", "a"))
    try recorded.environment.commitUpdate { try $0["1"]?.removeValue("text") }
    let found = try causes(of: FragmentRef<FeedTexts>(id: .root), in: recorded) {
      try recorded.environment.commitUpdate { store in
        let made = try store.create("0", type: "Todo")
        try made.setValue("0", for: "id")
        try made.setValue("z", for: "text")
        let all = try store.root.getLinkedRecords("feed(first:10)") ?? []
        try store.root.setLinkedRecords([made] + all, for: "feed(first:10)")
      }
      try recorded.set("1", "text", "b")
    }
    #expect(
      found == [
        #"local update (event 4): feed: feed(first:10) of __Root "client:root""#,
        #"local update (event 6): feed[1].text: text of Todo "1" arrived"#,
      ])
  }

  @Test("data that is not loaded has not arrived")
  func notLoaded() throws {
    let recorded = RecordedStore()
    try recorded.fill(("1", "a"))
    let before = recorded.environment.read(FragmentRef<TodoDetails>(id: "1")).found
    #expect(before.row != nil && before.missing == [["isDone"], ["owner"]])
    var after = before
    after.details.missing = []
    after.details.isNotLoaded = true
    var difference = SnapshotDifference(limit: 10, values: .none)
    difference.compare(before, after)
    #expect(difference.changes.map(\.description) == [#"(root): "1" record changed"#])
  }

  @Test("a deleted record is named beside the field that linked to it")
  func deletion() throws {
    let recorded = RecordedStore()
    try recorded.environment.commitPayload(
      TodoQuery(id: "1"),
      data: ["todo": ["id": "1", "text": "a", "isDone": true, "owner": ["id": "2", "name": "b"]]])
    let found = try causes(of: FragmentRef<TodoDetails>(id: "1"), in: recorded) {
      try recorded.environment.commitUpdate { try $0.delete("2") }
      try recorded.environment.commitUpdate { try $0.delete("1") }
    }
    #expect(
      found == [
        #"local update (event 2): owner: owner of Todo "1", owner: User "2" deleted"#,
        #"local update (event 4): (root): Todo "1" deleted"#,
      ])
    let records = recorded.environment.timeline().records.filter { $0.state == .deleted }
    #expect(records.map(\.typeName) == ["Todo", "User"])
  }

  // MARK: Optimistic updates

  @Test("a response that does not write the data names the end of the optimistic update")
  func refusedMutation() async throws {
    let recorded = RecordedStore()
    try recorded.fill(("1", "a"))
    let found = Locked<[String]>([])
    let observation = recorded.environment.observe(todo("1")) { snapshot in
      found.withLock { $0.append(snapshot.cause.map { "\($0)" } ?? "none") }
    }
    for answer in [nil, "c"] as [String?] {
      async let committed = recorded.environment.commit(
        SetTextMutation(id: "1", text: "b"),
        optimisticUpdater: { try $0["1"]?.setValue("b", for: "text") })
      let data = answer.map { ["id": "1", "text": .string($0)] as JSONValue } ?? .null
      try await recorded.server.next().resolve(
        data: ["setText": data], errors: answer == nil ? [["message": "secret"]] : [])
      _ = try await committed
    }
    #expect(
      found.withLock { $0 } == [
        #"optimistic update of SetTextMutation (event 2): text: text of Todo "1""#,
        #"end of the optimistic update of SetTextMutation (event 5): text: text of Todo "1""#,
        #"optimistic update of SetTextMutation (event 8): text: text of Todo "1""#,
        #"response to SetTextMutation, and end of its optimistic update (event 11): text: text of Todo "1""#,
      ])
    observation.cancel()
  }

  // MARK: Skipped snapshots

  @Test("a consumer that has skipped snapshots gets the causes and changes of all of them")
  func skipped() async throws {
    let recorded = RecordedStore()
    try recorded.environment.commitPayload(
      TodoQuery(id: "1"), data: ["todo": ["id": "1", "text": "a", "isDone": true, "owner": nil]])
    var snapshots = recorded.environment.observe(FragmentRef<TodoDetails>(id: "1"))
      .makeAsyncIterator()
    _ = await snapshots.next()
    try recorded.set("1", "text", "b")
    try recorded.set("1", "isDone", false)
    let cause = await snapshots.next()?.cause
    #expect(
      cause?.description
        == #"local update (event 2), local update (event 4): text: text of Todo "1", isDone: isDone of Todo "1""#
    )
    try recorded.set("1", "text", "c")
    #expect(await snapshots.next()?.cause?.publishes.map(\.event) == [6])
  }

  @Test("a consumer of a list that has skipped snapshots gets the changes of each element")
  func skippedLists() async throws {
    let recorded = RecordedStore()
    try recorded.fill(("1", "a"), ("2", "b"))
    var lists = recorded.environment.observe([todo("1"), todo("2")]).makeAsyncIterator()
    _ = await lists.next()
    try recorded.set("2", "text", "x")
    try recorded.set("1", "text", "y")
    try recorded.set("2", "text", "z")
    let cause = await lists.next()?.cause
    #expect(
      cause?.changes.map { "\($0)" } == [
        #"[0].text: text of Todo "1""#, #"[1].text: text of Todo "2""#,
      ])
    #expect(cause?.publishes.count == 3)
  }
}
