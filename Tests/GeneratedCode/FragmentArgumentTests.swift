import RelayStore
import Testing

@Suite("Fragment arguments at run time", .timeLimit(.minutes(1)))
struct FragmentArgumentTests {
  private let response = """
    {"person": {"id": "p", "few": "Ann", "pets": [{"__typename": "Dog", "id": "1", "name": "Rex"}]},
     "node": {"__typename": "Person", "id": "p", "page": [{"__typename": "Cat", "name": "Tom"}],
       "counted": [{"__typename": "Dog", "id": "1"}, {"__typename": "Dog", "id": "2"}],
       "kinds": [{"__typename": "Cat", "name": "Kit"}]}}
    """

  @Test("a fragment reads with the arguments that its spread passes")
  func passed() throws {
    let query = PetsQuery(first: .some(7), kind: .some(.cat))
    let environment = try environment(query, response)
    let data = try #require(environment.read(query).data)
    let list = try #require(data.person?.fragments.petList_person)
    // The fragment's own `kind`, not set by the spread, shadows the operation's variable.
    #expect(environment.read(list).data?.pets?.map(\.name) == ["Rex"])
    let person = try #require(data.node?.asPerson)
    let page = try #require(environment.read(person.fragments.petPage_person).data)
    #expect(page.page?.map(\.name) == ["Tom"])
    #expect(environment.read(page.fragments.petCount_person).data?.counted?.count == 2)
    #expect(environment.read(person.fragments.petKinds_person).data?.kinds?.first?.name == "Kit")
  }

  @Test("an absent variable passed as an argument is absent; the default does not apply")
  func absent() throws {
    let query = PetsQuery()
    let environment = try environment(query, response)
    let person = try #require(environment.read(query).data?.node?.asPerson)
    let page = environment.read(person.fragments.petPage_person)
    #expect(page.data?.page?.map(\.name) == ["Tom"] && page.missing.isEmpty)
    #expect(environment.store.dump().contains(#"pets(kind:\"CAT\")"#))
  }

  @Test("a reference created from an id has the defaults and the variables given")
  func initialized() throws {
    let query = PetsQuery(first: .some(5))
    let environment = try environment(query, response)
    let byDefault = environment.read(FragmentRef<PetPage_person>(id: "p"))
    #expect(byDefault.data?.page?.map(\.name) == ["Tom"])
    let other = environment.read(FragmentRef<PetPage_person>(id: "p", variables: ["first": 6]))
    #expect(other.data?.page == nil && !other.missing.isEmpty)
    let one = FragmentRef<PetList_person>(id: "p", variables: ["first": 1])
    #expect(environment.read(one).data?.pets?.count == 1)
    #expect(environment.read(FragmentRef<PetList_person>(id: "p")).data?.pets == nil)
  }
}
