import GraphQLLanguage
import RelayCompiler
import Testing

@Suite("Derived fields", .timeLimit(.minutes(1)))
struct DerivedFieldTests {
  /// The messages of the errors in a document.
  private func messages(_ extensions: String, _ document: String) -> [String] {
    let compilation = Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "A.graphql", bytes: ContiguousArray(document.utf8), output: "A.swift")
        ],
        schema: [
          Source(
            path: "schema.graphql",
            "type Query { user: User node: Node } interface Node { id: ID! } "
              + "type User implements Node { id: ID! first: String last: String }")
        ], extensions: [Source(path: "client.graphql", extensions)]))
    return compilation.diagnostics.filter { $0.severity == .error }.map(\.message)
  }

  @Test("a fragment on the type or on one of its interfaces is accepted")
  func valid() {
    let extensions = "extend type User { full: String @derived(fragment: \"Full\") }"
    #expect(messages(extensions, "query Q { user { full } } fragment Full on User { first }") == [])
    #expect(messages(extensions, "query Q { user { full } } fragment Full on Node { id }") == [])
    // No document selects the derived field, so its fragment may be missing.
    #expect(messages(extensions, "query Q { user { first } }") == [])
  }

  @Test(
    "an invalid derived field is reported",
    arguments: [
      (
        "full: String @derived(fragment: \"Full\")", "query Q { user { full } }",
        "Fragment \"Full\" of derived field \"User.full\" is not defined."
      ),
      (
        "full: String @derived(fragment: \"Full\")",
        "query Q { user { full } } fragment Full on Query { user { id } }",
        "Derived field \"User.full\" cannot be computed from fragment \"Full\" on \"Query\"."
      ),
      (
        "full: User @derived(fragment: \"Full\")",
        "query Q { user { full { id } } } fragment Full on User { first }",
        "Derived field \"User.full\" has arguments, or is not a scalar or enum."
      ),
      (
        "full(a: Int): Int @derived(fragment: \"Full\")",
        "query Q { user { full(a: 1) } } fragment Full on User { first }",
        "Derived field \"User.full\" has arguments, or is not a scalar or enum."
      ),
      (
        "full: String @derived(fragment: \"Full\")",
        "query Q { user { full } } fragment Full on User { first ...More } fragment More on User { full }",
        "Derived field \"User.full\" is computed from itself: fragment \"Full\" selects it."
      ),
      (
        "full: String @derived(fragment: \"Full\")",
        "query Q { user { full } } fragment Full on User @argumentDefinitions(a: {type: \"Boolean\", defaultValue: true}) "
          + "{ first @include(if: $a) }",
        "Fragment \"Full\" of derived field \"User.full\" uses variables, or is @inline or @updatable."
      ),
    ])
  func refused(field: String, document: String, message: String) {
    #expect(messages("extend type User { \(field) }", document) == [message])
  }
}
