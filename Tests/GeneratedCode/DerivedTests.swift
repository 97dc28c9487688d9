import RelayStore
import RelayStoreTesting
import Testing

@Suite("Derived fields", .timeLimit(.minutes(1)))
struct DerivedTests {
  private let environment = RelayEnvironment(
    store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: MockTransport()
  )
  private let calls = Recorded()

  private func deriveTitle() {
    environment.derive("Person.title") { [calls] (person: Title_person) in
      calls.add(person.name)
      return "\(person.draft ?? "") \(person.name)"
    }
  }

  private func write(_ name: String) throws {
    try environment.commitPayload(
      TitleQuery(id: "1"), data: ["person": ["id": "1", "name": .string(name)]])
  }

  @Test("a query fetches a derived field's fragment in place of the field")
  func asked() {
    let text = TitleQuery.__operation.text
    #expect(text.contains("fragment Title_person on Person{name}"))
    #expect(!text.contains("title") && !text.contains("draft"))
    // The fragment for `petNames` selects `title`, another derived field.
    #expect(PetNamesQuery.__operation.text.contains("...Title_person"))
  }

  @Test("a derived field has the value that its function computes from the fragment")
  func value() throws {
    deriveTitle()
    try write("Ann")
    try environment.commitUpdate { try $0["1"]?.setValue("Dr.", for: "draft") }
    let snapshot = environment.read(TitleQuery(id: "1"))
    #expect(snapshot.data?.person?.title == "Dr. Ann")
    #expect(snapshot.missing.isEmpty && snapshot.errors.isEmpty)
  }

  @Test("a derived field is memoized until a field that it read changes, which notifies observers")
  func memo() async throws {
    deriveTitle()
    try write("Ann")
    try environment.commitUpdate { try $0["1"]?.setValue(JSONValue.null, for: "draft") }
    var titles = environment.snapshots(of: TitleQuery(id: "1")).makeAsyncIterator()
    #expect(await titles.next()?.data?.person?.title == " Ann")
    let badge = FragmentRef<Badge_person>(id: "1")
    #expect(environment.read(badge).data?.title == " Ann")
    try environment.commitUpdate { try $0["1"]?.setValue(3, for: "age") }
    #expect(environment.read(TitleQuery(id: "1")).data?.person?.title == " Ann")
    #expect(calls.all == ["Ann"])
    let update = try environment.applyUpdate { try $0["1"]?.setValue("Eve", for: "name") }
    #expect(await titles.next()?.data?.person?.title == " Eve")
    update.revert()
    #expect(await titles.next()?.data?.person?.title == " Ann")
    #expect(calls.all == ["Ann", "Eve", "Ann"])
    environment.reset()
    #expect(environment.read(badge).data?.title == nil)
  }

  @Test("a derived field may read another one and the records that its fragment links to")
  func list() throws {
    deriveTitle()
    environment.derive("Person.petNames") { (person: PetNames_person) in
      person.pets.map { pets in
        GraphQLList(pets.compactMap { $0.asNamed?.name } + [person.title ?? "nobody"])
      }
    }
    let query = PetNamesQuery(id: "1")
    try environment.commitPayload(
      query,
      data: [
        "person": [
          "id": "1", "name": "Ann",
          "pets": [["__typename": "Cat", "__isNamed": "Cat", "name": "Tom"]],
        ]
      ])
    try environment.commitUpdate { try $0["1"]?.setValue("Dr.", for: "draft") }
    let snapshot = environment.read(query)
    #expect(snapshot.data?.person?.petNames == ["Tom", "Dr. Ann"])
    #expect(snapshot.seenRecords.count == 3)
    let observation = environment.readAndObserve(query) { _ in }.observation
    environment.store.collectGarbage()
    #expect(environment.read(query).data?.person?.petNames?.first == "Tom")
    withExtendedLifetime(observation) {}
  }

  @Test("a derived field is an error if its function is absent, throws or has another type")
  func errors() throws {
    try write("Ann")
    try environment.commitUpdate { try $0["1"]?.setValue("Dr.", for: "draft") }
    let query = TitleQuery(id: "1")
    let absent = environment.read(query)
    #expect(absent.data?.person?.id == "1" && absent.data?.person?.title == nil)
    #expect(
      absent.errors.map(\.kind) == [.derived] && absent.errors.first?.path == ["person", "title"])
    #expect(absent.errors.first?.message.contains("\"Person.title\" has no function") == true)
    environment.derive("Person.title") { (_: Title_person) -> String in
      throw RelayError(.update, "no")
    }
    #expect(environment.read(query).errors.first?.message.contains("failed: no") == true)
    environment.derive("Person.title") { (_: Title_person) in 7 }
    #expect(environment.read(query).errors.first?.message.contains("returned no String") == true)
    environment.derive("Person.title") { (_: Badge_person) in "x" }
    #expect(environment.read(query).errors.first?.message.contains("a different fragment") == true)
    #expect(environment.read(query).data?.person?.title == nil)
  }

  @Test(
    "an unwritten client field reads as null; a null for a non-null derived field nulls its parent")
  func missing() throws {
    deriveTitle()
    try write("Ann")
    // A client field reads as null until it is written.
    let snapshot = environment.read(TitleQuery(id: "1"))
    #expect(snapshot.data?.person?.title != nil && snapshot.missing.isEmpty)
    try environment.commitPayload(
      ScoreQuery(id: "1"), data: ["person": ["id": "1", "age": nil]])
    environment.derive("Person.score") { (person: Score_person) in person.age }
    let none = environment.read(ScoreQuery(id: "1"))
    #expect(none.data?.person == nil && !none.missing.isEmpty)
    try environment.commitUpdate { try $0["1"]?.setValue(4, for: "age") }
    #expect(environment.read(ScoreQuery(id: "1")).data?.person?.score == 4)
  }

  @Test("missing-field handlers give client fields defaults, which are observed like other values")
  func defaults() async throws {
    let environment = RelayEnvironment(
      store: RecordStore(
        configuration: .init(
          missingFieldHandlers: [
            .scalar { field in
              field.parentTypeName == "Person" && field.name == "draft" ? .some("none") : .none
            }
          ])), transport: MockTransport())
    environment.derive("Person.title") { (person: Title_person) in person.draft }
    try environment.commitPayload(
      TitleQuery(id: "1"), data: ["person": ["id": "1", "name": "Ann"]])
    let name = FragmentRef<DraftName_person>(id: "1")
    var names = environment.observe(name).makeAsyncIterator()
    var titles = environment.observe(FragmentRef<Badge_person>(id: "1")).makeAsyncIterator()
    let first = await names.next()
    #expect(first?.data?.draft == "none" && first?.missing.isEmpty == true)
    #expect(await titles.next()?.data?.title == "none")
    try environment.commitUpdate { try $0["1"]?.setValue("Hi", for: "draft") }
    #expect(await names.next()?.data?.draft == "Hi")
    #expect(await titles.next()?.data?.title == "Hi")
  }
}
