import RelayStore
import Testing

/// The rules of observation from a consumer's view. ``DeliveryTests`` covers changes that are not
/// delivered.
@Suite(.timeLimit(.minutes(1))) struct ObservationTests {
  private let plan = TestSelection("{ todos { id text isComplete assignee { id name } } }")

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

  @Test("the first snapshot is the current one, and equals a read")
  func firstIsNow() async throws {
    let test = try store(todo("1", "a"))
    var iterator = test.environment.observe(row("1")).makeAsyncIterator()
    let first = await iterator.next()
    #expect(first?.data?.text == "a")
    #expect(first == test.environment.read(row("1")))
    try setText("b", in: test)
    #expect(await iterator.next()?.data?.text == "b")
  }

  @Test("a slow consumer receives the newest snapshot and no older one after it")
  func latestOnly() async throws {
    let test = try store(todo("1", "a"))
    var iterator = test.environment.observe(row("1")).makeAsyncIterator()
    let first = await iterator.next()
    for text in ["b", "c", "d"] { try setText(text, in: test) }
    let second = await iterator.next()
    #expect(second?.data?.text == "d")
    #expect((second?.revision ?? 0) > (first?.revision ?? 0))
  }

  @Test("reads and new iterators include a commit once it has returned")
  func readYourWrites() async throws {
    let test = try store(todo("1", "a"))
    try setText("b", in: test)
    #expect(test.environment.read(row("1")).data?.text == "b")
    var iterator = test.environment.observe(row("1")).makeAsyncIterator()
    #expect(await iterator.next()?.data?.text == "b")
  }

  @Test("dropping an iterator and leaving a loop unsubscribe")
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

  @Test("cancelling the task unsubscribes even if the iterator is kept")
  func cancellingKeptIterator() async throws {
    let test = try store(todo("1", "a"))
    var iterator = test.environment.observe(row("1")).makeAsyncIterator()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      #expect(await iterator.next() == nil)
      #expect(test.store.statistics.observers == 0)
      _ = iterator
    }
    await task.value
  }

  @Test("the fields of a snapshot are of one revision")
  func agreement() async throws {
    let test = try store(todo("1", "0", assignee: ["id": "u", "name": "0"]))
    let writer = Task.detached { [environment = test.environment] in
      for number in 1...200 {
        try environment.commitUpdate {
          try $0["1"]?.setValue(.string("\(number)"), for: "text")
          try $0["u"]?.setValue(.string("\(number)"), for: "name")
        }
      }
    }
    var last: UInt64 = 0
    for await snapshot in test.environment.observe(row("1")) {
      #expect(snapshot.data?.text == snapshot.data?.assignee?.name)
      #expect(snapshot.revision >= last)
      last = snapshot.revision
      if snapshot.data?.text == "200" { break }
    }
    try await writer.value
  }

  @Test("each of two consumers receives every snapshot")
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

  @Test("isDeleted of a snapshot is true after its record is deleted")
  func deletion() async throws {
    let test = try store(todo("1", "a"))
    var iterator = test.environment.observe(row("1")).makeAsyncIterator()
    _ = await iterator.next()
    try test.environment.commitUpdate { try $0.delete("1") }
    let snapshot = await iterator.next()
    #expect(snapshot?.isDeleted == true && snapshot?.data == nil)
  }

  @Test("an unknown record can be observed, and its creation is delivered")
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
      TestSelection(#"{ todo(id: "1") { id text } }"#), ["todo": ["id": "1", "text": "a"]])
    var iterator = test.environment.observe(row("1")).makeAsyncIterator()
    let first = await iterator.next()
    #expect(first?.data == nil)
    #expect(first?.missing.map(\.description) == ["isComplete", "assignee"])
    try test.write(plan, ["todos": [todo("1", "a")]])
    let second = await iterator.next()
    #expect(second?.data?.isComplete == false && second?.missing.isEmpty == true)
  }

  @Test("an observer follows a link to another record")
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
    try test.environment.commitUpdate { try $0["v"]?.setValue("Ben", for: "name") }
    #expect(await iterator.next()?.data?.assignee?.name == "Ben")
  }

  @Test("an AsyncStream of snapshots begins with the current one and continues")
  func asyncStream() async throws {
    let test = try store(todo("1", "a"))
    let stream: AsyncStream<Snapshot<TodoRow_todo>> = test.environment.snapshots(of: row("1"))
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next()?.data?.text == "a")
    try setText("b", in: test)
    #expect(await iterator.next()?.data?.text == "b")
  }

  @Test("a fragment reference with a value needs no store")
  func values() async {
    let test = TestStore()
    let reference = FragmentRef.value(TodoRow_todo(id: "p", text: "preview", isComplete: true))
    #expect(test.environment.read(reference).data?.text == "preview")
    var iterator = test.environment.observe(reference).makeAsyncIterator()
    #expect(await iterator.next()?.data?.text == "preview")
  }

  @MainActor @Test("a loop on the main actor runs on the main actor")
  func mainActor() async throws {
    let test = try store(todo("1", "a"))
    var hasLeft = false
    let other = Task { hasLeft = true }
    for await snapshot in test.environment.observe(row("1")) {
      // If the loop had left the actor for the first snapshot, the other task would have run.
      #expect(snapshot.data?.text == "a" && !hasLeft)
      break
    }
    await other.value
  }

}
