import GraphQLLanguage
import RelayCompiler
import Testing

@Suite("Optimistic responses", .timeLimit(.minutes(1)))
struct OptimisticResponseTests {
  private static let schema = """
    type Person { id: ID! name: String! nick: String age: Int city: String! }
    type Query { me: Person }
    type Mutation { rename: Person }
    """

  @Test("if the configuration says so, only operations with @raw_response_type have a raw response")
  func marked() throws {
    func text(_ rawResponses: EmissionOptions.RawResponses) throws -> String {
      let document = """
        mutation Rename @raw_response_type { rename { name } }
        mutation Forget { rename { name } }
        query Me { me { name } }
        """
      var options = EmissionOptions()
      options.rawResponses = rawResponses
      let compilation = Compiler.compile(
        CompilationInput(
          sources: [
            .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
          ], schema: [Source(path: "schema.graphql", Self.schema)], options: options))
      #expect(compilation.diagnostics == [])
      return try #require(compilation.files.first?.text)
    }
    #expect(try text(.mutations).components(separatedBy: "struct RawResponse").count == 3)
    let marked = try text(.marked)
    #expect(marked.components(separatedBy: "struct RawResponse").count == 2)
    let forget = try #require(marked.components(separatedBy: "struct ForgetMutation").last)
    #expect(forget.contains("typealias RawResponse = NoRawResponse"))
    #expect(!forget.contains("struct RawResponse"))
  }

  @Test("only fields that fragments alone select may be omitted")
  func parameters() throws {
    let document = """
      mutation Rename @raw_response_type { rename { name nick ...Card } }
      fragment Card on Person { id name nick age city }
      """
    let compilation = Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
        ],
        schema: [Source(path: "schema.graphql", Self.schema)]))
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
