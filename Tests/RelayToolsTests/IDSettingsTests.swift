import GraphQLLanguage
import Testing

@testable import RelayTools

@Suite("The settings for ids of other types than ID", .timeLimit(.minutes(1)))
struct IDSettingsTests {
  @Test("the settings for a schema: scalars of unique ids, and key fields of types with others")
  func settings() {
    let schema = """
      scalar UUID scalar Serial
      interface Row { id: Int! } type A implements Row { id: Int! } type B { id: Int! }
      type Max { id: Int } type Average { id: Float! } type User { id: ID! } type E { id(n: Int!): Int! }
      type Device { id: UUID! } type Part { id: Serial! } type MaxPart { id: Serial } type Other { id: String! }
      type Query { a: A }
      """
    let workspace = Workspace()
    let built = Schema.build(
      from: [workspace.parse(Source(path: "schema.graphql", schema)).document], in: workspace)
    let settings = IDSettings(built, others: ["Other": ["name"]])
    #expect(settings.idScalars == ["UUID"])
    #expect(settings.keyFields == ["B": ["id"], "Part": ["id"], "Row": ["id"]])
    #expect(
      settings.members.map { "\($0.key): \($0.value)" } == [
        #"idScalars: ["UUID"]"#, #"keyFields: {"B": "id", "Part": "id", "Row": "id"}"#,
      ])
  }
}
