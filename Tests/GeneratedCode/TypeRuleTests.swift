import RelayStore
import Testing

/// Whether an object is of an abstract type: what the server said last, else the compiled schema, else unknown.
@Suite("The rule for abstract types", .timeLimit(.minutes(10)))
struct TypeRuleTests {
  private let environment = RelayEnvironment(
    store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: NoTransport())

  private let reference = FragmentRef<Rule_named>(id: "1")

  private func create(_ type: String) throws {
    try environment.commitUpdate { store in
      let record = try store.create("1", type: type)
      try record.setValue("1", for: "id")
      try record.setValue("One", for: "name")
      try store.root.setLinkedRecord(record, for: "thing")
    }
  }

  /// Has the server say whether a type is named.
  private func say(_ type: String, isNamed: Bool) throws {
    let object: JSONValue =
      isNamed
      ? ["__typename": .string(type), "__isNamed": .string(type), "id": "other", "name": "Other"]
      : ["__typename": .string(type), "id": "other"]
    try environment.commitPayload(RuleQuery(), json: ["thing": object])
    try environment.commitUpdate { store in
      try store.root.setLinkedRecord(try store["1"], for: "thing")
    }
  }

  private var isAvailable: Bool {
    if case .available = environment.check(RuleQuery()) { true } else { false }
  }

  @Test("by the compiled schema, whatever conditions the module has", arguments: ["Dog", "Person"])
  func compiledYes(_ type: String) throws {
    try create(type)
    #expect(environment.read(reference).data?.name == "One")
    #expect(environment.read(RuleQuery()).data?.thing?.asNamed?.name == "One" && isAvailable)
    try environment.commitUpdate { try $0["1"]?.removeValue("name") }
    #expect(environment.read(reference).isMissingData && !isAvailable)
  }

  @Test(
    "a type that the schema has and does not list is a no",
    arguments: ["Stone", "Country", "Everything", "Account"])
  func compiledNo(_ type: String) throws {
    try create(type)
    let snapshot = environment.read(reference)
    #expect(snapshot.data == nil && snapshot.missing.isEmpty)
    let thing = environment.read(RuleQuery())
    #expect(thing.data?.thing != nil && thing.data?.thing?.asNamed == nil && thing.missing.isEmpty)
    #expect(isAvailable)
  }

  @Test("what the server said comes first, both ways, and is delivered")
  func server() throws {
    try create("Dog")
    #expect(environment.read(reference).data != nil)
    try say("Dog", isNamed: false)
    #expect(environment.read(reference).data == nil && environment.read(reference).missing.isEmpty)
    #expect(environment.read(RuleQuery()).data?.thing?.asNamed == nil && isAvailable)
    try say("Dog", isNamed: true)
    #expect(environment.read(reference).data?.name == "One")
    try environment.commitUpdate { try $0.delete("1") }
    try environment.commitUpdate { store in
      try store.create("1", type: "Stone").setValue("Flint", for: "name")
    }
    try say("Stone", isNamed: true)
    #expect(environment.read(reference).data?.name == "Flint")
    #expect(environment.read(RuleQuery()).data?.thing?.asNamed?.name == "Flint" && isAvailable)
  }

  @Test("a type that nobody knows is not a no: a reference is read, a condition is missing")
  func unknown() throws {
    try create("Robot")
    #expect(environment.read(reference).data?.name == "One")
    let thing = environment.read(RuleQuery())
    #expect(thing.data?.thing?.asNamed == nil && thing.missing.map(\.description) == ["thing"])
    #expect(environment.check(RuleQuery()) == .missing)
    try say("Robot", isNamed: true)
    #expect(environment.read(RuleQuery()).data?.thing?.asNamed?.name == "One" && isAvailable)
  }

  @Test("a replica has the records that are known to be of the type, and those that may be")
  func replicas() throws {
    for (id, type) in [("d", "Dog"), ("s", "Stone"), ("r", "Robot"), ("e", "Everything")] {
      try environment.commitUpdate { store in
        try store.create(DataID(id), type: type).setValue(.string(id), for: "name")
      }
    }
    try environment.commitUpdate { _ = try $0.create("empty", type: "Android") }
    let names = Recorded()
    let mirror = environment.mirror(Rule_named.self, into: NameWriter(names: names))
    #expect(Set(names.all) == ["d", "r"])
    withExtendedLifetime(mirror) {}
  }
}

private struct NameWriter: FragmentWriter {
  let names: Recorded

  func write(_ changes: FragmentChanges<Rule_named>) {
    for value in changes.updated { names.add(value.name) }
  }
}
