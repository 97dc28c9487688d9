import Foundation
import RelayStore
import Testing

/// A transport that fails every request: these tests commit payloads themselves.
struct NoTransport: Transport {
  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    throw CancellationError()
  }
}

/// A transport that calls `look` while the request is in flight, and then fails it.
private struct Probe: Transport {
  let look: @Sendable () -> Void

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    look()
    throw CancellationError()
  }
}

/// The data that `query` reads once `response` is committed.
private func data<Query: GraphQLQuery>(_ query: Query, _ response: String) throws -> Query.Data? {
  try environment(query, response).read(query).data
}

func environment<Query: GraphQLQuery>(
  _ query: Query, _ response: String
) throws -> RelayEnvironment {
  let environment = RelayEnvironment(transport: NoTransport())
  try environment.commitPayload(query, data: JSONValue(parsing: Array(response.utf8)))
  return environment
}

@Suite("Generated code at run time", .timeLimit(.minutes(1)))
struct GeneratedCodeTests {
  @Test("leaf fields of every kind, and with every awkward name, are read back")
  func everything() throws {
    let response = """
      {"everything": {"string": null, "int": 1, "float": 2, "boolean": true, "id": 5, "moment": "now", "uuid": "u",
        "kind": "GUINEA_PIG", "error": "WHISPERED", "task": "OPEN", "list": ["a", null], "matrix": [[1], []],
        "holes": [null, ["x", null]], "kinds": ["none", "self", "Type", "default"], "self": "me", "init": 3,
        "default": false, "description": "d", "hashValue": 4, "hash": 6, "fragments": "f", "Row": "r", "Type": "t",
        "_row": "_", "in": {"in": {"in": {"int": 9}}}, "asDog": "dog", "customMirror": 8, "old": "o",
        "__row": null, "String": 1, "class": true, "hostile": "h"}}
      """
    let value = try #require(try data(EverythingQuery(), response)?.everything)
    #expect(value.string == nil)
    #expect(value.int == 1 && value.float == 2 && value.boolean)
    #expect(value.id == "5")
    #expect(value.moment == "now" && value.uuid == "u")
    #expect(value.kind == .guineaPig)
    #expect(value.error == .unrecognized("WHISPERED"))
    #expect(value.task == .open)
    #expect(value.list == ["a", nil])
    #expect(value.matrix == [[1], []])
    #expect(value.holes == [nil, ["x", nil]])
    #expect(value.kinds == [.none_, .self_, .type, .default])
    #expect(value.self_ == "me" && value.init_ == 3 && !value.default)
    #expect(value.description == "d" && value.hashValue == 4 && value.hash == 6)
    #expect(value.fragments == "f" && value.Row_ == "r" && value.Type_ == "t" && value._row == "_")
    #expect(value.in?.in?.in?.int == 9)
    #expect(value.asDog == "dog" && value.customMirror == 8)
    #expect(value.__row_ == nil && value.String_ == 1 && value.class)
  }

  @Test("custom scalars have their configured Swift types, and a failed conversion is an error")
  func customScalars() throws {
    let query = PricesQuery(limit: .some(Cents(cents: 1234)))
    #expect(query.__variables == ["limit": "12.34"])
    let good = try #require(
      try data(query, #"{"price": "1.50", "prices": ["2.25", null], "flag": true}"#))
    #expect(good.price == Cents(cents: 150) && good.prices == [Cents(cents: 225), nil])
    #expect(good.flag == true)
    #expect(good == PricesQuery.Data(price: Cents(cents: 150), prices: good.prices, flag: true))
    let snapshot = try environment(
      query, #"{"price": {"a": 1}, "prices": ["2.25", [1]], "flag": "x"}"#
    )
    .read(query)
    #expect(snapshot.data?.price == nil && snapshot.data?.prices == [Cents(cents: 225), nil])
    #expect(snapshot.data?.flag == nil)
    #expect(snapshot.errors.map(\.kind) == [.scalar, .scalar, .scalar])
    #expect(snapshot.errors.map(\.path.description) == ["price", "prices[1]", "flag"])
    #expect(snapshot.missing.map(\.description) == ["price", "prices[1]", "flag"])
  }

  @Test("an initialized value equals the value read")
  func initialized() throws {
    let response = """
      {"rename": null, "animal": {"__typename": "Cat", "friends": [{"__typename": "Dog", "name": "Rex"}]}, "animals": [],
        "thing": null, "node": null}
      """
    let query = AnimalQuery(withOwner: false, skipName: true, deep: false)
    let read = try #require(try data(query, response)?.animal)
    #expect(read.friends == [.init(__typename: "Dog", name: "Rex")])
    #expect(read.friends.first != .init(__typename: "Dog", name: "Max"))
  }

  @Test("the view of a type condition has every field that is certain under it")
  func conditions() throws {
    let response = """
      {"animal": {"__typename": "Dog", "name": "Rex", "owner": {"id": "p1", "name": "Ann", "age": 7, "pets": []},
        "friends": [{"__typename": "Cat", "name": "Tom", "owner": {"id": "p1", "age": 7}}],
        "barks": true, "again": true, "label": "Rex", "id": "d1", "__isNamed": "Dog", "__isNode": "Dog"},
       "thing": {"__typename": "Stone", "weight": 1.5}, "animals": [null, {"__typename": "Newt", "kind": "Newt", "name": "N"}],
       "node": {"__typename": "Alien", "id": "1"}}
      """
    let query = AnimalQuery(withOwner: true, skipName: false, deep: true)
    let data = try #require(try data(query, response))
    let animal = try #require(data.animal)
    #expect(animal.name == "Rex" && animal.owner?.name == "Ann")
    #expect(animal.friends.map(\.name) == ["Tom"])
    let dog = try #require(animal.asDog)
    #expect(dog.name == "Rex" && dog.barks && dog.label == "Rex" && dog.id == "d1" && dog.again)
    #expect(dog.friends.first?.name == "Tom" && dog.friends.first?.owner?.age == 7)
    #expect(dog.__typename == "Dog")
    #expect(animal.asNode?.id == "d1" && animal.asNode?.asDog?.again == true)
    #expect(animal.asNode?.asDog?.friends.first?.owner?.age == 7)
    #expect(animal.asNamed?.label == "Rex")
    #expect(animal.asCat == nil)
    #expect(data.thing?.asStone?.weight == 1.5 && data.thing?.asNode == nil)
    #expect(data.animals.count == 2 && data.animals.last??.kind == "Newt")
    #expect(data.node?.__typename == "Alien")
  }

  @Test("spreads are references, under type conditions too, and optional if they are conditional")
  func spreads() throws {
    let response = """
      {"animal": {"__typename": "Dog", "name": "Rex", "owner": {"id": "p1", "name": "Ann", "age": 7, "pets": []},
        "friends": [], "barks": true, "again": true, "label": "Rex", "id": "d1", "__isNamed": "Dog", "__isNode": "Dog"},
       "thing": {"__typename": "Person", "id": "p1", "name": "Ann", "age": 7, "pets": [], "__isNode": "Person"},
       "animals": [], "node": null}
      """
    let query = AnimalQuery(withOwner: true, skipName: false, deep: true)
    let environment = try environment(query, response)
    let data = try #require(environment.read(query).data)
    let badge = try #require(data.animal?.asDog?.fragments.dogBadge_dog)
    let read = environment.read(data.animal?.asDog?.fragments.dogBadge_dog)
    #expect(read.data != nil && read == environment.read(badge))
    let none = environment.read(Optional<FragmentRef<DogBadge_dog>>.none)
    #expect(none.data == nil && !none.isMissingData && none.errors.isEmpty)
    #expect(environment.read(badge).data?.owner?.id == "p1")
    let name: FragmentRef<AnimalName_animal>? = data.animal?.asDog?.fragments.animalName_animal
    #expect(try environment.read(#require(name)).data?.asDog?.barks == true)
    let card = try #require(data.thing?.asPerson?.fragments.personCard_person)
    #expect(environment.read(card).data?.age == 7)
    let shallow = AnimalQuery(withOwner: false, skipName: false, deep: false)
    #expect(shallow != query)
  }

  @Test("the initializer of a type condition's view takes each field once")
  func initializedViews() {
    let friend = AnimalQuery.Data.Animal_animal.AsDog.Animal_friends(
      __typename: "Cat", name: "Tom", owner: .init(age: 3))
    let animal = AnimalQuery.Data.Animal_animal(
      asDog: .init(
        name: "Rex", friends: [friend], barks: true, label: "Rex", id: "1", again: true,
        dogBadge_dog: .value(.init(id: "1", barks: true)),
        animalName_animal: .value(.init(asDog: .init(name: "Rex", barks: true)))))
    #expect(animal.__typename == "Dog")
    #expect(animal.asDog?.barks == true && animal.asNode?.asDog?.again == true)
    #expect(animal.asNamed?.label == "Rex")
    #expect(animal.friends.first?.name == "Tom")
    #expect(animal.asDog?.friends.first?.owner?.age == 3)
    #expect(animal.asCat == nil)
  }

  @Test("variables distinguish defaults, nulls and omitted values")
  func variables() throws {
    let all = ThingsQuery()
    let filter = Filter(
      kind: .guineaPig, names: .some(["a\"b"]), nested: .some(Filter(kind: .self_)))
    #expect(all.filter == .some(filter))
    #expect(
      all.__variables == [
        "filter": filter, "kind": PetKind.cat, "self": 3, "Data": "7",
      ])
    #expect(
      ThingsQuery(filter: .null, choice: .some(.byID("x")), kind: .null, at: .none).filter == .null)
    var nested = filter
    nested.nested = .some(filter)
    #expect(nested.nested.unwrapped?.kind == .guineaPig)
    #expect(Ping(pong: .some(Pong(ping: .some(Ping()), value: 1.5))).pong.unwrapped?.value == 1.5)
    #expect(Choice.byFilter(filter).__fields == ["byFilter": filter])
  }

  @Test("enums keep unknown values and list the known cases")
  func enums() {
    #expect(PetKind.allCases.count == 18)
    #expect(
      PetKind(rawValue: "camel_case") == .camel_case && PetKind.camelCase.rawValue == "camelCase")
    #expect(PetKind(rawValue: "NEWT") == .unrecognized("NEWT"))
    #expect(PetKind(rawValue: "unrecognized") == .unrecognized_)
    #expect(
      PetKind(rawValue: "customMirror") == .customMirror_ && PetKind(rawValue: "hash") == .hash_)
    for kind in PetKind.allCases { #expect(PetKind(rawValue: kind.rawValue) == kind) }
  }

  @Test("a raw response has the added ids, and may omit fields that only spreads select")
  func rawResponses() {
    let small = RenameMutation.RawResponse(
      rename: .init(ok: true, person: .init(id: "1", name: "Ann")))
    let large = RenameMutation.RawResponse(
      rename: .init(
        ok: true,
        person: .init(
          id: "1", age: .null, name: "Ann",
          pets: .some([
            .node(.dog, id: "d", name: "Rex"), .other(.cat, name: "Tom"),
          ]))))
    #expect(small != large)
    let adopted = AdoptMutation.RawResponse(
      adopt: .dog(id: "d", barks: true, name: "Rex"), setThing: .stone(weight: 2))
    #expect(
      adopted
        != .init(adopt: .cat(lives: 9, name: "Rex"), setThing: .node(.person, id: "p"))
    )
    #expect(PersonChangedSubscription(id: "1").__variables == ["id": "1"])
  }

  @Test("a complete raw response equals one whose every field is given")
  func completeResponses() {
    let complete = RenameMutation.RawResponse.complete(
      rename: .complete(
        ok: true,
        person: .complete(
          id: "1", age: nil, name: "Ann",
          pets: [.completeNode(.dog, id: "d", name: "Rex"), .completeOther(.cat, name: "Tom")])))
    let other = RenameMutation.RawResponse(
      rename: .init(
        ok: true,
        person: .init(
          id: "1", age: .null, name: "Ann",
          pets: .some([.node(.dog, id: "d", name: "Rex"), .other(.cat, name: "Tom")]))))
    #expect(complete == other)
    let adopted: AdoptMutation.RawResponse = .complete(
      adopt: .completeDog(id: "d", barks: true, name: "Rex"), setThing: nil)
    #expect(adopted == .init(adopt: .dog(id: "d", barks: true, name: "Rex")))
  }

  @Test("an optimistic response of a concrete type is visible until the request completes")
  func optimisticCases() async throws {
    let store = RelayEnvironment(transport: NoTransport()).store
    let badge = FragmentRef<DogBadge_dog>(id: "d")
    let response = AdoptMutation.RawResponse(adopt: .dog(id: "d", barks: true, name: "Rex"))
    await confirmation { shown in
      let transport = Probe {
        let dog = RelayEnvironment(store: store, transport: NoTransport()).read(badge).data
        if dog?.barks == true && dog?.__typename == "Dog" { shown() }
      }
      let environment = RelayEnvironment(store: store, transport: transport)
      await #expect(throws: RelayError.self) {
        try await environment.commit(AdoptMutation(animal: "d"), optimisticResponse: response)
      }
    }
    #expect(RelayEnvironment(store: store, transport: NoTransport()).read(badge).data == nil)
  }

  @Test("a link under two unrelated type conditions is two parameters of the raw response")
  func twoParameters() async throws {
    func shown(_ thing: OwnedMutation.RawResponse.Thing_setThing) async -> String {
      let store = RecordStore()
      let dump = Locked("")
      let environment = RelayEnvironment(
        store: store, transport: Probe { dump.withLock { $0 = store.dump() } })
      _ = try? await environment.commit(
        OwnedMutation(), optimisticResponse: .init(setThing: thing))
      return dump.withLock { $0 }
    }
    let both = await shown(
      .nodeAndAnimalAndOwned(
        .dog, id: "d", owner: .init(id: "p", name: "Ada"),
        owner_: .init(id: "p", age: 36)))
    #expect(both.contains(#"{"__id":"p","__typename":"Person","age":36,"id":"p","name":"Ada"}"#))
    #expect(both.contains(##""owner":{"__ref":"p"}"##))
    let one = await shown(
      .nodeAndAnimalAndOwned(.dog, id: "d", owner: .init(id: "p", name: "Ada")))
    #expect(one.contains(##""owner":{"__ref":"p"}"##))
  }

  @Test("structs with a non-null id conform to Identifiable")
  func identifiable() {
    func id<T: Identifiable>(_ value: T) -> T.ID { value.id }
    #expect(id(DogBadge_dog(id: "1", barks: true)) == "1")
  }
}
