@_spi(GeneratedCode) import RelayStore
import Testing

private let user = graphql(
  """
  query UserQuery($on: Boolean!) { user { score nick @include(if: $on) ...User_name } }
  """)

@Suite("Initialized values", .timeLimit(.minutes(1)))
struct InitializedValueTests {
  private func read(_ user: String, on: Bool = true) throws -> UserQuery.Data? {
    let environment = RelayEnvironment(transport: NoTransport())
    let query = UserQuery(on: on)
    try environment.commitPayload(
      query, data: Array(#"{"user": {"id": "1", "name": "A", \#(user)}}"#.utf8))
    return environment.read(query).data
  }

  private func reference(_ id: DataID = "1", on: Bool = true) -> FragmentRef<User_name> {
    FragmentRef(id: id, variables: ["on": on])
  }

  @Test("a value with a fragment reference equals the value that was read, and has the same hash")
  func references() throws {
    let data = try read(#""score": 1, "nick": "a""#)
    let initialized = UserQuery.Data(user: .init(score: 1, nick: "a", user_name: reference()))
    #expect(data == initialized)
    #expect(data.hashValue == Optional(initialized).hashValue)
    #expect(data != UserQuery.Data(user: .init(score: 1, nick: "a", user_name: reference("2"))))
    #expect(data != UserQuery.Data(user: .init(score: 1, nick: "b", user_name: reference())))
    #expect(data != UserQuery.Data(user: .init(user_name: .value(User_name(id: "1", name: "A")))))
  }

  @Test("a null under a condition that holds equals an omitted value")
  func nullUnderCondition() throws {
    let initialized = UserQuery.Data(user: .init(score: 1, user_name: reference()))
    let data = try read(#""score": 1, "nick": null"#)
    #expect(data == initialized && data.hashValue == Optional(initialized).hashValue)
    let without = try read(#""score": 1"#, on: false)
    #expect(without == UserQuery.Data(user: .init(score: 1, user_name: reference(on: false))))
  }

  @Test(
    "a Float has the same value however its digits are written",
    arguments: [
      ("1e3", 1000), ("1.50", 1.5), ("-0.0", 0), ("0.1000000000000000055", 0.1), ("1.5", 1.5),
      ("0.00000012", 1.2e-7), ("9007199254740993", 9_007_199_254_740_992), ("2.0", 2),
      ("-2.25", -2.25),
    ])
  func floats(digits: String, value: Double) throws {
    let data = try read(#""score": \#(digits), "nick": null"#)
    #expect(data == UserQuery.Data(user: .init(score: value, user_name: reference())))
  }
}
