import Foundation
import RelayPersistence
@_spi(GeneratedCode) import RelayStore
import Testing

/// A query for any object; the test chooses its private elements.
private func nodeQuery(_ elements: String) throws -> OperationPlan {
  let text = """
    \(elements) Query{node *Node{__typename String! id ID! note String email String \
    profile Profile{bio String} sessions [[Session{__typename String! id ID!}]]}}
    """
  return OperationPlan(
    name: "NodeQuery",
    reader: SelectionPlan("NodeQuery Query{node *Node{__typename String! id ID!}}"),
    normalization: try #require(SelectionPlan(stored: Array(text.utf8))))
}

extension PersistedStore {
  /// Writes a response with an object.
  fileprivate func receive(_ node: JSONObject, of operation: OperationPlan) throws {
    var object: JSONObject = [
      "__typename": "User", "id": "1", "note": nil, "email": nil, "profile": nil, "sessions": nil,
    ]
    for member in node.members { object[member.key] = member.value }
    try receive(["node": .object(object)] as JSONValue, of: operation)
  }
}

extension MemoryPersistence {
  /// Whether a row contains a string.
  fileprivate func contains(_ text: String) -> Bool {
    state.withLock { state in
      state.rows.values.contains { Data($0).range(of: Data(text.utf8)) != nil }
    }
  }
}

@Suite("Storage: private records", .timeLimit(.minutes(1)))
struct PrivateRecordTests {
  private let memory = MemoryPersistence()

  private func opened() async -> PersistedStore {
    let stored = PersistedStore(memory.persistence)
    await stored.store.loaded()
    return stored
  }

  @Test("a private field of an interface is private in a type that no plan names")
  func interfaces() async throws {
    let stored = await opened()
    let query = try nodeQuery("-*.note")
    try stored.receive(["__typename": "Bot", "note": "secret", "email": "public"], of: query)
    try await stored.close()
    #expect(memory.contains("public") && !memory.contains("secret"))
  }

  @Test("a list of lists of private objects is private")
  func lists() async throws {
    let stored = await opened()
    let sessions: JSONValue = [[["__typename": "Session", "id": "secret"]]]
    try stored.receive(["sessions": sessions, "note": "public"], of: try nodeQuery("-Session"))
    try await stored.close()
    #expect(memory.contains("public") && !memory.contains("secret"))
    let plan = SelectionPlan("User{sessions [[Session{id ID!}]]}")
    let read = await opened().store.read(.record("1", plan, in: .empty))
    #expect(read.details.missing.map { "\($0)" } == ["sessions"])
  }

  @Test("an embedded object whose parent is gone is private if a private field leads to it")
  func orphans() async throws {
    let stored = await opened()
    try stored.receive(["note": "public"], of: try nodeQuery("-User.profile"))
    try stored.environment.commitUpdate { store in
      try store.create("client:gone:profile", type: "Profile").setValue("secret", for: "bio")
    }
    try await stored.close()
    #expect(memory.contains("public") && !memory.contains("secret"))
  }

  @Test("an embedded object becomes private when the object around it changes to a private type")
  func changedType() async throws {
    let stored = await opened()
    let query = try nodeQuery("-Session")
    try stored.receive(["__typename": "User", "profile": ["bio": "public"]], of: query)
    try await stored.store.flush()
    #expect(memory.contains("public"))
    try stored.receive(["__typename": "Session", "profile": ["bio": "secret"]], of: query)
    try await stored.close()
    #expect(!memory.contains("secret"))
  }

  @Test("records that take the place of collected private ones are stored")
  func reusedIndexes() async throws {
    let stored = PersistedStore(
      memory.persistence,
      configuration: .init(releaseBufferSize: 0, garbageCollection: .manual))
    await stored.store.loaded()
    let query = try nodeQuery("-Session")
    for number in 0..<20 {
      let sessions: JSONValue = [[["__typename": "Session", "id": .string("secret \(number)")]]]
      try stored.receive(["sessions": sessions], of: query)
    }
    try await stored.store.flush()
    try stored.receive(["sessions": nil], of: query)
    stored.store.collectGarbage()
    try stored.environment.commitUpdate { store in
      for number in 0..<20 { _ = try store.create(DataID("item \(number)"), type: "Item") }
    }
    try await stored.close()
    let next = await opened()
    let dump = next.store.dump(.base)
    for number in 0..<20 { #expect(dump.contains("item \(number)"), "\(number)") }
  }

  @Test("a record that is made before the storage is loaded is private by what the storage knows")
  func beforeLoading() async throws {
    let first = await opened()
    try first.receive([:], of: try nodeQuery("-Session"))
    try await first.close()
    let gate = GatedPersistence(memory)
    let second = PersistedStore(gate.persistence)
    try second.environment.commitUpdate { store in
      try store.create("secret", type: "Session").setValue("secret", for: "token")
      _ = try store.create("public", type: "Item")
    }
    gate.open()
    await second.store.loaded()
    try await second.close()
    #expect(memory.contains("public") && !memory.contains("secret"))
  }

  @Test("the stamp of a mirrored object says nothing of its private values")
  func stamps() async throws {
    let (directory, query) = (TemporaryDirectory(), try nodeQuery("-Session,User.email"))
    let database = try AppDatabase(directory)
    func digest(_ object: JSONObject) async throws -> Substring? {
      let stored = await opened()
      try stored.receive(object, of: query)
      let table = SQLiteTable("users", of: MirroredUser.self) { SQLiteColumn("note", \.note) }
      let writer = SQLiteWriter(path: database.path, table)
      try database.execute("DROP TABLE IF EXISTS users")
      let mirror = stored.environment.mirror(MirroredUser.self, into: writer)
      try await writer.settled()
      mirror.cancel()
      try await stored.close()
      return try database.rows("SELECT relay_stamp FROM users").first?.first??
        .prefix { $0 != "." && $0 != "/" }
    }
    let session: JSONValue = [[["__typename": "Session", "id": "a"]]]
    let first = try #require(
      try await digest(["note": "a", "email": "secret", "sessions": session]))
    #expect(try await digest(["note": "a", "email": "other", "sessions": session]) == first)
    let other: JSONValue = [[["__typename": "Session", "id": "b"]]]
    #expect(try await digest(["note": "a", "email": "secret", "sessions": other]) == first)
    let changed = try await digest(["note": "b", "email": "secret", "sessions": session])
    #expect(changed != nil && changed != first)
  }

  @Test("a change of a private value alone is written in the same run")
  func privateChange() async throws {
    let directory = TemporaryDirectory()
    let database = try AppDatabase(directory)
    let query = try nodeQuery("-User.email")
    let stored = await opened()
    let table = SQLiteTable("users", of: MirroredUser.self) { SQLiteColumn("email", \.email) }
    let writer = SQLiteWriter(path: database.path, table)
    let mirror = stored.environment.mirror(MirroredUser.self, into: writer)
    try await writer.settled()
    for email in ["a", "b"] {
      try stored.receive(["email": .string(email), "sessions": []], of: query)
      try await writer.flush()
      #expect(try database.rows("SELECT email FROM users") == [[email]])
    }
    mirror.cancel()
  }
}

/// A fragment, in the form that relay-compiler generates.
private struct MirroredUser: GraphQLFragment, Identifiable, Hashable {
  static let __plan = SelectionPlan(
    "User{id ID! note String email String sessions [[Session{id ID!}]]}")
  let __row: Row
  init(__row: Row) { self.__row = __row }
  var id: String { __row[0] }
  var note: String? { __row[1] }
  var email: String? { __row[2] }
}
