import RelayStore
import Testing

@Suite("Provided variables at run time", .timeLimit(.minutes(1)))
struct ProvidedTests {
  private let response = """
    {"person": {"id": "p", "name": "Ann", "pets": [{"__typename": "Dog", "id": "d", "name": "Rex", "__isNode": "Dog"}]}}
    """

  @Test("an operation sends the values that its fragments' providers return")
  func variables() {
    let text = ProvidedQuery.__operation.text
    #expect(
      text.hasPrefix(
        "query ProvidedQuery($__relay_internal__pv__PageSize:Int!,"
          + "$__relay_internal__pv__Flags_Kind:PetKind)"))
    #expect(
      ProvidedQuery().__variables == [
        "__relay_internal__pv__PageSize": 2, "__relay_internal__pv__Flags_Kind": PetKind.dog,
      ])
  }

  @Test("a fragment two references below the operation reads with the provided values")
  func nested() throws {
    let environment = try environment(ProvidedQuery(), response)
    #expect(environment.store.dump().contains(#"pets(first:2,kind:\"DOG\")"#))
    let person = try #require(environment.read(ProvidedQuery()).data?.person)
    let outer = try #require(environment.read(person.fragments.outer_person).data)
    let inner = environment.read(outer.fragments.inner_person)
    #expect(inner.data?.pets?.map(\.name) == ["Rex"] && inner.missing.isEmpty)
  }

  @Test("a reference created from an id has the provided values too")
  func initialized() throws {
    let environment = try environment(ProvidedQuery(), response)
    let outer = environment.read(FragmentRef<Outer_person>(id: "p"))
    let reference = try #require(outer.data?.fragments.inner_person)
    #expect(environment.read(reference).data?.pets?.count == 1)
    #expect(environment.read(FragmentRef<Inner_person>(id: "p")).data?.pets?.count == 1)
  }
}
