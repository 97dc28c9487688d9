import GraphQLLanguage
import RelayCompiler
import Testing

@Suite("The table of possible types", .timeLimit(.minutes(1)))
struct PossibleTypeTests {
  private static let schema = """
    interface Node { id: ID! }
    interface Named { name: String }
    union Thing = Person | Stone
    type Person implements Node & Named { id: ID! name: String }
    type Stone { weight: Int }
    type Query { thing: Thing node: Node }
    """

  /// The lines of the table in the generated code.
  private func table(_ document: String, schema: String = Self.schema) -> [String] {
    let compilation = Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
        ],
        schema: [Source(path: "schema.graphql", schema)]))
    #expect(compilation.diagnostics.isEmpty)
    let lines = compilation.files.flatMap { $0.text.split(separator: "\n").map(String.init) }
    guard let first = lines.firstIndex(where: { $0.contains("let __types = ") }) else { return [] }
    let isLong = lines[first].hasSuffix("\"\"\"")
    let end = isLong ? lines[first...].firstIndex { $0.hasSuffix("\"\"\")") } : first
    return Array(lines[first...(end ?? first)])
  }

  @Test(
    "the table has the abstract types in type conditions, and every object type of a field",
    arguments: [
      ("query Q { thing { ... on Node { id } } }", "Node=Person;*=Query|Stone"),
      ("fragment F on Named { name }", "Named=Person"),
      ("fragment F on Thing { ... on Node { id } }", "Node=Person;Thing=Person|Stone"),
    ])
  func entries(document: String, table expected: String) {
    #expect(table(document).first?.contains("AbstractTypes(\"\(expected)\")") == true)
  }

  @Test("documents without abstract type conditions have no table")
  func none() {
    #expect(table("query Q { node { id } }") == [])
  }

  @Test("a long table is split over lines of limited length and keeps its text")
  func long() {
    let names = (100..<900).map { "ObjectType\($0)" }
    let types = names.map { "type \($0) implements Node { id: ID! }" }.joined(separator: "\n")
    let lines = table(
      "query Q { node { ... on Named { name } } }", schema: Self.schema + "\n" + types)
    #expect(lines.count > 5 && lines.allSatisfy { $0.utf8.count < 1_100 })
    let inner = lines.dropFirst().dropLast().map { $0.drop { $0 == " " } }
    #expect(inner.dropLast().allSatisfy { $0.hasSuffix("\\") })
    let text = inner.map { $0.hasSuffix("\\") ? String($0.dropLast()) : String($0) }.joined()
    #expect(text == "Named=Person;*=" + (names + ["Query"]).joined(separator: "|"))
  }
}
