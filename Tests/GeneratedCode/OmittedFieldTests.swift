import RelayStore
import RelayStoreTesting
import Testing

@Suite("Fields that optimistic responses leave out", .timeLimit(.minutes(1)))
struct OmittedFieldTests {
  private typealias Person = RenameMutation.RawResponse.RenamePayload_rename.Person_person

  private let server = MockTransport()
  private let environment: RelayEnvironment
  private let events = Locked<[StoreEvent]>([])
  private let person = FragmentRef<NameOnly_person>(id: "1")

  init() {
    environment = RelayEnvironment(
      store: RecordStore(
        configuration: .init(
          garbageCollection: .manual,
          log: { [events] event in events.withLock { $0.append(event) } }
        )),
      transport: server)
  }

  /// The problems logged since the last call.
  private func problems() -> [StoreEvent] {
    events.withLock { events in
      defer { events = [] }
      return events.filter(\.isProblem)
    }
  }

  /// Commits a mutation with an optimistic response, and runs `body` before the mutation fails.
  private func showing(
    _ person: Person, _ body: () throws -> Void = {}
  ) async throws {
    let task = Task { [environment] in
      try await environment.commit(
        RenameMutation(id: "1", name: "Ann"),
        optimisticResponse: .init(rename: .init(ok: true, person: person)))
    }
    let request = try await server.next()
    try body()
    request.reject(RelayError(.transport, "lost"))
    _ = try? await task.value
  }

  /// Writes a person with every field that ``NameOnly_person`` reads, and a dog without a name.
  private func fill() throws {
    try environment.commitUpdate { store in
      try store.create("d", type: "Dog").setValue("d", for: "id")
      let person = try store.create("1", type: "Person")
      try person.setValue("1", for: "id")
      try person.setValue(36, for: "age")
      try person.setLinkedRecords([], for: "pets")
    }
  }

  private let problem = StoreEvent.incompleteOptimisticResponse(
    operation: "Rename", fields: ["Person.age", "Person.pets"])

  @Test("an optimistic response is one problem, however many observers lack its fields")
  func oneProblem() async throws {
    let card = FragmentRef<PersonCard_person>(
      id: "1", variables: ["deep": true, "withOwner": true])
    let observations = [
      environment.observe(person) { _ in }, environment.observe(person) { _ in },
    ]
    let other = environment.observe(card) { _ in }
    try await showing(.init(id: "1", name: "Ann"))
    #expect(problems() == [problem])
    #expect(
      problem.description
        == "the optimistic response of Rename left out fields that are observed: "
        + "Person.age, Person.pets")
    try await showing(.init(id: "1", name: "Ann"))
    #expect(problems() == [problem], "Each commit is reported.")
    withExtendedLifetime((observations, other)) {}
  }

  @Test("an observer that starts while a new object is shown counts, the next one does not")
  func laterObserver() async throws {
    try await showing(.init(id: "1", name: "Ann")) {
      #expect(problems().isEmpty)
      let first = environment.observe(person) { _ in }
      #expect(problems() == [problem])
      let second = environment.observe(person) { _ in }
      #expect(problems().isEmpty)
      withExtendedLifetime((first, second)) {}
    }
    #expect(problems().isEmpty)
  }

  @Test("an existing object that an optimistic response adds to a list needs its fields too")
  func added() async throws {
    try fill()
    let observation = environment.observe(person) { _ in }
    try await showing(
      .init(id: "1", name: "Ann", pets: .some([.node(.dog, id: "d"), .other(.cat, name: "Tom")])))
    #expect(
      problems() == [
        .incompleteOptimisticResponse(operation: "Rename", fields: ["Dog.name"])
      ])
    withExtendedLifetime(observation) {}
  }

  @Test("what is complete, was missing before, or is not observed is no problem")
  func noProblem() async throws {
    let other = environment.observe(FragmentRef<NameOnly_person>(id: "2")) { _ in }
    try await showing(.init(id: "1", name: "Ann"))
    #expect(problems().isEmpty, "Nobody observes the person.")
    let observation = environment.observe(person) { _ in }
    try await showing(.complete(id: "1", age: nil, name: "Ann", pets: [])) {
      let read = environment.read(person)
      #expect(read.missing.isEmpty && read.data?.age == nil && read.data?.pets?.isEmpty == true)
    }
    #expect(problems().isEmpty, "It is complete.")
    try fill()
    try environment.commitUpdate { try $0["1"]?.removeValue("age") }
    _ = problems()
    // Unlike the first observer, it has no complete row to show instead.
    let last = environment.observe(person) { _ in }
    try await showing(.init(id: "1", name: "Ann", pets: .some([.other(.cat, name: "Tom")])))
    #expect(problems().isEmpty, "The age was missing before.")
    withExtendedLifetime((other, observation, last)) {}
  }

  @Test("what only an update without a response left out is not its mutation's problem")
  func updater() async throws {
    let update = try environment.applyUpdate { store in
      try store.create("1", type: "Person").setValue("1", for: "id")
    }
    try await showing(.init(id: "1", name: "Ann")) {
      let observation = environment.observe(person) { _ in }
      #expect(problems().isEmpty)
      withExtendedLifetime(observation) {}
    }
    update.revert()
  }
}
