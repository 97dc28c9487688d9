import RelayStore
import Testing

@Suite(.timeLimit(.minutes(1))) struct MissingFieldHandlerTests {
  private let plan = TestSelection(
    """
    query Users($id: ID, $ids: [ID!]) {
      user(id: $id) { id name }
      users(ids: $ids) { id name }
      version
    }
    """)

  private func store() throws -> TestStore {
    let test = TestStore(
      .init(
        garbageCollection: .manual,
        missingFieldHandlers: [
          .linked { _ in .none },
          .linked { field in
            guard field.name == "user", field.parentID == .root else { return .none }
            return field.arguments["id"]?.string.map { .some(DataID($0)) } ?? .null
          },
          .pluralLinked { field in
            .some((field.arguments["ids"]?.array ?? []).compactMap(\.string).map { DataID($0) })
          },
          .scalar { field in field.name == "version" ? .some(7) : .none },
        ]))
    try test.write(
      TestSelection("{ all: users { id name } }"),
      ["all": [["id": "1", "name": "Ada"], ["id": "2", "name": "Bob"]]])
    return test
  }

  @Test("reads include the values of handlers: scalars, links, lists of links and nulls")
  func reading() throws {
    let test = try store()
    let ada: JSONValue = ["id": "1", "name": "Ada"]
    let bob: JSONValue = ["id": "2", "name": "Bob"]
    #expect(
      test.json(plan, variables: ["id": "1", "ids": ["2", "1"]])
        == ["user": ada, "users": [bob, ada], "version": 7])
    #expect(
      test.json(plan, variables: ["ids": ["1"]])
        == ["user": nil, "users": [ada], "version": 7])
  }

  @Test("a lookup supplies its fields of the query, and no others")
  func lookup() throws {
    let test = TestStore(
      .init(garbageCollection: .manual, missingFieldHandlers: [.lookup("user")]))
    try test.write(
      TestSelection("{ all: users { id name } }"), ["all": [["id": "1", "name": "Ada"]]])
    let fields = TestSelection(
      "query Q($id: ID!) { user(id: $id) { name } item(id: $id) { id } }")
    let snapshot = test.read(fields, variables: ["id": "1"])
    #expect(snapshot.missing.map(\.description) == ["item"])
  }

  @Test("a handler's link to a record that the store does not have is missing")
  func unknown() throws {
    let test = try store()
    let snapshot = test.read(plan, variables: ["id": "9", "ids": ["1", "9"]])
    #expect(snapshot.missing.map(\.description) == ["user", "users"])
  }

  @Test("the availability check writes the values of handlers without notifying observers")
  func checking() throws {
    let test = try store()
    let variables: JSONObject = ["id": "1", "ids": ["2"]]
    let written = plan.normalization
    let operation = WrittenOperation(
      RequestIdentity(documentHash: written.documentHash, variables: variables),
      test.store.bind(written, variables: variables),
      root: .root)
    let calls = Locked(0)
    let scope = VariableScope(operation: variables)
    let observation = test.store.readAndObserve(.record(.root, plan.reader, in: scope)) { _ in
      calls.withLock { $0 += 1 }
    }.observation
    #expect(test.store.check(operation) == .available(fetchedAt: nil))
    let dump = try JSONValue(parsing: Array(test.store.dump(.base).utf8))
    #expect(dump["client:root"]?[#"user(id:"1")"#] == ["__ref": "1"])
    #expect(dump["client:root"]?[#"users(ids:["2"])"#] == ["__refs": ["2"]])
    #expect(dump["client:root"]?["version"] == 7)
    #expect(calls.withLock { $0 } == 0)
    let unknown: JSONObject = ["id": "9", "ids": []]
    #expect(
      test.store.check(
        WrittenOperation(
          RequestIdentity(documentHash: written.documentHash, variables: unknown),
          test.store.bind(written, variables: unknown),
          root: .root)
      ).isMissing)
    withExtendedLifetime(observation) {}
  }
}
