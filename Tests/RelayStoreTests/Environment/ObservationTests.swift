import Testing

@testable import RelayStore

/// The rules of observation, one test each.
@Suite struct ObservationTests {
  private let plan = Plan(
    "Query{todos [Todo{id ID! text String! isComplete Boolean! assignee User{id ID! name String!}}!]!}"
  )

  private func todo(_ id: String, _ text: String, assignee: JSONValue = nil) -> JSONValue {
    ["id": .string(id), "text": .string(text), "isComplete": false, "assignee": assignee]
  }

  private func store(_ todos: JSONValue...) throws -> TestStore {
    let test = TestStore()
    try test.write(plan, ["todos": .array(todos)])
    return test
  }

  private func setText(_ text: String, of id: DataID = "1", in test: TestStore) throws {
    try test.environment.commitUpdate { try $0[id]?.setValue(.string(text), for: "text") }
  }

  private func row(_ id: DataID) -> FragmentRef<TodoRow_todo> { FragmentRef(id: id) }

  @Test("the first snapshot is the one of now, and is what a read gives")
  func firstIsNow() async throws {
    let test = try store(todo("1", "a"))
    var iterator = test.environment.observe(row("1")).makeAsyncIterator()
    let first = await iterator.next()
    #expect(first?.data?.text == "a")
    #expect(first == test.environment.read(row("1")))
    try setText("b", in: test)
    #expect(await iterator.next()?.data?.text == "b")
  }

  @Test("a slow consumer gets the newest snapshot and no older one after it")
  func latestOnly() async throws {
    let test = try store(todo("1", "a"))
    var iterator = test.environment.observe(row("1")).makeAsyncIterator()
    let first = await iterator.next()
    for text in ["b", "c", "d"] { try setText(text, in: test) }
    let second = await iterator.next()
    #expect(second?.data?.text == "d")
    #expect((second?.revision ?? 0) > (first?.revision ?? 0))
  }

  @Test("nothing is delivered when the fragment's own value did not change")
  func noNews() async throws {
    let test = try store(todo("1", "a", assignee: ["id": "u", "name": "Ada"]))
    var iterator = test.environment.observe(row("1")).makeAsyncIterator()
    _ = await iterator.next()
    // The same again; a field that it does not select; another record.
    try test.write(plan, ["todos": [todo("1", "a", assignee: ["id": "u", "name": "Ada"])]])
    try test.environment.commitUpdate { try $0["1"]?.setValue(3, for: "score") }
    try setText("z", of: "2", in: test)
    try setText("end", in: test)
    #expect(await iterator.next()?.data?.text == "end")
  }

  @Test("one commit is one delivery, however many records it touched")
  func oneDelivery() async throws {
    let test = try store(todo("1", "a", assignee: ["id": "u", "name": "Ada"]))
    var iterator = test.environment.observe(row("1")).makeAsyncIterator()
    let before = await iterator.next()
    try test.environment.commitUpdate {
      try $0["1"]?.setValue("b", for: "text")
      try $0["u"]?.setValue("Bea", for: "name")
    }
    let after = await iterator.next()
    #expect(after?.data?.text == "b" && after?.data?.assignee?.name == "Bea")
    #expect(after?.revision == (before?.revision ?? 0) + 1)
  }

  @Test("after a commit returns, reads and new iterators show it")
  func readYourWrites() async throws {
    let test = try store(todo("1", "a"))
    try setText("b", in: test)
    #expect(test.environment.read(row("1")).data?.text == "b")
    var iterator = test.environment.observe(row("1")).makeAsyncIterator()
    #expect(await iterator.next()?.data?.text == "b")
  }

  @Test("dropping an iterator, and ending a loop, unsubscribe")
  func unsubscribing() async throws {
    let test = try store(todo("1", "a"))
    do {
      var iterator = test.environment.observe(row("1")).makeAsyncIterator()
      _ = await iterator.next()
      #expect(test.store.statistics.observers == 1)
    }
    #expect(test.store.statistics.observers == 0)
    for await _ in test.environment.observe(row("1")) { break }
    #expect(test.store.statistics.observers == 0)
  }

  @Test("cancelling the task ends the loop and unsubscribes")
  func cancelling() async throws {
    let test = try store(todo("1", "a"))
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let task = Task { [row, environment = test.environment] in
      var count = 0
      for await _ in environment.observe(row("1")) {
        count += 1
        start.finish()
      }
      return count
    }
    for await _ in started {}
    task.cancel()
    #expect(await task.value == 1)
    #expect(test.store.statistics.observers == 0)
  }

  @Test("each of two consumers gets all values")
  func twoConsumers() async throws {
    let test = try store(todo("1", "a"))
    let sequence = test.environment.observe(row("1"))
    var (one, two) = (sequence.makeAsyncIterator(), sequence.makeAsyncIterator())
    for text in ["a", "b", "c"] {
      try setText(text, in: test)
      #expect(await one.next()?.data?.text == text)
      #expect(await two.next()?.data?.text == text)
    }
  }

  @Test("a snapshot says that its record was deleted")
  func deletion() async throws {
    let test = try store(todo("1", "a"))
    var iterator = test.environment.observe(row("1")).makeAsyncIterator()
    _ = await iterator.next()
    try test.environment.commitUpdate { try $0.delete("1") }
    let snapshot = await iterator.next()
    #expect(snapshot?.isDeleted == true && snapshot?.data == nil)
  }

  @Test("an unknown record can be observed, and its appearance is delivered")
  func unknown() async throws {
    let test = try store()
    var iterator = test.environment.observe(row("1")).makeAsyncIterator()
    let first = await iterator.next()
    #expect(first?.data == nil && first?.isMissingData == true && first?.isDeleted == false)
    try test.write(plan, ["todos": [todo("1", "a")]])
    #expect(await iterator.next()?.data?.text == "a")
  }

  @Test("missing data is delivered when it arrives")
  func missingArrives() async throws {
    let test = TestStore()
    try test.write(
      Plan("Query{todo Todo{id ID! text String!}}"), ["todo": ["id": "1", "text": "a"]])
    var iterator = test.environment.observe(row("1")).makeAsyncIterator()
    let first = await iterator.next()
    #expect(first?.data == nil)
    #expect(first?.missing.map(\.description) == ["isComplete", "assignee"])
    try test.write(plan, ["todos": [todo("1", "a")]])
    let second = await iterator.next()
    #expect(second?.data?.isComplete == false && second?.missing.isEmpty == true)
  }

  @Test("an observer follows a link to another record, and forgets the one it left")
  func movingLinks() async throws {
    let test = try store(
      todo("1", "a", assignee: ["id": "u", "name": "Ada"]),
      todo("2", "b", assignee: ["id": "v", "name": "Bob"]))
    var iterator = test.environment.observe(row("1")).makeAsyncIterator()
    _ = await iterator.next()
    try test.environment.commitUpdate { store in
      try store["1"]?.setLinkedRecord(store["v"], for: "assignee")
    }
    #expect(await iterator.next()?.data?.assignee?.name == "Bob")
    try test.environment.commitUpdate { try $0["u"]?.setValue("x", for: "name") }
    try test.environment.commitUpdate { try $0["v"]?.setValue("Ben", for: "name") }
    #expect(await iterator.next()?.data?.assignee?.name == "Ben")
  }

  @Test("an AsyncStream of snapshots starts with now and goes on")
  func asyncStream() async throws {
    let test = try store(todo("1", "a"))
    let stream: AsyncStream<Snapshot<TodoRow_todo>> = test.environment.snapshots(of: row("1"))
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next()?.data?.text == "a")
    try setText("b", in: test)
    #expect(await iterator.next()?.data?.text == "b")
  }

  @Test("a reference that holds its value needs no store")
  func values() async {
    let test = TestStore()
    let reference = FragmentRef.value(TodoRow_todo(id: "p", text: "preview", isComplete: true))
    #expect(test.environment.read(reference).data?.text == "preview")
    var iterator = test.environment.observe(reference).makeAsyncIterator()
    #expect(await iterator.next()?.data?.text == "preview")
  }

  @MainActor @Test("a loop on the main actor stays there")
  func mainActor() async throws {
    let test = try store(todo("1", "a"))
    for await snapshot in test.environment.observe(row("1")) {
      MainActor.assertIsolated()
      #expect(snapshot.data?.text == "a")
      break
    }
  }

  @Test("ten thousand observers of other records do not hear of a change")
  func manyObservers() async throws {
    let todos = (0..<10_000).map { todo("\($0)", "t") }
    let test = TestStore()
    try test.write(plan, ["todos": .array(todos)])
    var iterators = (0..<10_000).map { number in
      test.environment.observe(row(DataID("\(number)"))).makeAsyncIterator()
    }
    for position in iterators.indices { _ = await iterators[position].next() }
    try setText("new", of: "7777", in: test)
    #expect(await iterators[7777].next()?.data?.text == "new")
    iterators.removeAll()
    #expect(test.store.statistics.observers == 0)
  }
}
