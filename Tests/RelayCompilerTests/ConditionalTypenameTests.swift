import GraphQLLanguage
import RelayCompiler
import Testing

@Suite("__typename under a condition", .timeLimit(.minutes(1)))
struct ConditionalTypenameTests {
  @Test("a conditional __typename is always read, because every record has its type")
  func isAlwaysRead() {
    let text = """
      query Q($on: Boolean!) {
        dog { name __typename @include(if: $on) }
        animal { ... @skip(if: $on) { kind: __typename } }
      }
      """
    let compilation = Compiler.compile(
      CompilationInput(
        sources: [.init(path: "Q.graphql", bytes: ContiguousArray(text.utf8), output: "Q.swift")],
        schema: [
          Source(
            path: "schema.graphql",
            bytes: ContiguousArray(
              "type Query { dog: Dog animal: Animal } interface Animal { name: String } type Dog implements Animal { name: String }"
                .utf8))
        ]))
    #expect(compilation.diagnostics == [])
    let swift = compilation.files.first?.text.onOneLine ?? ""
    #expect(swift.contains("dog Dog{name String __typename String!}"))
    #expect(swift.contains("animal *Animal{__typename String! kind:__typename String!}"))
    #expect(swift.contains("var kind: String {"))
    #expect(swift.contains("__typename@include(if:$on)"))
  }
}
