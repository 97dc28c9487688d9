import RelayPersistence
import RelayStore
import Testing

/// An object's membership in an abstract type. The server's last discriminator decides it, then the
/// compiled schema; otherwise it is unknown.
@Suite("Membership in abstract types", .timeLimit(.minutes(1)))
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

  /// Commits a response that says whether `type` implements `Named`.
  private func say(_ type: String, isNamed: Bool) throws {
    let object: JSONValue =
      isNamed
      ? ["__typename": .string(type), "__isNamed": .string(type), "id": "other", "name": "Other"]
      : ["__typename": .string(type), "id": "other"]
    try environment.commitPayload(RuleQuery(), data: ["thing": object])
    try environment.commitUpdate { store in
      try store.root.setLinkedRecord(try store["1"], for: "thing")
    }
  }

  private var isAvailable: Bool {
    if case .available = environment.check(RuleQuery()) { true } else { false }
  }

  @Test(
    "a type that the compiled schema lists is a member, whatever conditions the module has",
    arguments: ["Dog", "Person"])
  func compiledYes(_ type: String) throws {
    try create(type)
    #expect(environment.read(reference).data?.name == "One")
    #expect(environment.read(RuleQuery()).data?.thing?.asNamed?.name == "One" && isAvailable)
    try environment.commitUpdate { try $0["1"]?.removeValue("name") }
    #expect(environment.read(reference).isMissingData && !isAvailable)
  }

  @Test(
    "a type that the schema has but does not list is no member",
    arguments: ["Stone", "Country", "Everything", "Account"])
  func compiledNo(_ type: String) throws {
    try create(type)
    let snapshot = environment.read(reference)
    #expect(snapshot.data == nil && snapshot.missing.isEmpty)
    let thing = environment.read(RuleQuery())
    #expect(thing.data?.thing != nil && thing.data?.thing?.asNamed == nil && thing.missing.isEmpty)
    #expect(isAvailable)
  }

  @Test("the discriminators in a response override the compiled schema in both directions")
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

  @Test("for an unknown type a reference is read, and a type condition has missing data")
  func unknown() throws {
    try create("Robot")
    #expect(environment.read(reference).data?.name == "One")
    let thing = environment.read(RuleQuery())
    #expect(thing.data?.thing?.asNamed == nil && thing.missing.map(\.description) == ["thing"])
    #expect(environment.check(RuleQuery()).isMissing)
    try say("Robot", isNamed: true)
    #expect(environment.read(RuleQuery()).data?.thing?.asNamed?.name == "One" && isAvailable)
  }

  @Test("a mirror has the records that are members of the type, and those that may be")
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
