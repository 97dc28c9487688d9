import SeededRandom
import Testing

@testable import GraphQLLanguage

@Suite("Error recovery", .timeLimit(.minutes(1))) struct RecoveryTests {
  @Test("errors in different definitions are all reported")
  func severalDefinitions() {
    let text = """
      query A { a(b: ) }
      query B { b }
      fragment C of T { c }
      type D { d: [Int }
      scalar E
      """
    #expect(
      errors(text) == [
        "1:16 Unexpected \")\".", "3:12 Expected \"on\", found \"of\".",
        "4:18 Expected \"]\", found \"}\".",
      ])
    let document = Workspace().parse(Source(text)).document
    #expect(document.definitions.count == 4)
  }

  @Test("errors in different fields are all reported")
  func severalFields() {
    let text = """
      type T {
        a: 
        b: Int
        c(d: [Int): Int
        e: Int!
        f; Int
        g: Int
      }
      """
    #expect(
      errors(text) == [
        "3:4 Expected a name, found \":\".", "4:12 Expected \"]\", found \")\".",
        "6:4 Unexpected character: \";\".",
      ])
  }

  @Test(
    "one mistake is one error",
    arguments: [
      "query A { a { b }\nquery B { c }",  // missing closing brace
      "query A { a } }\nquery B { c }",  // extra closing brace
      "query A a }\nquery B { c }",  // missing opening brace
      "query A {\n  a(b: 1 {\n    c\n  }\n  d\n}\nquery B { e }",  // missing parenthesis
      "query A {\n  a(b: \"x) {\n    c\n  }\n  d\n}\nquery B { e }",  // missing quote
      "query A($a Int) {\n  a\n}\nquery B { e }",  // missing colon
      "type A {\n  a: Int\n  b Int\n  c: Int\n}\ntype B { a: Int }",
      "type A {\n  a(b: Int: Int\n  c: Int\n}\ntype B { a: Int }",
      "type A {\n  a: [Int\n  c: Int\n}\ntype B { a: Int }",
      "type A {\n  a: Int\n\ntype B {\n  a: Int\n}\n\ntype C {\n  a: Int\n}",
      "tpye A {\n  a: Int\n}\ntype B { a: Int }",
      "enum A {\n  B\n  3\n  C\n}\nenum D { E }",
      "{\n  a {\n    b(c: {d: }) {\n      e\n    }\n    f\n  }\n}",
      "{ a(b: {c: {d: [1, }}) { e } f }",
      "\"\"\"never closed\ntype A { a: Int }\ntype B { a: Int }",
      "{ a @ }", "{ a: }", "query Q(", "query Q($", "query Q($a: [", "{ a(b: {c: [",
    ])
  func oneMistake(text: String) { #expect(errors(text).count == 1, "\(errors(text))") }

  @Test("a text that ends inside braces has one error, which labels the innermost open brace")
  func openBrace() {
    let workspace = Workspace()
    let parsed = workspace.parse(Source("{ a { b { c"))
    #expect(parsed.diagnostics.count == 1)
    let label = parsed.diagnostics.first?.labels.first
    #expect(label?.text == "this brace is not closed")
    #expect(label.flatMap { workspace.location(of: $0.span)?.column } == 9)
  }

  @Test("errors are in source order, even in random texts")
  func order() {
    var generator = SeededGenerator(seed: 11)
    let pieces = [
      "{", "}", "(", ")", "query", "type", "a", ":", "\n", " ", "\"", "$", "@", "[", "]", "1",
      "...", "on",
      "extend", "=", "!", "|", "enum", "\"\"\"", "#", "\\", "é",
    ]
    var invalid = 0
    for _ in 0..<3000 {
      let text = (0..<Int.random(in: 1..<60, using: &generator)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &generator)]
      }.joined()
      let diagnostics = Workspace().parse(Source(text)).diagnostics
      let starts = diagnostics.map(\.primarySpan.start)
      #expect(zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 }, "\(text.debugDescription)")
      invalid += diagnostics.isEmpty ? 0 : 1
    }
    #expect(invalid > 2000)
  }

  @Test("parsing stops at the diagnostic limit")
  func manyErrors() {
    let text = String(repeating: "type T { a }\n", count: 1000)
    #expect(errors(text).count == Parser.diagnosticLimit)
  }
}
