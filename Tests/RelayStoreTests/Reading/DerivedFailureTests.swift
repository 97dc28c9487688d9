@_spi(GeneratedCode) import RelayStore
import RelayStoreTesting
import Testing

/// A derived field whose fragment throws or catches its errors.
@Suite(.timeLimit(.minutes(1))) struct DerivedFailureTests {
  private let environment = RelayEnvironment(
    store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: MockTransport()
  )
  private static let error: JSONValue = ["message": "down", "path": ["users", 1, "name"]]

  /// Writes two users; the second one's name is null, with a server error.
  private func write() throws {
    let plan = SelectionPlan("Query{users [User{id ID! name String age Int}]}")
    let test = TestStore(environment.store)
    try test.write(
      plan,
      [
        "users": [["id": "1", "name": "Ann", "age": nil], ["id": "2", "name": nil, "age": nil]]
      ], errors: [Self.error])
  }

  private func plan(_ fragment: SelectionPlan) -> SelectionPlan {
    SelectionPlan(
      #"Users Query{users [User{id ID! title String%derived(fragment:"Name")}]}"#,
      inlined: ["Name": fragment])
  }

  private func read(_ plan: SelectionPlan) -> RowSnapshot {
    environment.store.read(.record(.root, plan, in: VariableScope(operation: [:])))
  }

  @Test(
    "a derived field whose fragment throws is null with an error, and the list's other rows go on",
    arguments: [NameOrThrow.__plan, RequiredName.__plan])
  func throwing(_ fragment: SelectionPlan) throws {
    try write()
    let names = Locked<[String?]>([])
    environment.store.derive("User.title", from: fragment) { row in
      let name = row.json["name"]?.string
      names.withLock { $0.append(name) }
      return .success(RowSlot(.string("Dr. \(name ?? "nobody")")))
    }
    let snapshot = read(plan(fragment))
    #expect(
      snapshot.row?.json
        == ["users": [["id": "1", "title": "Dr. Ann"], ["id": "2", "title": nil]]])
    let error = try #require(snapshot.errors.first { $0.kind == .derived })
    #expect(error.path == ["users", 1, "title"] && error.owner == "Users")
    #expect(error.message.contains("\"User.title\" cannot be read: "))
    #expect((error.underlying as? RelayError)?.path == ["users", 1, "title", "name"])
    #expect(snapshot.failure == nil && names.withLock { $0 } == ["Ann"])
  }

  @Test("a fragment that throws for a missing field leaves the field null with an error")
  func missing() throws {
    try TestStore(environment.store).write(
      SelectionPlan("Query{users [User{id ID!}]}"), ["users": [["id": "1"]]])
    let snapshot = read(plan(NameOrThrow.__plan))
    #expect(snapshot.row?.json == ["users": [["id": "1", "title": nil]]])
    #expect(snapshot.errors.map(\.kind) == [.derived] && snapshot.failure == nil)
    #expect(snapshot.missing == [["users", 0, "title", "name"]])
  }

  @Test("a definition that throws does so for a derived field's fragment")
  func outer() throws {
    try write()
    environment.store.derive("User.title", from: NameOrThrow.__plan) { _ in
      .success(RowSlot(.string("x")))
    }
    let snapshot = read(
      SelectionPlan(
        #"Users~throw Query{users [User{id ID! title String%derived(fragment:"Name")}]}"#,
        inlined: ["Name": NameOrThrow.__plan]))
    #expect(snapshot.row == nil && snapshot.failure?.path == ["users", 1, "title"])
  }

  @Test("a non-null derived field whose fragment throws makes its object null")
  func nonNull() throws {
    try write()
    environment.store.derive("User.title", from: NameOrThrow.__plan) { row in
      .success(RowSlot(.string(row.json["name"]?.string ?? "")))
    }
    let snapshot = read(
      SelectionPlan(
        #"Users Query{users [User{id ID! title String!%derived(fragment:"Name")}]}"#,
        inlined: ["Name": NameOrThrow.__plan]))
    #expect(snapshot.row?.json == ["users": [["id": "1", "title": "Ann"], nil]])
    #expect(snapshot.missing == [["users", 1, "title"]] && snapshot.failure == nil)
  }

  @Test("a null that ends at a derived field says nothing about the other fields of its object")
  func nullInside() throws {
    let test = TestStore(environment.store)
    try test.write(
      SelectionPlan("Query{users [User{id ID! name String age Int}!]}"),
      ["users": [["id": "1", "name": nil, "age": 1]]])
    try test.write(
      SelectionPlan("Query{users [User{id ID! name String}!]}"),
      ["users": [["id": "1", "name": nil], ["id": "2", "name": nil]]])
    let snapshot = read(
      SelectionPlan(
        #"Users Query{users [User{id ID! title String%derived(fragment:"Name") age Int!}!]}"#,
        inlined: ["Name": SelectionPlan("Name User{name String!}")]))
    // The second element is omitted because its age is missing, not because its name is null.
    #expect(snapshot.row?.json == ["users": [["id": "1", "title": nil, "age": 1]]])
  }

  @Test("a derived field whose fragment catches its errors is null; RESULT keeps the errors")
  func catching() throws {
    try write()
    let fragments = [
      (SelectionPlan("Name~null User{name String}"), 0),
      (SelectionPlan("Name~result User{name String}"), 1),
    ]
    for (fragment, errors) in fragments {
      environment.store.derive("User.title", from: fragment) { _ in .success(RowSlot(.string("x")))
      }
      let snapshot = read(plan(fragment))
      #expect(
        snapshot.row?.json == ["users": [["id": "1", "title": "x"], ["id": "2", "title": nil]]])
      #expect(snapshot.errors.count == errors && snapshot.failure == nil)
    }
  }
}

private struct NameOrThrow: GraphQLFragment {
  static let __plan = SelectionPlan("Name~throw User{name String}")
  let __row: Row
}

private struct RequiredName: GraphQLFragment {
  static let __plan = SelectionPlan("Name User{name String~throw}")
  let __row: Row
}
