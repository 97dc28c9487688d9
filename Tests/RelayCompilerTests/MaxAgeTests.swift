import GraphQLLanguage
import Testing

@testable import RelayCompiler

@Suite("Times for which data is fresh, in the configuration", .timeLimit(.minutes(1)))
struct MaxAgeTests {
  private static let schema = """
    interface Priced { price: Int }
    type Stock implements Priced { id: ID! price: Int name: String }
    type Query { stock: Stock priced: Priced }
    type Mutation { buy: Stock }
    """

  private func compile(_ text: String, _ ages: [String: Double]) -> Compilation {
    var options = EmissionOptions()
    options.maxAges = ages
    return Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(text.utf8), output: "a.swift")
        ],
        schema: [Source(path: "schema.graphql", Self.schema)], options: options))
  }

  @Test(
    "the plan of a query begins with its own time, or the least of its types and fields",
    arguments: [
      ("query Q { stock { name } }", ["Q": 5], "@5 Query{"),
      ("query Q { stock { name } }", ["Stock": 0.5], "@0.5 Query{"),
      ("query Q { stock { price } }", ["Stock": 60, "Stock.price": 5], "@5 Query{"),
      ("query Q { stock { name } }", ["Stock": 60, "Stock.price": 5], "@60 Query{"),
      ("query Q { stock { price } }", ["Q": 90, "Stock.price": 5], "@90 Query{"),
      ("query Q { stock { price } }", ["Priced.price": 5], "@5 Query{"),
      ("query Q { stock { price } }", ["Priced": 5], "@5 Query{"),
      ("query Q { priced { ... on Stock { name } } }", ["Stock": 5], "@5 Query{"),
      // The id of a stock is selected.
      ("query Q { priced { price } }", ["Stock": 5], "@5 Query{"),
      ("query Q { priced { price } }", ["Stock.name": 5], "\"Query{"),
      ("query Q { stock { name } }", [:], "\"Query{"),
      ("mutation Q { buy { name } }", ["Stock": 5], "\"Mutation{"),
    ])
  func plans(text: String, ages: [String: Double], expected: String) {
    let compilation = compile(text, ages)
    #expect(compilation.diagnostics.isEmpty)
    #expect(compilation.files.first?.text.contains(expected) == true)
  }

  @Test(
    "an unknown name is an error with a suggestion",
    arguments: [("Stok", "Stock"), ("Stock.prise", "price"), ("Qu", nil), ("Stock.price.x", nil)]
      as [(String, String?)])
  func unknown(name: String, suggestion: String?) {
    let diagnostics = compile("query Q { stock { name } }", [name: 5]).diagnostics
    #expect(diagnostics.map(\.rule) == ["max-age"])
    #expect(diagnostics.first?.message.contains("\"\(name)\"") == true)
    if let suggestion { #expect(diagnostics.first?.help?.contains(suggestion) == true) }
  }

  /// Compiles one of two modules that share a configuration, as the build-tool plugin does.
  private func compileModule(_ project: TemporaryProject) throws -> [String] {
    var options = CompileOptions()
    options.config = project.folder.appendingPathComponent("relay.config.json").path
    options.files = [
      (project.folder.appendingPathComponent("src/Base/Base.swift").path, "Base.graphql.swift")
    ]
    let output = project.folder.appendingPathComponent("built")
    let read = try Project(options, try Project.configuration(options), output: output)
    return read.compilation(cache: SchemaCache(nextTo: output)).diagnostics.map(\.message)
  }

  @Test("a shared configuration names operations of every module, in the plugin as in validate")
  func sharedConfiguration() throws {
    func configuration(_ name: String) -> [String: String] {
      [
        "relay.config.json":
          """
        {"schema": "schema.graphql", "src": "src", "artifactDirectory": "out",
         "maxAge": {"BaseQuery": 5, "\(name)": 60}}
        """
      ]
    }
    let project = try TemporaryProject([
      "src/Base/Base.swift": #"let base = graphql("query BaseQuery { me { name } }")"#,
      "src/App/App.swift": #"let app = graphql("query AppQuery { me { id } }")"#,
    ])
    try project.write(configuration("AppQuery"))
    #expect(project.compile().errors == "")
    #expect(try compileModule(project) == [])
    try project.write(configuration("ApQuery"))
    let unknown = try compileModule(project)
    #expect(unknown.count == 1 && unknown.first?.contains("\"ApQuery\"") == true)
    #expect(project.compile().errors.contains("\"ApQuery\""))
  }
}
