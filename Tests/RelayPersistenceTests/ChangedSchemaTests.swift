import RelayStore
import Testing

@Suite("Storage: a schema that has changed", .timeLimit(.minutes(1)))
struct ChangedSchemaTests {
  private static let fields: [(name: String, value: JSONValue)] = [
    ("int", 5), ("large", 12_345_678_901), ("float", 1.5), ("bool", true), ("text", "five"),
    ("numerals", "5"), ("ints", [1, 2]), ("texts", ["a", "b"]), ("json", ["a": 1]),
  ]

  /// The fields that each type can be read from.
  private static let readable: [String: Set<String>] = [
    "Int": ["int", "large"], "Float": ["int", "large", "float"], "Boolean": ["bool"],
    "String": ["text", "numerals"], "[Int]": ["ints"], "[String]": ["texts"], "[[Int]]": [],
    "Int!": ["int", "large"], "String!": ["text", "numerals"], "Name{first String}": [],
    "Name{first String}!": [], "[Name{first String}]": [],
  ]

  @Test("a field whose type has changed is missing in the next run")
  func changed() async throws {
    let memory = MemoryPersistence()
    do {
      let stored = PersistedStore(memory.persistence)
      await stored.store.loaded()
      try stored.environment.commitUpdate { store in
        let user = try store.create("1", type: "User")
        for (name, value) in Self.fields { try user.setValue(value, for: name) }
        try user.setLinkedRecord(try store.create("2", type: "User"), for: "friend")
        try user.setLinkedRecords([try store.create("3", type: "User")], for: "friends")
      }
      try await stored.close()
    }
    let stored = PersistedStore(memory.persistence)
    await stored.store.loaded()
    for (type, readable) in Self.readable {
      for field in Self.fields.map(\.name) + ["friend", "friends"] {
        let text = "User{\(field) \(type)}"
        let plan = try #require(SelectionPlan(stored: Array(text.utf8)), "\(text)")
        let row = stored.store.read(.record("1", plan, in: .empty))
        #expect(row.details.missing.isEmpty == readable.contains(field), "\(text)")
        let value = Self.fields.first { $0.name == field }?.value
        if readable.contains(field) { #expect(row.row?.json[field] == value, "\(text)") }
      }
    }
  }
}
