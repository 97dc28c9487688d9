import GraphQLLanguage
import RelayCompiler
import Testing

@Suite("Relay's directives", .timeLimit(.minutes(1)))
struct DirectiveTests {
  private static let schema = """
    interface A { f: A x: Int y(n: Int): Int }
    type B implements A { f: A x: Int y(n: Int): Int }
    type Query { a: A b: B }
    """

  private func rules(_ document: String, schema: String = Self.schema) -> [String] {
    let compilation = Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
        ],
        schema: [Source(path: "schema.graphql", schema)]))
    return compilation.diagnostics.map(\.rule)
  }

  @Test("Relay's directives need no declaration, and a schema may declare them")
  func known() {
    let document = """
      query Q($on: Boolean!) @throwOnFieldError {
        a { x @required(action: LOG) f @catch(to: NULL) { x } ...F @arguments(n: 1) @alias(as: "g") }
        b { ...G @relay(mask: false) ... @include(if: $on) { x } ...H @dangerously_unaliased_fixme }
      }
      query R @catch { a { x } }
      query S @raw_response_type { a { x } }
      query U @updatable { a { x f { ...W } } }
      fragment F on A @argumentDefinitions(n: {type: "Int"}) { y(n: $n) }
      fragment G on B @relay(plural: true) { x }
      fragment H on B @inline { x }
      fragment V on A @updatable { x }
      fragment W on A @assignable { __typename }
      """
    #expect(rules(document) == [])
    let declared = """
      directive @semanticNonNull(levels: [Int!] = [0]) on FIELD_DEFINITION
      directive @required(action: RequiredFieldAction!) on FIELD
      directive @catch(to: CatchFieldTo! = RESULT) on FIELD | QUERY
      directive @throwOnFieldError on QUERY
      enum RequiredFieldAction { NONE LOG THROW }
      enum CatchFieldTo { NULL RESULT }
      interface A { f: A x: Int y(n: Int): Int @semanticNonNull }
      type B implements A { f: A x: Int y(n: Int): Int }
      type Query { a: A b: B }
      """
    #expect(rules(document, schema: declared) == [])
  }

  @Test("Relay's directives are known by their exact names and locations")
  func names() {
    let fragment = " fragment F on B { x }"
    #expect(rules("query Q @relay_test_operation { a { x } }") == [])
    #expect(rules("fragment F on B @relay_test_operation { x }") == ["known-directives"])
    #expect(rules("query Q { a { ...F @dangerously_unaliased_fixme } }" + fragment) == [])
    #expect(
      rules("query Q { a { ...F @dangerouslyUnaliasedFixme } }" + fragment) == ["known-directives"])
    let compilation = Compiler.compile(
      CompilationInput(
        sources: [
          .init(
            path: "a.graphql",
            bytes: ContiguousArray("query Q @relay_test_operation { a { x } }".utf8),
            output: "a.swift")
        ],
        schema: [Source(path: "schema.graphql", Self.schema)], makesManifest: true))
    #expect(compilation.manifest.map(\.text) == ["query Q{a{__typename x}}"])
  }

  @Test("labels of @defer and @stream are filled in, even if the schema requires them")
  func requiredLabels() {
    let schema = """
      directive @defer(label: String!, if: Boolean = true) on FRAGMENT_SPREAD | INLINE_FRAGMENT
      directive @stream(label: String!, initial_count: Int!, if: Boolean = true) on FIELD
      type B { x: Int all: [B] }
      type Query { b: B }
      """
    let fragment = " fragment F on B { x }"
    let document = "query Q { b { ...F @defer all @stream(initial_count: 1) { x } } }" + fragment
    #expect(rules(document, schema: schema) == [])
    #expect(
      rules("query Q { b { all @stream { x } } }", schema: schema) == [
        "provided-required-arguments"
      ])
  }

  @Test("the arguments of @relay are checked against its location")
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

  @Test("@alias needs a valid name, and a spread or a type condition")
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

  @Test("unmasking never makes an operation variable a fragment variable of the same name")
  func captured() {
    let documents = """
      query Q($n: Int) { a { ...F @arguments(n: 1) ...G } }
      fragment F on A @argumentDefinitions(n: {type: "Int"}) { one: y(n: $n) f { ...G @relay(mask: false) } }
      fragment G on A { y(n: $n) }
      """
    #expect(rules(documents) == ["unmasked-variables"])
  }

  @Test("all selections of a field have the same arguments of a non-repeatable server directive")
  func serverDirectives() {
    let schema =
      Self.schema + """
         directive @in(unit: String!) on FIELD
         directive @tag(name: String!) repeatable on FIELD
        """
    #expect(rules("{ b { x @in(unit: \"m\") x @in(unit: \"m\") } }".named, schema: schema) == [])
    #expect(
      rules("{ b { x @in(unit: \"m\") x @in(unit: \"cm\") } }".named, schema: schema)
        == ["overlapping-fields-can-be-merged"])
    #expect(
      rules("{ b { x @tag(name: \"m\") x @tag(name: \"cm\") } }".named, schema: schema) == [])
    // The two selections are in separate definitions of the operation's document.
    let fragment = "fragment F on B { x @in(unit: \"cm\") }"
    #expect(rules("query Q { b { x @in(unit: \"m\") ...F } } \(fragment)", schema: schema) == [])
  }

  @Test("unmasked fragments that fan out are limited in size")
  func growth() {
    let links = (0..<50).map {
      "fragment F\($0) on A { l\($0): f { ...F\($0 + 1) @relay(mask: false) } "
        + "r\($0): f { ...F\($0 + 1) @relay(mask: false) } }"
    }
    let found = rules("\(links.joined(separator: " ")) fragment F50 on A { x }")
    #expect(found.contains("definition-size"))
  }
}

extension String {
  /// A named query with this selection set.
  fileprivate var named: String { "query Q " + self }
}
