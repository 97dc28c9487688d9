import GraphQLLanguage
import RelayCompiler
import Testing

@Suite("Diagnostics for documents", .timeLimit(.minutes(1)))
struct MessageTests {
  private func diagnostics(_ source: String, path: String = "a.graphql") -> [Diagnostic] {
    Compiler.compile(
      CompilationInput(
        sources: [.init(path: path, bytes: ContiguousArray(source.utf8), output: "a.swift")],
        schema: [
          Source(
            path: "schema.graphql",
            """
            enum Color { RED GREEN BLUE }
            interface A { x(n: Int): Int f: A c(c: Color): Int }
            type B implements A { x(n: Int): Int f: A c(c: Color): Int b: B }
            type C implements A { x(n: Int): Int f: A c(c: Color): Int }
            type Query { a: A b: B }
            """)
        ]
      )
    ).diagnostics
  }

  private static let fragments = """
    fragment F on B @argumentDefinitions(n: {type: "Int", defaultValue: 1}) { x(n: $n) }
    fragment G on A @argumentDefinitions(n: {type: "Int"}) { f { y: x(n: $n) } }
    """

  @Test("an invalid enum value is reported with the valid values")
  func enums() {
    let found = diagnostics("query Q { b { c(c: PURPLE) } }")
    #expect(found.map(\.message) == ["Value \"PURPLE\" does not exist in \"Color\" enum."])
    #expect(found.map(\.help) == ["Use one of RED, GREEN, BLUE."])
    #expect(
      diagnostics("query Q { b { c(c: 1) } }").map(\.help) == ["Use one of RED, GREEN, BLUE."])
    #expect(diagnostics("query Q { b { x(n: true) } }").map(\.help) == [nil])
  }

  @Test("a tag without a document is reported", arguments: ["", " ", "# only a word"])
  func empty(_ text: String) {
    let found = diagnostics("let a = graphql(\"\(text)\")", path: "a.swift")
    #expect(found.map(\.message) == ["The document is empty."])
  }

  @Test("a fragment that is spread twice on one object with different arguments needs an alias")
  func twice() {
    let message =
      "Fragment \"F\" is spread here with different arguments than before on the same object."
    func messages(_ query: String) -> [String] {
      diagnostics(query + Self.fragments).map(\.message)
    }
    let found = diagnostics(
      "query Q { b { ...F @arguments(n: 1) ...F @arguments(n: 2) } }" + Self.fragments)
    #expect(found.map(\.message) == [message])
    #expect(found.first?.labels.map(\.text) == ["spread before here"])
    #expect(messages("query Q { b { ...F @arguments(n: 2) } b { ...F } }") == [message])
    #expect(
      messages("query Q { b { ...F @arguments(n: 2) ... on A { ... on B { ...F } } } }") == [
        message
      ])
    // Equal arguments, one of them by default; different objects; disjoint types.
    #expect(messages("query Q { b { ...F @arguments(n: 1) ...F } }") == [])
    #expect(messages("query Q { b { ...F @arguments(n: 1) b { ...F @arguments(n: 2) } } }") == [])
    #expect(
      messages(
        "query Q { a { ... on B { ...G @arguments(n: 1) } ... on C { ...G @arguments(n: 2) } } }")
        == [])
  }

  @Test("with an alias, only the conflict in the operation text is reported")
  func named() {
    let found = diagnostics(
      "query Q { b { ...F @arguments(n: 1) ...F @arguments(n: 2) @alias(as: \"two\") } }"
        + Self.fragments)
    #expect(found.map(\.rule) == ["overlapping-fields-can-be-merged"])
  }

  @Test("field arguments are compared after fragment arguments are applied")
  func overlap() {
    func places(_ query: String) -> [String] {
      let text = query + Self.fragments
      return diagnostics(text).flatMap(\.locations).map { span in
        String(decoding: Array(text.utf8)[Int(span.start)..<Int(span.end)], as: UTF8.self)
      }
    }
    #expect(places("query Q($m: Int) { b { ...F @arguments(n: $m) x(n: $m) } }") == [])
    #expect(places("query Q { b { ...F x(n: 1) } }") == [])
    #expect(places("query Q($n: Int) { b { ...F x(n: $n) } }") == ["1", "$n"])
    #expect(places("query Q { b { ...F @arguments(n: 3) x(n: 4) } }") == ["3", "4"])
    #expect(places("query Q { b { ...F x } }") == ["1"])
    #expect(places("query Q { b { x(n: 1) b { x } ...F b { x(n: 2) } } }") != [])
  }

  @Test("a conflict inside one fragment is one error with both locations, whatever its variables")
  func withinFragment() {
    func conflicts(_ fields: String, _ query: String = "query Q { b { ...H } }") -> [[String]] {
      let text = """
        fragment H on B @argumentDefinitions(n: {type: "Int"}, m: {type: "Int"}) { \(fields) x(n: $m) b { b { x(n: $n) } } }
        \(query)
        """
      return diagnostics(text).map { diagnostic in
        diagnostic.locations.map { span in
          String(decoding: Array(text.utf8)[Int(span.start)..<Int(span.end)], as: UTF8.self)
        }
      }
    }
    let query = "query Q { b { ...H @arguments(n: 1, m: 2) } a { ... on B { ...H } } }"
    #expect(conflicts("x(n: $m)", query) == [])
    #expect(conflicts("x(n: $n)") == [["x(n: $n)", "x(n: $m)"]])
    #expect(conflicts("x(n: $n)", query) == [["x(n: $n)", "x(n: $m)"]])
    #expect(conflicts("x(n: 1)", query) == [["x(n: 1)", "x(n: $m)"]])
    #expect(
      conflicts("b { b { x(n: 3) } }", query)
        == [
          [
            "b { b { x(n: 3) } }", "b { x(n: 3) }", "x(n: 3)", "b { b { x(n: $n) } }",
            "b { x(n: $n) }", "x(n: $n)",
          ]
        ])
  }

  @Test("a conflict due to fragment arguments is reported once, however many operations have it")
  func acrossFragments() {
    let found = diagnostics(
      "query Q { b { ...I } } query R { b { ...I } } fragment I on B { ...F @arguments(n: 3) x(n: 4) }"
        + Self.fragments)
    #expect(found.map(\.rule) == ["overlapping-fields-can-be-merged"])
  }
}
