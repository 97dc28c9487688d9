import GraphQLLanguage
import Testing

@testable import RelayCompiler

@Suite("Relay's directives")
struct DirectiveTests {
  private static let schema = """
    interface A { f: A x: Int y(n: Int): Int }
    type B implements A { f: A x: Int y(n: Int): Int }
    type Query { a: A b: B }
    """

  private func rules(_ document: String) -> [String] {
    let compilation = Compilation(
      sources: [.init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")],
      schema: [Source(path: "schema.graphql", Self.schema)])
    return compilation.diagnostics.map(\.rule)
  }

  @Test("@relay is checked where it stands")
  func relay() {
    #expect(rules("fragment F on A @relay(plural: true) { x }") == [])
    #expect(rules("fragment F on A @relay(mask: false) { x }") == ["relay-directive"])
    let fragment = "fragment F on A { x }"
    #expect(rules("query Q { a { ...F @relay(mask: false) } } \(fragment)") == [])
    #expect(rules("query Q { a { ...F @relay(plural: true) } } \(fragment)") == ["relay-directive"])
    #expect(
      rules("query Q($m: Boolean) { a { ...F @relay(mask: $m) } } \(fragment)")
        == ["relay-directive"])
  }

  @Test("@alias needs a name and something to name")
  func alias() {
    let fragment = "fragment F on A { x }"
    #expect(rules("query Q { a { ...F @alias(as: \"g\") } } \(fragment)") == [])
    #expect(rules("query Q { a { ...F @alias } } \(fragment)") == [])
    #expect(rules("query Q { a { ...F @alias(as: \"1 g\") } } \(fragment)") == ["alias"])
    #expect(rules("query Q { a { ... on B @alias(as: \"b\") { x } } }") == [])
    #expect(rules("query Q { a { ... @alias(as: \"b\") { x } } }") == ["alias"])
    #expect(rules("query Q { b { ... on A @alias(as: \"b\") { x } } }") == ["alias"])
    #expect(
      rules(
        "query Q { a { ... on B @alias(as: \"b\") { x } ... on B @alias(as: \"c\") { f { x } } } }")
        == ["alias"])
  }

  @Test("an operation's variable does not become a fragment's own by unmasking")
  func captured() {
    let documents = """
      query Q($n: Int) { a { ...F @arguments(n: 1) ...G } }
      fragment F on A @argumentDefinitions(n: {type: "Int"}) { one: y(n: $n) f { ...G @relay(mask: false) } }
      fragment G on A { y(n: $n) }
      """
    #expect(rules(documents) == ["unmasked-variables"])
  }

  @Test("unmasked fragments that fan out are bounded")
  func growth() {
    let links = (0..<50).map {
      "fragment F\($0) on A { l\($0): f { ...F\($0 + 1) @relay(mask: false) } "
        + "r\($0): f { ...F\($0 + 1) @relay(mask: false) } }"
    }
    let found = rules("\(links.joined(separator: " ")) fragment F50 on A { x }")
    #expect(found.contains("definition-size"))
  }
}
