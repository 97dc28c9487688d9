import GraphQLLanguage
import Testing

@testable import RelayCompiler

@Suite("What is said of @required, @catch and @throwOnFieldError", .timeLimit(.minutes(10)))
struct ErrorDirectiveTests {
  private static let schema = """
    interface A { f: A x: Int }
    type B implements A { f: A x: Int n: Int! s: Int @semanticNonNull list: [B] }
    type Query { a: A b: B }
    """

  /// What is wrong with a document: severity, message, the text it is about, and that of the label.
  private func problems(_ document: String) -> [String] {
    let compilation = Compilation(
      sources: [.init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")],
      schema: [Source(path: "schema.graphql", Self.schema)])
    return compilation.diagnostics.map { diagnostic in
      ([diagnostic.primary] + diagnostic.labels.map(\.span)).reduce(diagnostic.message) {
        let bytes = Array(document.utf8)[Int($1.start)..<Int($1.end)]
        return $0 + " | " + String(decoding: bytes, as: UTF8.self)
      } + (diagnostic.severity == .warning ? " (warning)" : "")
    }
  }

  @Test("good uses are silent, without any declaration in the schema")
  func good() {
    #expect(
      problems(
        """
        query Q { b { x @required(action: LOG) f @catch { x } list @catch(to: NULL) { x @required(action: THROW) } } }
        query R @throwOnFieldError { b { x @required(action: NONE) s } }
        fragment F on B @catch(to: RESULT) { x }
        """) == [])
  }

  @Test("the arguments are checked")
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

  @Test("all occurrences of a field say the same")
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

  @Test("what is required in an object is selected at all its places")
  func instances() {
    #expect(
      problems("query Q { b { x @required(action: LOG) } b { n } }") == [
        "Field \"x\" is @required here and missing where \"b\" is selected elsewhere. | x | b"
      ])
    #expect(problems("query Q { b { n } c: b { x @required(action: LOG) } }") == [])
  }

  @Test("a child is at least as severe as its parent")
  func severity() {
    #expect(
      problems("query Q { b @required(action: THROW) { x @required(action: LOG) } }") == [
        "Field \"x\" has @required(action: LOG), less severe than THROW of the field around it. "
          + "| @required(action: THROW) | x"
      ])
    #expect(problems("query Q { b @required(action: NONE) { x @required(action: LOG) } }") == [])
  }

  @Test("@required is not for abstract inline fragments without a name, nor @inline fragments")
  func places() {
    #expect(
      problems("query Q { a { ... on A { x @required(action: LOG) } } }") == [
        "@required cannot be in an inline fragment on an interface or union: whether the field is "
          + "null or the object of another type could not be told. | @required(action: LOG)"
      ])
    #expect(problems("query Q { a { ... on B { x @required(action: LOG) } } }") == [])
    #expect(
      problems("fragment F on B @inline { x @required(action: LOG) }") == [
        "@required is not supported in a fragment with @inline. | @required(action: LOG) | @inline"
      ])
  }

  @Test("@required on what is never null is a warning")
  func needless() {
    #expect(
      problems("query Q { b { n @required(action: LOG) s @required(action: LOG) } }") == [
        "Field \"n\" is non-null and needs no @required. | @required(action: LOG) (warning)"
      ])
    #expect(
      problems("query Q { b @catch { s @required(action: LOG) } }") == [
        "Field \"s\" is @semanticNonNull and needs no @required where errors are caught or thrown. "
          + "| @required(action: LOG) (warning)"
      ])
  }

  @Test("what an unmasked fragment says of a field holds where it is put")
  func unmasked() throws {
    let document = """
      query Q { b { x list { x } ...F @relay(mask: false) } }
      fragment F on B { x @required(action: LOG) list @catch { x } }
      """
    let compilation = Compilation(
      sources: [.init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")],
      schema: [Source(path: "schema.graphql", Self.schema)])
    let text = try #require(compilation.files.first?.text)
    #expect(text.contains("Q Query{b B{x Int~log list [B{x Int}]~result}}"))
  }

  @Test("@catch excludes @required on one field, and @throwOnFieldError on one definition")
  func combinations() {
    #expect(
      problems("query Q { b { x @catch @required(action: LOG) } }") == [
        "@catch and @required cannot be on the same field. | @catch | @required(action: LOG)"
      ])
    #expect(
      problems("query Q @catch @throwOnFieldError { b { x } }") == [
        "@catch and @throwOnFieldError say different things of the same errors. | @catch | "
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
    #expect(
      problems("query Q { b { x @throwOnFieldError } }") == [
        "@throwOnFieldError is not supported on a field. | @throwOnFieldError"
      ])
  }
}
