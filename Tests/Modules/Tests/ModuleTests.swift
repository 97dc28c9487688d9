import Foundation
import ModuleBase
import ModuleCards
import RelayStore
import Testing

private let overview = graphql(
  """
  query Overview($filter: TodoFilter) {
    me { name ...Avatar_user }
    todos(filter: $filter) { ...Card_todo }
  }
  """)

private let node = graphql("fragment Own_node on Node { id }")

/// A type with the same name as ModuleBase's provider. It is nearer in scope, but generated code
/// must not refer to it.
enum ScreenScale {}

/// A transport that responds to every request with `body`.
private struct Answer: Transport {
  let body: String

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    GraphQLResponse(body: Array(body.utf8))
  }
}

@Suite("Fragments and types of other modules", .timeLimit(.minutes(1)))
struct ModuleTests {
  private let environment = RelayEnvironment(
    transport: Answer(
      body: """
        {"data": {"me": {"id": "u", "name": "Ada", "mood": "CALM", "joined": "2026-03-01T09:30:00Z", "error": null},
          "todos": [{"id": "t", "text": "Feed the cat", "state": "OPEN", "due": "2026-03-02T00:00:00Z", "price": 3.50,
            "owner": {"id": "u", "name": "Ada", "mood": "CALM", "joined": "2026-03-01T09:30:00Z", "error": null, "photo": "p.png"}}]}}
        """))

  @Test("a query reads fragments that two other modules declare, one through the other")
  func fragments() async throws {
    let data = try #require(try await environment.fetch(OverviewQuery()).data)
    let card = try #require(environment.read(data.todos[0].fragments.card_todo).data)
    #expect(words(of: card) == "Feed the cat: open, calm, due")
    #expect(card.price == "3.50")
    let avatar = try #require(environment.read(card.owner.fragments.avatar_user).data)
    #expect(avatar.name == "Ada" && avatar.mood == Mood.calm)
    #expect("\(avatar)".contains("mood: ModuleBase.Mood.calm"))
    #expect(
      "\(card)".contains("state: ModuleCards.Schema.State.open")
        && "\(card.owner)".contains("mood: ModuleBase.Mood.calm"), "\(card)")
    #expect(avatar.joined == Date(timeIntervalSinceReferenceDate: 794_050_200))
  }

  @Test("a query sends the provided variables of another module's fragments")
  func providers() async throws {
    let variables = OverviewQuery().__variables.json
    #expect(variables["__relay_internal__pv__ScreenScale"] == 2)
    #expect(variables["__relay_internal__pv__Moods_Shown"] == "BUSY")
    let data = try #require(try await environment.fetch(OverviewQuery()).data)
    let card = try #require(environment.read(data.todos[0].fragments.card_todo).data)
    #expect(environment.read(card.owner.fragments.photo_user).data?.photo == "p.png")
    #expect(
      card.owner.fragments.photo_user == FragmentRef<Photo_user>(id: "u"),
      "A reference made by hand has the providers' values.")
  }

  @Test(
    "a type that no field of a module returns is unknown to its type table, not excluded by it",
    arguments: [
      ("User", true, true), ("Todo", true, true), ("Query", true, false), ("New", true, true),
    ])
  func abstractTypes(type: String, toBase: Bool, toOwn: Bool) throws {
    try environment.commitUpdate { try $0.create("1", type: type).setValue("1", for: "id") }
    #expect((environment.read(FragmentRef<Base_node>(id: "1")).data != nil) == toBase)
    #expect((environment.read(FragmentRef<Own_node>(id: "1")).data != nil) == toOwn)
  }

  @Test("dependent modules use the types that a module declares")
  func types() {
    let filter = TodoFilter(state: .some(Schema.State.done), after: .some(Date.distantPast))
    #expect(OverviewQuery(filter: .some(filter)).filter.unwrapped == filter)
    #expect(ModuleCards.Schema.Moment.self == ModuleBase.Schema.Moment.self)
    let input = SetStateInput(id: "t", state: Schema.State.open)
    #expect(SetStateMutation(input: input).input == input)
  }
}
