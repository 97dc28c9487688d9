import RelayStore
import Testing

private let shape = graphql(
  """
  query ShapeQuery($deep: Boolean!) {
    animal {
      name
      ... @include(if: $deep) { friends { name } }
      ...AnimalName_animal @include(if: $deep)
      ... on Dog { barks ...DogBadge_dog }
    }
    things(filter: {kind: UNICORN, limit: 3}) { __typename }
  }
  """)

private let defaults = graphql(
  """
  query DefaultsQuery($filter: Filter = {kind: UNICORN, limit: 3, legacy: "x"}) {
    things(filter: $filter) { __typename }
  }
  """)

private let shared = graphql(
  """
  query SharedQuery($deep: Boolean!) {
    thing {
      ... on Named { name @include(if: $deep) }
      ... on Animal { owner @include(if: $deep) { id name } }
      ... on Dog { name owner { name } barks }
    }
  }
  """)

private let use = graphql(
  """
  query UseQuery($deep: Boolean!, $other: Int) {
    person(id: "p") { ...NestedUse_person }
    animals { owner { pets(first: $other) { name } } }
  }
  fragment NestedUse_person on Person { ...DeepUse_person @arguments(least: 1) }
  fragment DeepUse_person on Person @argumentDefinitions(least: {type: "Int"}) {
    name @include(if: $deep) pets(first: $least) { name }
  }
  """)

@Suite("The shape of generated code", .timeLimit(.minutes(1)))
struct GeneratedShapeTests {
  private typealias Animal = ShapeQuery.Data.Animal_animal

  private func type<Root, Value>(of path: KeyPath<Root, Value>) -> Value.Type { Value.self }

  @Test("a field that a condition may leave out is optional; a certain one is not")
  func conditions() {
    #expect(type(of: \Animal.name) == String.self)
    #expect(type(of: \Animal.friends) == GraphQLList<Animal.Animal_friends>?.self)
    #expect(type(of: \Animal.fragments.animalName_animal) == FragmentRef<AnimalName_animal>?.self)
    #expect(type(of: \Animal.AsDog.barks) == Bool.self)
    #expect(type(of: \Animal.AsDog.name) == String.self)
    #expect(type(of: \Animal.AsDog.fragments.dogBadge_dog) == FragmentRef<DogBadge_dog>.self)
    #expect(
      type(of: \Animal.AsDog.fragments.animalName_animal) == FragmentRef<AnimalName_animal>?.self)
  }

  @Test("an object is initialized from its type condition, with a reference that holds a value")
  func initialized() {
    let badge = DogBadge_dog(id: "1", barks: true)
    let animal = Animal(asDog: .init(name: "Rex", barks: true, dogBadge_dog: .value(badge)))
    #expect(animal.__typename == "Dog" && animal.name == "Rex" && animal.friends == nil)
    #expect(animal.asDog?.fragments.dogBadge_dog == FragmentRef(badge))
    #expect(animal.fragments.animalName_animal == nil)
  }

  @Test(
    "type conditions share a field's value, each as far as it selects it, read or initialized",
    arguments: [false, true])
  func sharedSlots(deep: Bool) throws {
    let id = deep ? #""id": "p","# : ""
    let environment = try environment(
      SharedQuery(deep: deep),
      """
      {"thing": {"__typename": "Dog", "id": "d", "__isNamed": "Dog", "__isAnimal": "Dog", "__isNode": "Dog",
        "name": "Rex", "barks": true, "owner": {\(id) "name": "Ada"}}}
      """)
    let read = try #require(environment.read(SharedQuery(deep: deep)).data?.thing)
    let owner = SharedQuery.Data.Thing_thing.AsDog.Person_owner(id: deep ? "p" : nil, name: "Ada")
    let built = SharedQuery.Data.Thing_thing(
      asDog: .init(name: "Rex", owner: owner, barks: true))
    #expect(read == built && read.hashValue == built.hashValue)
    for thing in [read, built] {
      #expect(thing.asNamed?.name == "Rex")
      #expect(thing.asAnimal != nil)
      // Without `deep` the owner has no id, so this condition's view has no owner.
      #expect(thing.asAnimal?.owner?.id == (deep ? "p" : nil))
      #expect(thing.asAnimal?.owner?.name == (deep ? "Ada" : nil))
    }
  }

  @Test("a reference prints as the fragment's name with its record's id or its data")
  func printing() {
    #expect("\(FragmentRef<DogBadge_dog>(id: "d"))" == "DogBadge_dog(d)")
    #expect(
      "\(FragmentRef(DogBadge_dog(id: "d", barks: true)))"
        == #"DogBadge_dog(id: "d", barks: true, owner: nil)"#)
    #expect("\(PetKind.guineaPig)" == "guineaPig")
    #expect("\(PetKind(rawValue: "NEWT"))" == #"unrecognized("NEWT")"#)
  }

  @Test("references compare by record, fragment and the variables that the fragment uses")
  func equality() {
    let badge = FragmentRef<DogBadge_dog>(id: "d")
    #expect(badge == FragmentRef(id: "d", variables: ["deep": true]))
    #expect(
      badge.hashValue == FragmentRef<DogBadge_dog>(id: "d", variables: ["deep": true]).hashValue)
    #expect(badge != FragmentRef(id: "e"))
    // The fragment uses no variable itself; a fragment that it spreads does.
    let card = FragmentRef<NestedUse_person>(id: "p", variables: ["deep": true, "other": 1])
    #expect(card != FragmentRef(id: "p", variables: ["deep": false]))
    #expect(card == FragmentRef(id: "p", variables: ["deep": true, "other": 2]))
  }

  @Test("objects read with different variables are equal if their fragments do not use these")
  func equalObjects() throws {
    func person(deep: Bool, other: Int) throws -> UseQuery.Data.Person_person {
      let query = UseQuery(deep: deep, other: .some(other))
      let response = """
        {"person": {"id": "p", "name": "Ada", "pets": [], "age": 1}, "animals": []}
        """
      return try #require(environment(query, response).read(query).data?.person)
    }
    #expect(try person(deep: true, other: 1) == person(deep: true, other: 2))
    #expect(try person(deep: true, other: 1) != person(deep: false, other: 1))
    let built = UseQuery.Data.Person_person(
      nestedUse_person: FragmentRef(id: "p", variables: ["deep": true]))
    #expect(try person(deep: true, other: 1) == built)
    #expect(try person(deep: false, other: 1) != built)
  }

  @Test("deprecated enum values and input fields are sent and read like others")
  func deprecated() {
    let unicorn = PetKind(rawValue: "UNICORN")
    #expect(unicorn.rawValue == "UNICORN" && unicorn != .unrecognized("NEWT"))
    #expect("\(unicorn)" == "unicorn" && PetKind.allCases.last == unicorn)
    let filter = Filter(kind: unicorn, limit: 3, legacy: .some("x"))
    #expect(filter.__fields == ["kind": "UNICORN", "limit": 3, "legacy": "x"])
    #expect(DefaultsQuery().filter == .some(filter))
  }

  @available(*, deprecated)
  @Test("a deprecated field of a @oneOf input is sent like the others")
  func deprecatedChoice() {
    #expect(Choice.byID("7").__fields == ["byID": "7"])
    #expect(Choice.byName("Rex").__fields == ["byName": "Rex"])
  }

  @Test("a non-null input field with a default is an optional, omitted if nil")
  func nonNullDefaults() {
    #expect(type(of: \Filter.limit) == Int?.self)
    #expect(Filter(kind: .dog).__fields == ["kind": "DOG"])
    #expect(Filter(kind: .dog, limit: 5).__fields == ["kind": "DOG", "limit": 5])
  }
}
