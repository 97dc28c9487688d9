import GraphQLLanguage
import Testing

@testable import RelayCompiler

@Suite("Optimistic responses", .timeLimit(.minutes(10)))
struct OptimisticResponseTests {
  private static let schema = """
    type Person { id: ID! name: String! nick: String age: Int city: String! }
    type Query { me: Person }
    type Mutation { rename: Person }
    """

  @Test("only what fragments alone select may be left out")
  func parameters() throws {
    let document = """
      mutation Rename @raw_response_type { rename { name nick ...Card } }
      fragment Card on Person { id name nick age city }
      """
    let compilation = Compilation(
      sources: [.init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")],
      schema: [Source(path: "schema.graphql", Self.schema)])
    #expect(compilation.diagnostics == [])
    let text = try #require(compilation.files.first?.text)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let response = try #require(text.components(separatedBy: "struct RawResponse").last)
    #expect(
      response.contains(
        "init( id: String, name: String, nick: String? = nil, age: GraphQLNullable<Int> = .none, "
          + "city: String? = nil )"), "\(response)")
  }
}
