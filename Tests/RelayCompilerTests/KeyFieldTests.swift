import GraphQLLanguage
import RelayCompiler
import Testing

@Suite("Key fields", .timeLimit(.minutes(1)))
struct KeyFieldTests {
  private static let schema = """
    interface Node { id: ID! }
    interface Place { code: String! name: String }
    type Country implements Place { code: String! name: String capital: City }
    type City implements Place & Node { id: ID! code: String! name: String }
    type Airport { country: String! code: String! name: String runways(n: Int!): Int }
    union Thing = Country | Airport | City
    type Query { country: Country airport: Airport place: Place thing: Thing node: Node }
    """

  private func compile(
    _ selections: String, _ keys: [String: [String]]
  ) -> Compilation {
    Compiler.compile(
      CompilationInput(
        sources: [
          .init(
            path: "a.graphql", bytes: ContiguousArray("query Q { \(selections) }".utf8),
            output: "a.swift")
        ],
        schema: [Source(path: "schema.graphql", Self.schema)],
        options: EmissionOptions(keyFields: keys)))
  }

  private func normalization(_ selections: String, _ keys: [String: [String]]) -> String? {
    let text = compile(selections, keys).files.first?.text.onOneLine
    let plan = text?.components(separatedBy: "normalization: ").last
    let parts = plan?.split(separator: "\"", maxSplits: 2)
    let isCall = plan?.hasPrefix("SelectionPlan(") == true
    return (isCall ? parts?.dropFirst().first : parts?.first).map(String.init)
  }

  @Test("a type's key fields are selected first and marked, in place of id")
  func types() {
    #expect(
      normalization("country { name capital { name } }", ["Country": ["code"], "City": ["code"]])
        == "Query{country Country{#code String! name String capital City{#code String! name String}}}"
    )
    #expect(
      normalization("airport { name }", ["Airport": ["country", "code"]])
        == "Query{airport Airport{#country String! #code String! name String}}")
    #expect(
      normalization("country { name code }", ["Country": ["code"]])
        == "Query{country Country{#code String! name String}}")
  }

  @Test("updaters cannot assign a key field, and can assign an id that is none")
  func updatable() throws {
    let document =
      "query Q @updatable { country { code name } place { code name } airport { country name } }"
    let compilation = Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
        ],
        schema: [Source(path: "schema.graphql", Self.schema)],
        options: EmissionOptions(
          keyFields: ["Country": ["code"], "Airport": ["country", "code"]])))
    #expect(compilation.diagnostics == [])
    let text = try #require(compilation.files.first).text
    #expect(text.components(separatedBy: "var code: String? { __record[").count == 3, "\(text)")
    #expect(text.contains("var country: String? { __record["))
    #expect(text.components(separatedBy: "nonmutating set { __record[").count == 4)
  }

  @Test("no alias is the name of an identifying field")
  func aliases() {
    func problems(_ selections: String, _ keys: [String: [String]] = [:]) -> [String] {
      let text = "query Q { \(selections) }"
      return compile(selections, keys).diagnostics.map { diagnostic in
        let span = diagnostic.primarySpan
        return diagnostic.rule + " "
          + String(decoding: Array(text.utf8)[Int(span.start)..<Int(span.end)], as: UTF8.self)
      }
    }
    #expect(problems("country { capital { id: name } }") == ["key-alias id"])
    #expect(problems("country { capital { ... on Place { id: name } } }") == ["key-alias id"])
    #expect(problems("thing { ... on City { id: code } }") == ["key-alias id"])
    #expect(problems("country { __typename: name }") == ["key-alias __typename"])
    let keys = ["Place": ["code"], "Airport": ["country", "code"]]
    #expect(problems("country { code: name }", keys) == ["key-alias code"])
    #expect(problems("airport { country: name }", keys) == ["key-alias country"])
    // The identifying field itself, types without such a field, and aliases for the field.
    #expect(problems("country { capital { id: id } }") == [])
    #expect(problems("country { id: name code: name }") == [])
    #expect(problems("country { id: name capital { id: name } }", keys) == [])
    #expect(problems("country { capital { number: id } }") == [])
  }

  @Test("an interface's key fields apply to the types that implement it")
  func interfaces() {
    let keys = ["Place": ["code"]]
    #expect(
      normalization("place { name }", keys)
        == "Query{place *Place{__typename String! #code String! name String}}")
    #expect(
      normalization("country { name }", keys)
        == "Query{country Country{#code String! name String}}")
  }

  @Test("each possible type of an abstract type has its own key fields")
  func unions() {
    #expect(
      normalization("thing { ... on Airport { name code } }", ["Airport": ["code"]])
        == "Query{thing *Thing{__typename String! ...on *Node{__isNode:__typename String! id ID!} "
        + "...on Airport{#code String! name String}}}")
    #expect(
      normalization("node { id }", ["City": ["code"]])
        == "Query{node *Node{__typename String! ...on City{#code String!} id ID!}}")
  }

  @Test("unknown and unsuitable key fields are errors")
  func errors() {
    func messages(_ keys: [String: [String]]) -> [String] {
      compile("country { name }", keys).diagnostics.map(\.rule)
    }
    #expect(messages(["Contry": ["code"]]) == ["key-fields"])
    #expect(messages(["Thing": ["code"]]) == ["key-fields"])
    #expect(messages(["Country": ["iso"]]) == ["key-fields"])
    #expect(messages(["Country": []]) == ["key-fields"])
    #expect(messages(["Country": ["capital"]]) == ["key-fields"])
    #expect(messages(["Airport": ["runways"]]) == ["key-fields"])
  }
}
