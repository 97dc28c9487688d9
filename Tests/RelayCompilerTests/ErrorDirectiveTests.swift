import GraphQLLanguage
import RelayCompiler
import Testing

@Suite("@required, @catch and @throwOnFieldError", .timeLimit(.minutes(1)))
struct ErrorDirectiveTests {
  private static let schema = """
    interface A { f: A x: Int }
    type B implements A { f: A x: Int n: Int! s: Int @semanticNonNull list: [B] }
    type Query { a: A b: B }
    """

  /// The diagnostics of a document: for each one the message, the source at its location and at its
  /// labels, and the severity of a warning.
  private func problems(_ document: String, schema: String = schema) -> [String] {
    let compilation = Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
        ],
        schema: [Source(path: "schema.graphql", schema)]))
    return compilation.diagnostics.map { diagnostic in
      ([diagnostic.primarySpan] + diagnostic.labels.map(\.span)).reduce(diagnostic.message) {
        let bytes = Array(document.utf8)[Int($1.start)..<Int($1.end)]
        return $0 + " | " + String(decoding: bytes, as: UTF8.self)
      } + (diagnostic.severity == .warning ? " (warning)" : "")
    }
  }

  @Test("valid uses are accepted, without any declaration in the schema")
  func good() {
    #expect(
      problems(
        """
        query Q { b { x @required(action: LOG) f @catch { x } list @catch(to: NULL) { x @required(action: THROW) } } }
        query R @throwOnFieldError { b { x @required(action: NONE) s } }
        fragment F on B @catch(to: RESULT) { x }
        """) == [])
  }

  @Test("invalid and missing arguments are reported")
  func arguments() {
    #expect(
      problems("query Q { b { x @required(action: EVEN) f @catch(to: \"NULL\") { x } } }") == [
        "\"action\" of @required must be NONE, LOG or THROW. | EVEN",
        "\"to\" of @catch must be NULL or RESULT. | \"NULL\"",
      ])
    #expect(
      problems("query Q { b { x @required } }") == [
        "Directive \"@required\" argument \"action\" of type \"RequiredFieldAction!\" is required, but it was not provided. | @required"
      ])
  }

  @Test("all selections of a field have the same error directives")
  func occurrences() {
    #expect(
      problems("query Q { b { x @required(action: LOG) ... on B { x @required(action: NONE) } } }")
        == ["Field \"x\" has @required with NONE here and with LOG elsewhere. | x | x"])
    #expect(
      problems("query Q { b { x } b { x @required(action: LOG) } }").first
        == "Field \"x\" has @required here and not elsewhere. | x | x")
    #expect(
      problems("query Q { b { x @catch x } }")
        == ["Field \"x\" has @catch here and not elsewhere. | x | x"])
    #expect(
      problems("query Q { b { x @catch x @catch(to: NULL) } }")
        == ["Field \"x\" has @catch with NULL here and with RESULT elsewhere. | x | x"])
    #expect(problems("query Q { b { x @required(action: LOG) y: x } }") == [])
  }

  @Test("all selections of an object have the same @required fields")
  func instances() {
    #expect(
      problems("query Q { b { x @required(action: LOG) } b { n } }") == [
        "Field \"x\" is @required here and missing where \"b\" is selected elsewhere. | x | b"
      ])
    #expect(problems("query Q { b { n } c: b { x @required(action: LOG) } }") == [])
  }

  @Test("a child's @required action is at least as severe as its parent's")
  func severity() {
    #expect(
      problems("query Q { b @required(action: THROW) { x @required(action: LOG) } }") == [
        "Field \"x\" has @required(action: LOG), less severe than THROW on the enclosing field. "
          + "| @required(action: THROW) | x"
      ])
    #expect(problems("query Q { b @required(action: NONE) { x @required(action: LOG) } }") == [])
  }

  @Test("@required is rejected in @inline fragments and unaliased abstract inline fragments")
  func places() {
    #expect(
      problems("query Q { a { ... on A { x @required(action: LOG) } } }") == [
        "@required cannot be in an inline fragment on an interface or union: a null field "
          + "could not be distinguished from an object of another type. | @required(action: LOG)"
      ])
    #expect(problems("query Q { a { ... on B { x @required(action: LOG) } } }") == [])
    #expect(
      problems("fragment F on B @inline { x @required(action: LOG) }") == [
        "@required is not supported in a fragment with @inline. | @required(action: LOG) | @inline"
      ])
  }

  @Test("@required on a field that is never null is a warning")
  func needless() {
    #expect(
      problems("query Q { b { n @required(action: LOG) s @required(action: LOG) } }") == [
        "Field \"n\" is non-null and does not need @required. | @required(action: LOG) (warning)"
      ])
    #expect(
      problems("query Q { b @catch { s @required(action: LOG) } }") == [
        "Field \"s\" is @semanticNonNull and does not need @required where errors are caught or "
          + "thrown. | @required(action: LOG) (warning)"
      ])
  }

  @Test("the error directives of an unmasked fragment apply to the fields it is merged with")
  func unmasked() throws {
    let document = """
      query Q { b { x list { x } ...F @relay(mask: false) } }
      fragment F on B { x @required(action: LOG) list @catch { x } }
      """
    let compilation = Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
        ],
        schema: [Source(path: "schema.graphql", Self.schema)]))
    let text = try #require(compilation.files.first?.text)
    #expect(text.contains("Q Query{b B{x Int~log list [B{x Int}]~result}}"))
  }

  @Test("@catch excludes @required on a field, and @throwOnFieldError on a definition")
  func combinations() {
    #expect(
      problems("query Q { b { x @catch @required(action: LOG) } }") == [
        "@catch and @required cannot be on the same field. | @catch | @required(action: LOG)"
      ])
    #expect(
      problems("query Q @catch @throwOnFieldError { b { x } }") == [
        "@catch and @throwOnFieldError contradict each other about the same errors. | @catch | "
          + "@throwOnFieldError"
      ])
    #expect(
      problems("fragment F on B @inline @catch { x }") == [
        "@catch is not supported on a fragment with @inline. | @catch | @inline"
      ])
    #expect(
      problems("query Q { b { ... on B @catch { x } } }") == [
        "@catch is not supported on an inline fragment. | @catch"
      ])
    // Relay's @catch is not allowed there, but the schema may define the directive itself.
    #expect(
      problems(
        "query Q { b { ...F @catch } } fragment F on B { x }",
        schema: Self.schema + " directive @catch on FRAGMENT_SPREAD") == [
          "@catch is not supported on a fragment spread. | @catch"
        ])
    #expect(
      problems("query Q { b { x @throwOnFieldError } }") == [
        "@throwOnFieldError is not supported on a field. | @throwOnFieldError"
      ])
  }
}
