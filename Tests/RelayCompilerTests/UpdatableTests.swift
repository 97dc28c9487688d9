import GraphQLLanguage
import RelayCompiler
import Testing

@Suite("@updatable and @assignable", .timeLimit(.minutes(1)))
struct UpdatableTests {
  private func messages(_ document: String) -> [String] {
    let compilation = Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
        ],
        schema: [
          Source(
            path: "schema.graphql",
            """
            interface Node { id: ID! }
            type User implements Node { id: ID! name: String friend: User grid: [[User]] }
            type Bot implements Node { id: ID! }
            type Query { me: User node: Node }
            type Mutation { a: Int }
            """)
        ]))
    return compilation.diagnostics.map(\.message)
  }

  private static let assignable = "fragment A on User @assignable { __typename }"

  @Test("valid definitions are accepted")
  func good() {
    #expect(
      messages(
        """
        query Q @updatable { me { name friend { ...A } } node { ...A ... on Bot { id } } }
        fragment F on User @updatable { name friend { ...A } }
        \(Self.assignable)
        """) == [])
  }

  @Test("an @assignable fragment selects only __typename")
  func assignable() {
    #expect(
      messages("fragment A on User @assignable { __typename name }")
        == ["The @assignable fragment \"A\" selects more than __typename."])
    #expect(
      messages("fragment A on User @assignable { t: __typename }").count == 1)
    #expect(
      messages("fragment A on User @assignable @inline { __typename }")
        == ["@inline is not allowed in an @assignable fragment."])
  }

  @Test("only @assignable fragments of a matching type can be spread, and only on a field")
  func spreads() {
    #expect(
      messages("query Q @updatable { me { ...F } } fragment F on User { name }") == [
        "Fragment \"F\" is not @assignable and cannot be spread in an @updatable definition."
      ])
    #expect(
      messages("fragment F on User @updatable { name ...A } \(Self.assignable)") == [
        "The @assignable fragment \"A\" is spread where no field can be assigned."
      ])
    #expect(
      messages(
        "query Q @updatable { me { ...N } } fragment N on Node @assignable { __typename }") == [
          "The @assignable fragment \"N\" on \"Node\" cannot be assigned to a field of type "
            + "\"User\": not every Node is one."
        ])
  }

  @Test("conditions and other directives are rejected")
  func directives() {
    #expect(
      messages("query Q($on: Boolean!) @updatable { me { name @include(if: $on) } }")
        == ["@include is not allowed in an @updatable definition."])
    #expect(
      messages("query Q @updatable @raw_response_type { me { name @required(action: LOG) } }") == [
        "@raw_response_type is not allowed in an @updatable query.",
        "@required is not allowed in an @updatable definition.",
      ])
    #expect(
      messages("mutation M @updatable { a }")
        == ["Directive \"@updatable\" may not be used on MUTATION."])
  }

  @Test("lists of lists of objects cannot be updated")
  func lists() {
    #expect(
      messages("query Q @updatable { me { grid { name } } }") == [
        "Field \"grid\" is a list of lists of objects and cannot be updated."
      ])
  }
}
