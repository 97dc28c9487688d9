import RelayStore
import Testing

@Suite(.timeLimit(.minutes(1))) struct OptimisticTests {
  private let plan = TestSelection("{ todos { id text n } }")

  private func store() throws -> TestStore {
    let test = TestStore()
    try test.write(
      plan, ["todos": [["id": "1", "text": "a", "n": 1], ["id": "2", "text": "b", "n": 2]]])
    return test
  }

  private func text(_ test: TestStore, _ id: DataID = "1") -> JSONValue? {
    test.json(TestSelection("fragment F on Todo { text }"), id: id)?["text"]
  }

  @Test("the visible data is the base with the optimistic updates applied in order")
  func layers() throws {
    let test = try store()
    let base = test.store.dump(.base)
    let first = try test.environment.applyUpdate { try $0["1"]?.setValue("first", for: "text") }
    let second = try test.environment.applyUpdate { try $0["1"]?.setValue("second", for: "text") }
    #expect(text(test) == "second")
    second.revert()
    #expect(text(test) == "first")
    first.revert()
    #expect(test.store.dump(.visible) == base)
  }

  @Test("reverting an older update keeps the newer one")
  func revertOlder() throws {
    let test = try store()
    let first = try test.environment.applyUpdate {
      try $0["1"]?.setValue("first", for: "text")
      try $0["2"]?.setValue("first", for: "text")
    }
    let second = try test.environment.applyUpdate { try $0["1"]?.setValue("second", for: "text") }
    first.revert()
    #expect(text(test, "1") == "second" && text(test, "2") == "b")
    second.revert()
    #expect(text(test, "1") == "a")
  }

  @Test("a commit changes the base and rebases the optimistic updates")
  func rebase() throws {
    let test = try store()
    let update = try test.environment.applyUpdate { store in
      let n = try store["1"]?.getValue("n")?.int ?? 0
      try store["1"]?.setValue(.number(JSONNumber(n + 100)), for: "n")
    }
    let read = TestSelection("fragment F on Todo { n }")
    #expect(test.json(read, id: "1")?["n"] == 101)
    try test.environment.commitUpdate { try $0["1"]?.setValue(5, for: "n") }
    #expect(test.json(read, id: "1")?["n"] == 105)
    update.revert()
    #expect(test.json(read, id: "1")?["n"] == 5)
  }

  @Test("optimistic updates are rebased in their order, each on the result of the previous one")
  func rebaseInOrder() throws {
    let test = try store()
    func appending(_ end: String) -> StoreUpdater {
      { store in
        let text = try store["1"]?.getValue("text")?.string ?? ""
        try store["1"]?.setValue(.string(text + end), for: "text")
      }
    }
    let updates = try ["1", "2", "3"].map { try test.environment.applyUpdate(appending($0)) }
    #expect(text(test) == "a123")
    try test.environment.commitUpdate { try $0["1"]?.setValue("b", for: "text") }
    #expect(text(test) == "b123")
    try updates[1].replace(appending("4"))
    #expect(text(test) == "b134")
    updates[0].revert()
    #expect(text(test) == "b34")
    for update in updates[1...] { update.revert() }
    #expect(text(test) == "b")
  }

  @Test("an updater of a commit reads base data, never optimistic data")
  func updatersSeeBase() throws {
    let test = try store()
    let update = try test.environment.applyUpdate { try $0["1"]?.setValue("shown", for: "text") }
    try test.environment.commitUpdate { store in
      let text = try store["1"]?.getValue("text")
      #expect(text == "a")
    }
    update.revert()
  }

  @Test("an updater runs at each rebase, but neither for newer updates nor after its own revert")
  func runs() throws {
    let test = try store()
    let runs = Locked(0)
    let first = try test.environment.applyUpdate { _ in runs.withLock { $0 += 1 } }
    let second = try test.environment.applyUpdate { _ in }
    #expect(runs.withLock { $0 } == 1)
    try test.environment.commitUpdate { _ in }
    #expect(runs.withLock { $0 } == 2)
    second.revert()
    #expect(runs.withLock { $0 } == 3)
    second.revert()
    #expect(throws: RelayError.self) { try second.replace { _ in } }
    #expect(runs.withLock { $0 } == 3)
    first.revert()
    #expect(runs.withLock { $0 } == 3)
  }

  @Test(
    "updates, retentions and observers released in an updater are released when the commit returns")
  func releasedInUpdater() throws {
    let test = try store()
    let update = try test.environment.applyUpdate { try $0["1"]?.setValue("shown", for: "text") }
    let retention = test.environment.retain(TodoListQuery())
    let deliveries = Locked(0)
    let observation = test.environment.observe(FragmentRef<TodoRow_todo>(id: "2")) { _ in
      deliveries.withLock { $0 += 1 }
    }
    try test.environment.commitUpdate { store in
      update.revert()
      retention.release()
      observation.cancel()
      try store["2"]?.setValue("x", for: "text")
    }
    #expect(text(test) == "a" && text(test, "2") == "x")
    let statistics = test.store.statistics
    #expect(
      statistics.optimisticUpdates == 0 && statistics.retainedOperations == 0
        && statistics.observers == 0)
    try test.environment.commitUpdate { try $0["2"]?.setValue("y", for: "text") }
    #expect(deliveries.withLock { $0 } <= 1)
  }

  @Test("revert is idempotent")
  func revertTwice() throws {
    let test = try store()
    let update = try test.environment.applyUpdate { try $0["1"]?.setValue("x", for: "text") }
    update.revert()
    update.revert()
    #expect(text(test) == "a" && test.store.statistics.optimisticUpdates == 0)
  }

  @Test("an updater that throws changes nothing")
  func throwing() throws {
    struct UpdateFailure: Error {}
    let test = try store()
    let base = test.store.dump()
    #expect(throws: UpdateFailure.self) {
      try test.environment.commitUpdate { store in
        try store["1"]?.setValue("x", for: "text")
        _ = try store.create("new", type: "Todo")
        try store.delete("2")
        throw UpdateFailure()
      }
    }
    #expect(test.store.dump() == base)
    #expect(throws: UpdateFailure.self) {
      _ = try test.environment.applyUpdate { store in
        try store["1"]?.setValue("x", for: "text")
        throw UpdateFailure()
      }
    }
    #expect(test.store.dump() == base && test.store.statistics.optimisticUpdates == 0)
  }

  @Test("an optimistic updater that throws during a rebase contributes nothing to it")
  func throwingLater() throws {
    struct UpdateFailure: Error {}
    let test = try store()
    let update = try test.environment.applyUpdate { store in
      try store["1"]?.setValue("shown", for: "text")
      if try store["2"]?.getValue("n") == 3 { throw UpdateFailure() }
    }
    try test.environment.commitUpdate { try $0["2"]?.setValue(3, for: "n") }
    #expect(
      text(test) == "a"
        && !test.read(TestSelection("fragment F on Todo { text }"), id: "1").isOptimistic)
    try test.environment.commitUpdate { try $0["2"]?.setValue(4, for: "n") }
    #expect(text(test) == "shown")
    update.revert()
  }

  @Test("reverting an optimistic deletion restores the previous data exactly")
  func deletion() throws {
    let test = try store()
    let base = test.store.dump()
    let update = try test.environment.applyUpdate { try $0.delete("1") }
    #expect(test.read(TestSelection("fragment F on Todo { text }"), id: "1").isDeleted)
    update.revert()
    #expect(test.store.dump() == base)
  }

  @Test("an optimistic update that changes nothing is not delivered, and neither is its revert")
  func silence() async throws {
    let test = try store()
    try test.write(
      TestSelection("{ me { id name } }"), ["me": ["id": "u", "name": "Eve"]])
    var iterator = test.environment.observe(FragmentRef<User_name>(id: "u")).makeAsyncIterator()
    let first = await iterator.next()
    let update = try test.environment.applyUpdate { try $0["u"]?.setValue("Eve", for: "name") }
    update.revert()
    try test.environment.commitUpdate { try $0["u"]?.setValue("Ada", for: "name") }
    let second = await iterator.next()
    #expect(second?.data?.name == "Ada" && second?.revision == (first?.revision ?? 0) + 1)
  }

  /// Runs an updater, and returns the message of the error that it throws.
  private func message(_ test: TestStore, _ updater: @escaping StoreUpdater) -> String? {
    do { try test.environment.commitUpdate(updater) } catch {
      return (error as? RelayError)?.message
    }
    return nil
  }

  @Test("creating a record that exists throws")
  func createExisting() throws {
    let test = try store()
    #expect(
      message(test) { _ = try $0.create("1", type: "Todo") }
        == "Record \"1\" cannot be created: it already exists.")
  }

  @Test("creating a record that the same updater has deleted throws")
  func createDeleted() throws {
    let test = try store()
    #expect(
      message(test) {
        try $0.delete("1")
        _ = try $0.create("1", type: "Todo")
      } == "Record \"1\" cannot be created in the update that deleted it.")
  }

  @Test("deleting the root record throws")
  func deleteRoot() throws {
    let test = try store()
    #expect(message(test) { try $0.delete(.root) } == "The root record cannot be deleted.")
  }

  @Test("reading a link as a scalar throws")
  func readLinkAsScalar() throws {
    let test = try store()
    #expect(
      message(test) { _ = try $0.root.getValue("todos") }
        == "Field \"todos\" of record \"client:root\" is a link; use getLinkedRecord.")
  }

  @Test("reading a list of links as one link throws, and so does reading a scalar as a list")
  func readWrongPlurality() throws {
    let test = try store()
    #expect(
      message(test) { _ = try $0.root.getLinkedRecord("todos") }
        == "Field \"todos\" of record \"client:root\" is not a link to one record.")
    #expect(
      message(test) { _ = try $0["1"]?.getLinkedRecords("text") }
        == "Field \"text\" of record \"1\" is not a list of links.")
  }

  @Test("starting an update, an optimistic update or a commit inside an updater throws")
  func nestedUpdates() throws {
    let test = try store()
    let environment = test.environment
    let expected = "An update was started inside an updater; use its proxy instead."
    #expect(message(test) { _ in try environment.commitUpdate { _ in } } == expected)
    #expect(message(test) { _ in _ = try environment.applyUpdate { _ in } } == expected)
    #expect(
      message(test) { _ in try environment.commitPayload(TodoListQuery(), data: [:]) }
        == expected)
  }

  @Test("a proxy used after its updater has ended throws")
  func escaping() throws {
    let test = try store()
    nonisolated(unsafe) var escaped: RecordProxy?
    try test.environment.commitUpdate { escaped = try $0["1"] }
    #expect(throws: RelayError.self) { try escaped?.getValue("text") }
    #expect(throws: RelayError.self) { try escaped?.setValue("x", for: "text") }
    #expect(text(test) == "a")
  }

  @Test("a proxy of another updater cannot be linked to")
  func foreignProxies() throws {
    let test = try store()
    nonisolated(unsafe) var escaped: RecordProxy?
    try test.environment.commitUpdate { escaped = try $0["1"] }
    #expect(escaped?.id == "1")
    #expect(throws: RelayError.self) {
      try test.environment.commitUpdate { try $0.root.setLinkedRecord(escaped, for: "me") }
    }
    #expect(throws: RelayError.self) {
      try test.environment.commitUpdate { try $0.root.setLinkedRecords([escaped], for: "all") }
    }
  }

  @Test("getOrCreateLinkedRecord creates the record of a dangling link")
  func danglingLink() throws {
    let test = try store()
    try test.write(TestSelection("{ me { id } }"), ["me": ["id": "u"]])
    test.store.collectGarbage()
    try test.environment.commitUpdate { store in
      let user = try store.root.getOrCreateLinkedRecord("me", type: "User")
      try user.setValue("Ada", for: "name")
    }
    #expect(test.json(TestSelection("{ me { name } }"))?["me"]?["name"] == "Ada")
  }

  @Test("linked records are read, created and replaced")
  func links() throws {
    let test = try store()
    try test.environment.commitUpdate { store in
      let page = try store.root.getOrCreateLinkedRecord("page", type: "Page", arguments: ["n": 1])
      #expect(page.id == "client:root:page(n:1)")
      try page.setValue("p", for: "title")
      try page.setLinkedRecords([store["1"], nil, store["2"]], for: "items")
      let todos = try store.root.getLinkedRecords("todos")
      #expect(todos?.compactMap { $0?.id } == ["1", "2"])
    }
    let read = test.json(
      TestSelection("{ page(n: 1) { title items { id } } }"))
    #expect(read?["page"] == ["title": "p", "items": [["id": "1"], nil, ["id": "2"]]])
  }
}
