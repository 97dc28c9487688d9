import GraphQLLanguage
import SeededRandom
import Testing

@testable import RelayCompiler

@Suite("Limits on expansion", .timeLimit(.minutes(1)))
struct LimitTests {
  private static let schema = """
    interface A { f: A x: Int y: Int }
    type B implements A { f: A x: Int y: Int }
    type C { x: Int }
    type Query { a: A c: C }
    """

  private func diagnostics(_ document: String) -> [String] {
    let compilation = Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
        ],
        schema: [Source(path: "schema.graphql", Self.schema)]))
    #expect(compilation.files.isEmpty == compilation.diagnostics.hasErrors)
    return compilation.diagnostics.map(\.rule)
  }

  private func nested(_ depth: Int) -> String {
    depth == 0 ? "{ x }" : "{ f \(nested(depth - 1)) ... on B { f { y } } }"
  }

  @Test("nested type conditions that repeat the enclosing fields are limited in size")
  func conditions() {
    #expect(diagnostics("query Small { a \(nested(5)) }") == [])
    #expect(diagnostics("query Large { a \(nested(40)) }") == ["definition-size"])
  }

  @Test("a definition may have as many selections as the limit, and no more")
  func exactLimit() {
    let objectCount = 500
    let fieldCount = Flatten.selectionLimit / objectCount - 1
    let fields = (0..<fieldCount).map { "x\($0): x" }.joined(separator: " ")
    let objects = (0..<objectCount).map { "c\($0): c { ...F }" }.joined(separator: " ")
    let fragment = "fragment F on C { \(fields) }"
    #expect(diagnostics("query Full { \(objects) } \(fragment)") == [])
    #expect(
      diagnostics("query Large { \(objects) c { x } } \(fragment)") == ["definition-size"])
  }

  @Test("type conditions are limited in depth")
  func conditionDepth() {
    let names = (0...FlattenScope.depthLimit).map { "I\($0)" }
    let sdl =
      "type Query { u: U } union U = T type T implements \(names.joined(separator: " & ")) { x: Int } "
      + names.map { "interface \($0) { x: Int }" }.joined(separator: " ")
    let workspace = Workspace()
    let schema = Schema.build(
      from: [workspace.parse(Source(path: "schema.graphql", sdl)).document], in: workspace)
    func rules(_ names: some Collection<String>) -> [String] {
      let fields = names.reversed().reduce("x") { "... on \($1) { \($0) }" }
      let document = workspace.parse(Source(path: "a.graphql", "query Q { u { \(fields) } }"))
      var diagnostics: [Diagnostic] = []
      _ = Flatten.apply(
        to: Lowering.program(of: [document.document], schema: schema), for: .text,
        diagnostics: &diagnostics)
      return diagnostics.map(\.rule)
    }
    #expect(rules(names.dropLast()) == [])
    #expect(rules(names) == ["definition-depth"])
  }

  @Test("fragments that fan out are limited in size")
  func fragments() {
    func fan(_ count: Int) -> String {
      let links = (0..<count).map {
        "fragment F\($0) on A { l\($0): f { ...F\($0 + 1) } r\($0): f { ...F\($0 + 1) } }"
      }
      return
        "query Fan { a { ...F0 } } \(links.joined(separator: " ")) fragment F\(count) on A { x }"
    }
    #expect(diagnostics(fan(5)) == [])
    #expect(diagnostics(fan(50)) == ["operation-size"])
  }

  @Test("fragments with arguments that fan out, or whose values double, are limited in size")
  func arguments() {
    let schema = "scalar J type A { f: A x(j: J): Int } type Query { a: A }"
    func rules(_ value: String, _ count: Int) -> [String] {
      let links = (0..<count).map {
        "fragment F\($0) on A @argumentDefinitions(j: {type: \"J\"}) "
          + "{ f { ...F\($0 + 1) @arguments(j: \(value)) } g: f { ...F\($0 + 1) @arguments(j: {b: $j}) } }"
      }
      let document =
        "query Fan { a { ...F0 @arguments(j: 1) } } \(links.joined(separator: " ")) "
        + "fragment F\(count) on A @argumentDefinitions(j: {type: \"J\"}) { x(j: $j) }"
      return Compiler.compile(
        CompilationInput(
          sources: [
            .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
          ],
          schema: [Source(path: "schema.graphql", schema)]
        )
      ).diagnostics.map(\.rule)
    }
    #expect(rules("{a: $j}", 5) == [])
    #expect(rules("{a: $j}", 60).first == "operation-size")
    #expect(rules("[$j, $j, $j]", 60).first == "operation-size")
  }

  @Test("fragment arguments that give one response key two sets of field arguments are an error")
  func conflicts() {
    let document = """
      query Q { a { ...F @arguments(n: 1) ...F @arguments(n: 2) @alias(as: "g") } }
      fragment F on A @argumentDefinitions(n: {type: "Int"}) { x(n: $n) }
      """
    let compilation = Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
        ],
        schema: [
          Source(path: "schema.graphql", "type A { x(n: Int): Int } type Query { a: A }")
        ]))
    #expect(compilation.diagnostics.map(\.rule) == ["overlapping-fields-can-be-merged"])
  }

  @Test("the scanner survives random Swift text, and reports offsets within it")
  func damage() {
    let pieces = [
      "graphql(", "graphql(\"{ a }\")", "\"", "\"\"\"", "#", "\\(", ")", "\n", "/*", "*/", "//",
      "/", "{ a }", "\\",
      "\\u{", "}",
      " ", "func ", "\r\n", "é",
    ]
    let seed = UInt64.random(in: 0 ... .max)
    var generator = SeededGenerator(seed: seed)
    var tags = 0
    for _ in 0..<3_000 {
      let source = (0..<20).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      let bytes = ContiguousArray(source.utf8)
      let result = TagScanner.scan(bytes)
      tags += result.tags.count
      for error in result.errors {
        #expect(error.offset <= bytes.count, "\(source.debugDescription)")
      }
      for tag in result.tags {
        let end = tag.offsets.fileOffset(of: UInt32(tag.document.count))
        #expect(end <= bytes.count, "\(source.debugDescription)")
      }
    }
    print("seed \(seed): \(tags) tags")
    #expect(tags > 0)
  }
}
