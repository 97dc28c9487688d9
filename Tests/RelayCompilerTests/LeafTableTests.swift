import GraphQLLanguage
import RelayCompiler
import Testing

/// The table with the Swift types of a module's custom scalars and enums.
@Suite("The table of leaves", .timeLimit(.minutes(1)))
struct LeafTableTests {
  private static let schema = """
    type Query { item(kind: Kind): Item }
    type Item { id: ID! hue: Hue type: ObjectType when: Date }
    enum Kind { A }
    enum Hue { RED }
    enum ObjectType { POINT }
    scalar Date
    """

  private func sources(_ documents: String, of module: String) -> [CompilationInput.SourceFile] {
    [
      .init(
        path: "\(module).graphql", bytes: ContiguousArray(documents.utf8),
        output: "\(module).graphql.swift")
    ]
  }

  /// The file of the shared types of a module.
  private func sharedTypes(
    _ documents: String, other: String = "", access: String = "public"
  ) throws -> String {
    var options = EmissionOptions()
    options.access = access
    let compilation = Compiler.compile(
      CompilationInput(
        sources: sources(documents, of: "App"),
        modules: other.isEmpty
          ? [] : [ImportedModule(name: "Other", sources: sources(other, of: "Other"))],
        schema: [Source(path: "schema.graphql", Self.schema)], options: options))
    #expect(compilation.diagnostics.map(\.message) == [])
    return try #require(compilation.files.last { $0.name == OutputNames.shared }).text
  }

  @Test("it has the enums of fields, not those of inputs alone")
  func enumsOfFields() throws {
    let text = try sharedTypes("query Q($kind: Kind) { item(kind: $kind) { hue when } }")
    #expect(text.contains("enum Kind: GraphQLEnum"))
    #expect(
      text.contains("static let __leaves: [String: any GraphQLInput.Type] = [\"Hue\": Hue.self]"))
    #expect(
      try !sharedTypes("query Q($kind: Kind) { item(kind: $kind) { when } }").contains("__leaves"))
  }

  @Test("it names an enum that a member of Schema hides by an alias")
  func hiddenEnum() throws {
    let text = try sharedTypes("query Q { item { type } }")
    #expect(text.contains("private typealias __ObjectType = ObjectType\n"))
    #expect(text.contains("[\"ObjectType\": __ObjectType.self]"))
  }

  @Test(
    "a module whose enums are needed for it alone is imported without an access level",
    arguments: [("public", "import Other"), ("package", "internal import Other")])
  func imports(access: String, line: String) throws {
    let fragment = "fragment Item_hue on Item { hue }"
    let text = try sharedTypes("query Q { item { hue } }", other: fragment, access: access)
    #expect(text.split(separator: "\n").contains { $0 == line }, "\(text)")
    #expect(text.contains("[\"Hue\": Hue.self]") && !text.contains("enum Hue"))
  }
}
