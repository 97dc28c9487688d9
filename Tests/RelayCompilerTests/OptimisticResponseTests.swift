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
        "init( id: String, age: GraphQLNullable<Int> = .none, city: String? = nil, name: String, "
          + "nick: String? = nil )"), "\(response)")
  }

  @Test("parameters are sorted by name, id first, whatever the order of fields and fragments")
  func order() throws {
    let initializers = try [
      "{ rename { nick name ...City ...Age } }", "{ rename { ...Age ...City name nick } }",
    ].map { selections in
      let document = """
        mutation Rename \(selections)
        fragment City on Person { city id }
        fragment Age on Person { age }
        """
      let text = try Self.generated(document)
      return try #require(text.firstMatch(of: /struct Person_rename: GraphQLView.*?(init.*?\))/))
        .output.1
    }
    #expect(
      initializers.map(String.init) == [
        "init( id: String, age: GraphQLNullable<Int> = .none, city: String? = nil, name: String, "
          + "nick: String? = nil )",
        "init( id: String, age: GraphQLNullable<Int> = .none, city: String? = nil, name: String, "
          + "nick: String? = nil )",
      ])
  }

  @Test("complete takes every field without a default, and nil is a null")
  func complete() throws {
    let text = try Self.generated(
      """
      mutation Rename($all: Boolean!) { rename { name nick ...Card } }
      fragment Card on Person { age city home: city @include(if: $all) }
      """)
    #expect(
      text.contains(
        "static func complete( id: String, age: Int?, city: String, home: String?, name: String, "
          + "nick: String? ) -> Self { self.init(id: id, age: age ?? .null, city: city, home: home, "
          + "name: name, nick: nick) }"), "\(text)")
  }

  @Test("Swift's compiler names the field that complete lacks")
  func missingField() async throws {
    let document = """
      mutation Rename { rename { name ...Card } }
      fragment Card on Person { age city }
      """
    let project = try TemporaryProject([:])
    defer { withExtendedLifetime(project) {} }
    func problems(_ call: String) async throws -> String {
      let text = "import RelayStore\nfunc use() { _ = RenameMutation.RawResponse.\(call) }"
      let sources = try Self.files(document) + [text]
      let paths = try sources.enumerated().map { offset, text in
        let name = "\(offset).swift"
        try project.write([name: text])
        return project.folder.appendingPathComponent(name).path
      }
      return try await SwiftTypeCheck.check(paths, modules: #require(SwiftTypeCheck.modules))
    }
    let whole = #"complete(rename: .complete(id: "1", age: nil, city: "Rome", name: "Ada"))"#
    #expect(try await problems(whole) == "")
    let partial = #"complete(rename: .complete(id: "1", age: nil, name: "Ada"))"#
    #expect(
      try await problems(partial).contains("missing argument for parameter 'city' in call"))
  }

  /// Returns the generated files of a document.
  private static func files(_ document: String) throws -> [String] {
    let compilation = Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
        ], schema: [Source(path: "schema.graphql", schema)]))
    #expect(compilation.diagnostics == [])
    return compilation.files.map(\.text)
  }

  /// Returns the generated Swift of a document's definitions, with single spaces.
  private static func generated(_ document: String) throws -> String {
    try #require(files(document).first).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
  }
}
