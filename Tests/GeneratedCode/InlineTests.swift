import RelayStore
import Testing

@Suite("Inline, unmasked and aliased fragments at run time", .timeLimit(.minutes(1)))
struct InlineTests {
  private let response = """
    {"animal": {"__typename": "Dog", "id": "d", "name": "Rex", "barks": true, "__isNode": "Dog",
       "owner": {"id": "p", "name": "Ann", "age": 7}},
     "person": {"id": "p", "name": "Ann", "age": 7,
       "some": [{"__typename": "Cat", "name": "Tom"}], "few": [{"__typename": "Cat", "name": "Kit"}]}}
    """

  @Test("an inline fragment is read as its struct, together with the row")
  func inline() throws {
    let query = InlineQuery(withBadge: true, first: .some(3))
    let environment = try environment(query, response)
    let data = try #require(environment.read(query).data)
    let named: Named_animal? = data.animal?.fragments.named_animal
    #expect(named?.name == "Rex" && named?.asDog?.barks == true)
    #expect(named?.asDog?.fragments.badge_dog.id == "d")
    let badge = try #require(data.animal?.doggo?.fragments.badge)
    #expect(badge.owner?.name == "Ann")
    let card = try #require(badge.owner?.fragments.card_person)
    #expect(environment.read(card).data?.age == 7)
    #expect(data.person?.fragments.pets_person.few?.map(\.name) == ["Kit"])
    let without = InlineQuery(withBadge: false, first: .some(3))
    let other = try #require(try RelayEnvironment.reading(without, response).animal?.doggo)
    #expect(other.fragments.badge == nil)
  }

  @Test("a field missing in an inline fragment is missing in the row around it")
  func missing() throws {
    let query = InlineQuery(withBadge: true, first: .some(3))
    let environment = try environment(query, response)
    let snapshot = environment.read(InlineQuery(withBadge: true, first: .some(4)))
    #expect(snapshot.missing.map(\.description) == ["person.few"])
    #expect(environment.read(query).missing.isEmpty)
  }

  @Test("the fields of an unmasked fragment are the object's own, and @alias renames a spread")
  func unmasked() throws {
    let query = InlineQuery(withBadge: true, first: .some(3))
    let environment = try environment(query, response)
    let person = try #require(environment.read(query).data?.person)
    #expect(person.name == "Ann" && person.some?.map(\.name) == ["Tom"])
    #expect(environment.read(person.fragments.first).data?.age == 7)
    #expect(environment.read(person.fragments.second).data?.age == 7)
  }

  @Test("rows with inline fragments are initialized and compared")
  func initialized() throws {
    let dog = InlineQuery.Data.Animal_animal(
      doggo: .init(
        named_animal: Named_animal(
          asDog: .init(name: "Rex", barks: true, badge_dog: Badge_dog(id: "d"))),
        badge: nil))
    #expect(dog.fragments.named_animal.asDog?.fragments.badge_dog == Badge_dog(id: "d"))
    #expect(dog.doggo?.fragments.badge == nil)
    #expect(dog == dog)
  }

  @Test("a query with @raw_response_type has a raw response")
  func rawResponse() throws {
    let raw = InlineQuery.RawResponse(person: .init(id: "p", age: .some(7), name: "Ann", some: []))
    #expect(raw == raw)
  }
}

extension RelayEnvironment {
  fileprivate static func reading<Query: GraphQLQuery>(
    _ query: Query, _ response: String
  ) throws -> Query.Data {
    try #require(try environment(query, response).read(query).data)
  }
}
