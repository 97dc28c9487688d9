import RelayStore
import RelayStoreTesting
import Testing

@Suite("Updatable queries and fragments at run time", .timeLimit(.minutes(1)))
struct UpdatableTests {
  /// An environment with the data that the updates change.
  private func fetched() throws -> RelayEnvironment {
    try environment(
      UpdatedQuery(),
      """
      {"person": {"__typename": "Person", "id": "p", "name": "Ann", "age": 7, "pets": [
          {"__typename": "Dog", "id": "d", "name": "Rex", "__isNode": "Dog"},
          {"__typename": "Cat", "name": "Tom"}]},
        "everything": {"kind": "DOG", "list": ["a", null], "moment": "now"},
        "animal": {"__typename": "Dog", "__isNode": "Dog", "id": "d", "name": "Rex", "barks": true,
          "owner": {"id": "p", "name": "Ann"}},
        "thing": {"__typename": "Person", "__isNode": "Person", "__isNamed": "Person", "id": "p", "name": "Ann"},
        "account": {"id": "a", "nick": "x", "owner": {"id": "p", "name": "Ann"},
          "friends": [{"id": "p", "name": "Ann"}, {"id": "q", "name": "Bob"}]}}
      """)
  }

  private let update = UpdateQuery(kind: .none, first: .some(2))

  @Test("scalars of every kind are read and set")
  func scalars() throws {
    let environment = try fetched()
    try environment.commitUpdate { store in
      let data = try store.updatable(update)
      #expect(data.person?.name == "Ann" && data.person?.id == "p")
      data.person?.name = "Eve"
      data.person?.age = nil
      data.person?.draft = "new"
      #expect(data.person?.name == "Eve" && data.person?.age == nil)
      #expect(data.everything?.kind == .dog && data.everything?.list == ["a", nil])
      data.everything?.kind = .cat
      data.everything?.list = ["b"]
      data.everything?.moment = "then"
    }
    let data = try #require(environment.read(UpdatedQuery()).data)
    #expect(data.person?.name == "Eve" && data.person?.age == nil && data.person?.draft == "new")
    #expect(data.everything?.kind == .cat && data.everything?.list == ["b"])
    #expect(data.everything?.moment == "then")
  }

  @Test("an omitted variable has its default")
  func defaults() throws {
    let environment = try fetched()
    try environment.commitUpdate { store in
      for query in [UpdateQuery(kind: .none), UpdateQuery(kind: .none, first: .none)] {
        let person = try store.updatable(query).person
        #expect(person?.pets?.count == 2)
      }
      let other = try store.updatable(UpdateQuery(kind: .none, first: .some(3)))
      #expect(other.person?.pets == nil)
    }
  }

  @Test("objects in lists are updated, and lists of links are replaced")
  func lists() throws {
    let environment = try fetched()
    let person = try #require(environment.read(UpdatedQuery()).data?.person)
    let dog = try #require(person.pets?.first?.fragments.assign_animal)
    try environment.commitUpdate { store in
      let data = try store.updatable(update)
      for pet in data.person?.pets ?? [] { pet?.name = (pet?.name ?? "") + "!" }
      try data.person?.setPets([dog])
    }
    #expect(environment.read(UpdatedQuery()).data?.person?.pets?.map(\.name) == ["Rex!"])
    try environment.commitUpdate { store in
      try store.updatable(update).person?.setPets(nil)
    }
    #expect(environment.read(UpdatedQuery()).data?.person?.pets == nil)
  }

  @Test("links are set to references of any assignable fragment, and to nil")
  func links() throws {
    let environment = try fetched()
    let account = try #require(environment.read(UpdatedQuery()).data?.account)
    let bob = try #require(account.friends.last?.fragments.assign_person)
    let ann = try #require(account.owner?.fragments.other_person)
    try environment.commitUpdate { try $0.updatable(update).account?.setOwner(bob) }
    #expect(environment.read(UpdatedQuery()).data?.account?.owner?.name == "Bob")
    try environment.commitUpdate { try $0.updatable(update).account?.setOwner(ann) }
    #expect(environment.read(UpdatedQuery()).data?.account?.owner?.name == "Ann")
    try environment.commitUpdate { try $0.updatable(update).account?.setOwner(nil) }
    #expect(environment.read(UpdatedQuery()).data?.account?.owner == nil)
    try environment.commitUpdate { store in
      let made = try store.create("z", type: "Person")
      try made.setValue("z", for: "id")
      try made.setValue("Zoe", for: "name")
      try store.updatable(update).account?.setFriends([FragmentRef(id: made.id), bob])
    }
    #expect(
      environment.read(UpdatedQuery()).data?.account?.friends.map(\.name) == ["Zoe", "Bob"])
  }

  @Test("type conditions are views of one record")
  func conditions() throws {
    let environment = try fetched()
    try environment.commitUpdate { store in
      let data = try store.updatable(update)
      #expect(data.animal?.__typename == "Dog")
      data.animal?.asDog?.barks = false
      data.animal?.asDog?.name = "Max"
      #expect(data.thing?.asStone == nil)
      data.thing?.asNamed?.name = "Amy"
    }
    let data = try #require(environment.read(UpdatedQuery()).data)
    #expect(data.animal?.asDog?.barks == false && data.animal?.name == "Max")
    #expect(data.thing?.asNamed?.name == "Amy" && data.person?.name == "Amy")
  }

  @Test("an updatable fragment is read like any other, and updated through its reference")
  func fragment() throws {
    let environment = try fetched()
    let reference = try #require(
      environment.read(UpdatedQuery()).data?.person?.fragments.rename_person)
    #expect(environment.read(reference).data?.name == "Ann")
    try environment.commitUpdate { store in
      let person = try store.updatable(reference)
      #expect(person.__id == "p" && person.age == 7)
      person.name = "Eve"
    }
    #expect(environment.read(reference).data?.name == "Eve")
  }

  @Test("an optimistic update is reverted")
  func optimistic() throws {
    let environment = try fetched()
    let shown = try environment.applyUpdate { try $0.updatable(update).person?.name = "Eve" }
    #expect(environment.read(UpdatedQuery()).data?.person?.name == "Eve")
    shown.revert()
    #expect(environment.read(UpdatedQuery()).data?.person?.name == "Ann")
  }

  @Test("a setter that fails makes the updater throw, and nothing is written")
  func misuse() throws {
    let environment = try fetched()
    let before = environment.store.dump()
    func message(_ body: @escaping @Sendable (RecordSourceProxy) throws -> Void) -> String? {
      do {
        try environment.commitUpdate(body)
        return nil
      } catch { return (error as? RelayError)?.message }
    }
    let update = update
    #expect(
      message {
        let data = try $0.updatable(update)
        data.person?.age = 1
        data.person?.name = nil
        data.person?.age = 2
      } == "Field \"name\" of record \"p\" may not be null.")
    #expect(
      message {
        let person = try $0.updatable(update).person
        try $0.delete("p")
        person?.age = 1
      } == "Record \"p\" cannot be written: it is deleted.")
    #expect(
      message { try $0.updatable(update).account?.setFriends([FragmentRef(id: "nobody")]) }
        == "Field \"friends\" of record \"a\" cannot link to record \"nobody\": it is not in the "
        + "store."
    )
    let initialized = FragmentRef<Assign_person>.value(Assign_person())
    #expect(
      message { try $0.updatable(update).account?.setFriends([initialized]) }
        == "Field \"friends\" of record \"a\" cannot link to a reference that contains its data."
    )
    #expect(
      message { _ = try $0.updatable(FragmentRef<Rename_person>(id: "nobody")) }
        == "Record \"nobody\" cannot be updated: the store does not have it.")
    #expect(environment.store.dump() == before)
  }

  @Test("a value of the wrong type from a dump makes the updater that reads it throw")
  func anotherType() throws {
    let dump = try fetched().store.dump()
    let odd = dump.replacing(#""age":7"#, with: #""age":"seven""#)
    try #require(odd != dump)
    let environment = RelayEnvironment(
      store: try RecordStore(dump: odd), transport: MockTransport())
    let error = #expect(throws: RelayError.self) {
      try environment.commitUpdate { [update] store in
        _ = try store.updatable(update).person?.age
      }
    }
    #expect(error?.message == "Field \"age\" of record \"p\" has a value that is not of type Int.")
  }

  @Test("an object used after its updater has returned writes nothing, and the use is logged")
  func late() throws {
    let events = Locked<[StoreEvent]>([])
    let store = RecordStore(
      configuration: .init(log: { event in events.withLock { $0.append(event) } }))
    let environment = RelayEnvironment(store: store, transport: NoTransport())
    try environment.commitPayload(
      UpdatedQuery(), data: ["person": ["__typename": "Person", "id": "p", "name": "Ann"]])
    nonisolated(unsafe) var kept: UpdateQuery.Data.Person_person?
    try environment.commitUpdate { kept = try $0.updatable(update).person }
    #expect(kept != nil)
    let before = store.dump()
    kept?.name = "Ada"
    #expect(kept?.name == nil)
    #expect(throws: RelayError.self) { try kept?.setPets([]) }
    #expect(store.dump() == before)
    let late = events.withLock { $0.filter { $0 == .usedAfterUpdater(typeName: "Person") } }
    #expect(late.count == 2)
  }

  @Test("an object that the store lacks reads as nil, and nothing is written to it")
  func missing() throws {
    let environment = RelayEnvironment(transport: NoTransport())
    try environment.commitUpdate { store in
      let data = try store.updatable(update)
      #expect(data.person == nil && data.account == nil)
      data.person?.name = "nobody"
    }
    #expect(environment.store.dump() == "{}" || !environment.store.dump().contains("nobody"))
  }
}
