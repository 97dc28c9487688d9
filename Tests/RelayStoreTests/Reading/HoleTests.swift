import Testing

@testable import RelayStore

/// Rows with holes: fields that another request's response left out.
@Suite(.timeLimit(.minutes(1))) struct HoleTests {
  private static let schema = """
    type Query { me: User todos: [Todo!]! maybe: [Todo] }
    type Todo { id: ID! title: String! notes: String! owner: User! helper: User steps: [Step!] }
    type User { id: ID! name: String! nick: String best: User }
    type Step { id: ID! text: String! }
    """

  private func selection(_ document: String) -> TestSelection {
    TestSelection(document, schema: Self.schema)
  }

  /// The snapshots that an observer received.
  private final class Observer: Sendable {
    private let state: Locked<[RowSnapshot]>
    private let observation: Locked<ObservationHandle?>

    init(_ test: TestStore, _ plan: SelectionPlan, _ id: DataID = .root) {
      let state = Locked<[RowSnapshot]>([])
      self.state = state
      let (first, handle) = test.store.readAndObserve(
        .record(
          id, plan, in: VariableScope(operation: [:])
        )
      ) { snapshot in state.withLock { $0.append(snapshot) } }
      state.withLock { $0.append(first) }
      observation = Locked(handle)
    }

    var last: RowSnapshot { state.withLock { $0[$0.count - 1] } }
    var count: Int { state.withLock { $0.count } }
    var json: JSONValue? { last.row.map { .object($0.json) } }
    var missing: [String] { last.missing.map(\.description) }
    var isStale: Bool { Snapshot<JSONValue>(last, data: nil).isStale }
  }

  // MARK: Elements of lists

  @Test("an element that lacks a field is left out of its list, and its path is missing")
  func leftOut() throws {
    let test = TestStore()
    let full = selection("{ todos { id title notes } }")
    try test.write(full, ["todos": [["id": "1", "title": "a", "notes": "x"]]])
    let observer = Observer(test, full.reader)
    try test.write(
      selection("{ todos { id title } }"),
      ["todos": [["id": "2", "title": "b"], ["id": "1", "title": "A"]]])
    let expected: JSONValue = ["todos": [["id": "1", "title": "A", "notes": "x"]]]
    #expect(observer.json == expected && observer.missing == ["todos[0].notes"])
    #expect(!observer.isStale && observer.count == 2)
    #expect(test.json(full) == expected)
    #expect(test.read(full).missing.map(\.description) == ["todos[0].notes"])
    #expect(!test.read(full).isWhole && test.read(full).lacksData)
    try test.write(full, ["todos": [["id": "2", "title": "b", "notes": "y"]]])
    #expect(observer.json == ["todos": [["id": "2", "title": "b", "notes": "y"]]])
    #expect(observer.missing.isEmpty)
  }

  @Test("where deletions bubble, a hole makes its list null, which keeps what it has shown")
  func bubbling() throws {
    let test = TestStore(.init(garbageCollection: .manual, deletedRecordsBubble: true))
    let full = selection("{ todos { id steps { text } } }")
    try test.write(full, ["todos": [["id": "1", "steps": [["id": "s", "text": "a"]]]]])
    let observer = Observer(test, full.reader)
    let before = observer.json
    try test.write(
      selection("{ todos { id steps { id } } }"),
      ["todos": [["id": "1", "steps": [["id": "s"], ["id": "t"]]]]])
    #expect(test.json(full) == ["todos": [["id": "1", "steps": nil]]])
    #expect(observer.json == before && observer.missing == ["todos[0].steps[1].text"])
    #expect(observer.isStale)
    var snapshot = Snapshot<JSONValue>(observer.last, data: nil)
    snapshot.isStale = false
    #expect(!snapshot.isStale && snapshot.missing == observer.last.missing)
  }

  @Test("a nullable element with a hole is null in the new list; the last list is not kept for it")
  func nullableElement() throws {
    let test = TestStore()
    let full = selection("{ maybe { id title } }")
    try test.write(full, ["maybe": [["id": "1", "title": "a"]]])
    let observer = Observer(test, full.reader)
    try test.write(selection("{ maybe { id } }"), ["maybe": [["id": "1"], ["id": "2"]]])
    #expect(observer.json == ["maybe": [["id": "1", "title": "a"], nil]])
    #expect(observer.missing == ["maybe[1].title"])
  }

  @Test("a null from the server, a deletion and a hole are told apart in one list")
  func nulls() throws {
    let test = TestStore()
    let full = selection("{ todos { id title } }")
    try test.write(
      full,
      [
        "todos": [
          ["id": "1", "title": "a"], ["id": "2", "title": "b"], ["id": "3", "title": "c"],
        ]
      ])
    let observer = Observer(test, full.reader)
    try test.environment.commitUpdate { try $0.delete("2") }
    try test.write(
      selection("{ todos { id } }"),
      ["todos": [["id": "1"], ["id": "2"], ["id": "4"], ["id": "3"]]])
    #expect(observer.json?["todos"] == [["id": "1", "title": "a"], ["id": "3", "title": "c"]])
    #expect(observer.missing == ["todos[1].title", "todos[2].title"])
    try test.write(full, ["todos": [["id": "1", "title": "a"], ["id": "3", "title": nil]]])
    #expect(observer.last.row == nil && observer.missing == ["todos[1].title"])
  }

  // MARK: Objects

  @Test("an object that was read complete keeps its last row, and its siblings go on")
  func kept() throws {
    let test = TestStore()
    let full = selection("{ todos { id title owner { name } } }")
    func todo(_ id: String, _ title: String) -> JSONValue {
      ["id": .string(id), "title": .string(title), "owner": ["id": "u", "name": "Ann"]]
    }
    try test.write(full, ["todos": [todo("1", "a"), todo("2", "b")]])
    let observer = Observer(test, full.reader)
    // The list has a different order, so the rows are found by their records.
    try test.write(
      selection("{ todos { id title owner { id } } }"),
      [
        "todos": [
          ["id": "2", "title": "B", "owner": ["id": "u"]],
          ["id": "1", "title": "A", "owner": ["id": "v"]],
        ]
      ])
    let row: JSONValue = ["id": "1", "title": "a", "owner": ["name": "Ann"]]
    #expect(observer.json?["todos"]?[0]?["title"] == "B")
    #expect(observer.json?["todos"]?[1] == row)
    #expect(observer.missing == ["todos[1].owner.name"] && observer.isStale)
    // It remains through other changes.
    try test.environment.commitUpdate { try $0["2"]?.setValue("BB", for: "title") }
    try test.environment.commitUpdate { try $0["1"]?.setValue("AA", for: "title") }
    #expect(observer.json?["todos"]?[0]?["title"] == "BB")
    #expect(observer.json?["todos"]?[1] == row && observer.isStale)
    #expect(test.json(full)?["todos"]?.array?.count == 1)
    try test.environment.commitUpdate { try $0["v"]?.setValue("Vic", for: "name") }
    #expect(
      observer.json?["todos"]?[1] == ["id": "1", "title": "AA", "owner": ["name": "Vic"]])
    #expect(observer.missing.isEmpty && !observer.isStale)
  }

  @Test("a nullable field whose new object has a hole keeps its last object; a first read is null")
  func nullableParent() throws {
    let test = TestStore()
    let full = selection("{ me { id name best { name } } }")
    try test.write(
      full, ["me": ["id": "1", "name": "Ann", "best": ["id": "2", "name": "Bob"]]])
    let observer = Observer(test, full.reader)
    try test.write(
      selection("{ me { id name best { id } } }"),
      ["me": ["id": "1", "name": "Eve", "best": ["id": "3"]]])
    #expect(observer.json == ["me": ["id": "1", "name": "Eve", "best": ["name": "Bob"]]])
    #expect(observer.missing == ["me.best.name"] && observer.isStale)
    #expect(test.json(full) == ["me": ["id": "1", "name": "Eve", "best": nil]])
    let late = Observer(test, full.reader)
    #expect(late.json == test.json(full) && !late.isStale && late.missing == observer.missing)
    // A row that the late observer has not read completely is not retained.
    try test.environment.commitUpdate { try $0["3"]?.setValue("c", for: "nick") }
    #expect(late.json == test.json(full))
  }

  @Test("the data of a fragment stays when its own object gets a hole")
  func root() throws {
    let test = TestStore()
    let full = selection("{ todos { id title owner { name } } }")
    try test.write(
      full, ["todos": [["id": "1", "title": "a", "owner": ["id": "u", "name": "Ann"]]]])
    for handling in ["", "@throwOnFieldError ", "@catch(to: NULL) ", "@catch(to: RESULT) "] {
      try test.environment.commitUpdate { store in
        try store["1"]?.setLinkedRecord(store["u"], for: "owner")
      }
      let fragment = selection("fragment F on Todo \(handling){ title owner { name } }")
      let observer = Observer(test, fragment.reader, "1")
      let before = observer.json
      try test.write(
        selection("{ todos { id owner { id } } }"),
        ["todos": [["id": "1", "owner": ["id": "v"]]]])
      #expect(before != nil && observer.json == before, "\(handling)")
      #expect(observer.missing == ["owner.name"] && observer.isStale, "\(handling)")
      #expect(observer.last.failure == nil && observer.last.errors.isEmpty, "\(handling)")
    }
  }

  @Test("a list in a row of an earlier read still reports the holes of its elements")
  func listOfKeptRow() throws {
    let test = TestStore()
    let full = selection("{ todos { id title steps { id text } helper { id name } } }")
    let todo: JSONValue = [
      "id": "1", "title": "a", "steps": [["id": "s", "text": "x"]],
      "helper": ["id": "u", "name": "Ann"],
    ]
    try test.write(full, ["todos": [todo]])
    let fragment = selection("fragment F on Todo { title steps { text } helper { name } }")
    let observer = Observer(test, fragment.reader, "1")
    let before = observer.json
    try test.environment.commitUpdate { store in
      try store["1"]?.removeValue("title")
      try store["s"]?.removeValue("text")
    }
    try test.environment.commitUpdate { try $0["u"]?.setValue("Bob", for: "name") }
    #expect(observer.json == before)
    #expect(observer.missing == ["title", "steps[0].text"])
    #expect(observer.count == 2)
  }

  @Test("errors of a row that is hidden by a null around it are reported")
  func errorsOfDiscardedRow() throws {
    let test = TestStore()
    let full = selection("{ me { id best { id name nick } name } }")
    let best: JSONValue = ["id": "2", "name": "b", "nick": "n"]
    try test.write(full, ["me": ["id": "1", "best": best, "name": "a"]])
    let observer = Observer(test, full.reader)
    try test.environment.commitUpdate { try $0["2"]?.removeValue("name") }
    let partial = selection("{ me { id best { id nick } name } }")
    let failed: JSONValue = ["id": "2", "nick": nil]
    let nickError: JSONValue = ["message": "no", "path": ["me", "best", "nick"]]
    try test.write(
      partial, ["me": ["id": "1", "best": failed, "name": "a"]], errors: [nickError])
    #expect(observer.json == ["me": ["id": "1", "best": best, "name": "a"]])
    #expect(observer.last.errors.isEmpty)
    try test.write(
      partial, ["me": ["id": "1", "best": failed, "name": nil]],
      errors: [nickError, ["message": "no", "path": ["me", "name"]]])
    #expect(observer.json == ["me": nil] && !observer.isStale)
    #expect(observer.last.errors.map(\.path.description) == ["me.best.nick", "me.name"])
  }

  @Test("a field whose new object has a hole shows the value it had, not a newer row of the object")
  func olderRow() throws {
    let test = TestStore()
    let full = selection("{ todos { id title helper { id name } } }")
    let todos = ["1", "2"].map { id -> JSONValue in
      ["id": .string(id), "title": "a", "helper": ["id": "u", "name": "Ann"]]
    }
    try test.write(full, ["todos": .array(todos)])
    let observer = Observer(test, full.reader)
    try test.environment.commitUpdate { store in
      try store["u"]?.setValue("Bea", for: "name")
      try store["2"]?.setLinkedRecord(store.create("v", type: "User"), for: "helper")
    }
    func helpers() -> [JSONValue?] {
      observer.json?.object?["todos"]?.array?.map { $0.object?["helper"]?.object?["name"] } ?? []
    }
    #expect(helpers() == ["Bea", "Ann"])
    try test.environment.commitUpdate { try $0["1"]?.setValue("b", for: "title") }
    #expect(helpers() == ["Bea", "Ann"])
  }

  @Test("a required field that is left out keeps its object, and reports nothing")
  func required() throws {
    let test = TestStore()
    let full = selection("{ me { id best { nick @required(action: LOG) } } }")
    try test.write(full, ["me": ["id": "1", "best": ["id": "2", "nick": "b"]]])
    let observer = Observer(test, full.reader)
    let before = observer.json
    try test.write(
      selection("{ me { id best { id } } }"), ["me": ["id": "1", "best": ["id": "3"]]])
    #expect(observer.json == before && observer.last.errors.isEmpty)
    try test.write(full, ["me": ["id": "1", "best": ["id": "3", "nick": nil]]])
    #expect(observer.json == ["me": ["id": "1", "best": nil]])
    #expect(observer.last.errors.map(\.kind) == [.required])
  }

  @Test("an element with null in place of a hole was never complete, so it is left out later")
  func partial() throws {
    let test = TestStore()
    let full = selection("{ todos { id owner { name nick } } }")
    try test.write(
      selection("{ todos { id owner { name } } }"),
      ["todos": [["id": "1", "owner": ["id": "u", "name": "Ann"]]]])
    let observer = Observer(test, full.reader)
    #expect(
      observer.json == ["todos": [["id": "1", "owner": ["name": "Ann", "nick": nil]]]])
    try test.write(
      selection("{ todos { id owner { id } } }"), ["todos": [["id": "1", "owner": ["id": "v"]]]])
    // The element itself had no hole.
    #expect(
      observer.json == ["todos": [["id": "1", "owner": ["name": "Ann", "nick": nil]]]])
    let list = Observer(test, selection("{ todos { id notes helper { nick } } }").reader)
    #expect(list.json == ["todos": []])
  }

  @Test("an object with null at a hole stays incomplete inside a row of an earlier read")
  func partialInKeptRow() throws {
    let test = TestStore()
    try test.write(
      selection("{ todos { id title owner { id name } } }"),
      ["todos": [["id": "1", "title": "a", "owner": ["id": "u", "name": "Ann"]]]])
    let fragment = selection("fragment F on Todo { title owner { name nick } }")
    let observer = Observer(test, fragment.reader, "1")
    let first = observer.json
    #expect(observer.missing == ["owner.nick"])
    try test.environment.commitUpdate { try $0["u"]?.removeValue("name") }
    #expect(observer.json == first)
    // The owner was never complete, so the row around it stays.
    try test.environment.commitUpdate { try $0["1"]?.setValue("b", for: "title") }
    #expect(observer.json == first)
  }

  @Test("an element of a list of nullable elements is null, and keeps its row once it was complete")
  func nullableElements() throws {
    let test = TestStore()
    let full = selection("{ maybe { id owner { name } } }")
    try test.write(full, ["maybe": [["id": "1", "owner": ["id": "u", "name": "Ann"]]]])
    let observer = Observer(test, full.reader)
    try test.write(
      selection("{ maybe { id owner { id } } }"),
      ["maybe": [["id": "2", "owner": ["id": "w"]], ["id": "1", "owner": ["id": "v"]]]])
    #expect(
      observer.json == ["maybe": [nil, ["id": "1", "owner": ["name": "Ann"]]]])
    #expect(test.json(full) == ["maybe": [nil, nil]])
  }

  @Test("after a reset nothing is kept")
  func reset() throws {
    let test = TestStore()
    let full = selection("{ me { id name } todos { id title } }")
    try test.write(
      full, ["me": ["id": "1", "name": "Ann"], "todos": [["id": "1", "title": "a"]]])
    let (query, user) = (
      Observer(test, full.reader),
      Observer(test, selection("fragment F on User { name }").reader, "1")
    )
    test.environment.reset()
    #expect(query.json == nil && user.json == nil && !query.isStale)
    try test.write(
      selection("{ me { id } todos { id } }"), ["me": ["id": "1"], "todos": [["id": "1"]]])
    #expect(query.json == ["me": nil, "todos": []] && user.json == nil)
  }

  @Test("several fragments that are observed as one keep the rows of each")
  func plural() throws {
    let test = TestStore()
    let full = selection("{ todos { id title owner { name } } }")
    try test.write(
      full,
      [
        "todos": [
          ["id": "1", "title": "a", "owner": ["id": "u", "name": "Ann"]],
          ["id": "2", "title": "b", "owner": ["id": "u", "name": "Ann"]],
        ]
      ])
    let fragment = selection("fragment F on Todo { title owner { name } }").reader
    let scope = VariableScope(operation: [:])
    let last = Locked<RowSnapshot?>(nil)
    let observation = test.store.readAndObserve(
      .list([.record("1", scope), .record("2", scope)], fragment)
    ) { snapshot in last.withLock { $0 = snapshot } }.observation
    try test.write(
      selection("{ todos { id owner { id } } }"),
      ["todos": [["id": "1", "owner": ["id": "v"]], ["id": "2", "owner": ["id": "u"]]]])
    let snapshot = try #require(last.withLock { $0 })
    let rows = snapshot.row?.slots.first.map { JSONValue($0) }
    #expect(rows?[0] == ["title": "a", "owner": ["name": "Ann"]])
    #expect(snapshot.missing.map(\.description) == ["[0].owner.name"] && snapshot.keepsRows)
    withExtendedLifetime(observation) {}
  }

  @Test("a hole of an optimistic update is none of the base, and ends with the update")
  func optimistic() throws {
    let test = TestStore()
    let full = selection("{ me { id best { name } } }")
    try test.write(full, ["me": ["id": "1", "best": ["id": "2", "name": "Bob"]]])
    let observer = Observer(test, full.reader)
    let before = observer.json
    let update = try test.environment.applyUpdate { store in
      let new = try store.create("3", type: "User")
      try store["1"]?.setLinkedRecord(new, for: "best")
    }
    #expect(observer.json == before && observer.missing == ["me.best.name"])
    #expect(observer.last.holes.isEmpty && observer.last.lacksData)
    update.revert()
    #expect(observer.json == before && observer.missing.isEmpty && !observer.isStale)
    try test.write(
      selection("{ me { id best { id } } }"), ["me": ["id": "1", "best": ["id": "3"]]])
    let other = try test.environment.applyUpdate { try $0["1"]?.setValue("x", for: "nick") }
    #expect(observer.last.holes.count == 1)
    other.revert()
  }
}
