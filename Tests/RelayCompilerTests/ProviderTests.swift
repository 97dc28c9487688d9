import GraphQLLanguage
import Testing

@testable import RelayCompiler

@Suite("Provided variables", .timeLimit(.minutes(10)))
struct ProviderTests {
  private func messages(_ declarations: String, spread: String = "...F") -> [String] {
    let document = """
      query Q { me { \(spread) } }
      fragment F on User @argumentDefinitions(\(declarations)) { image(scale: $x) }
      """
    let compilation = Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
        ],
        schema: [
          Source(
            path: "schema.graphql",
            "type Query { me: User } type User { image(scale: Int): String friend: User }")
        ]))
    return compilation.diagnostics.map(\.message)
  }

  @Test("a provided argument needs no value, and passing one is an error")
  func passing() {
    #expect(messages(#"x: {type: "Int!", provider: "Scale"}"#) == [])
    #expect(
      messages(#"x: {type: "Int!", provider: "Scale"}"#, spread: "...F @arguments(x: 1)") == [
        "Argument \"x\" of fragment \"F\" is provided by \"Scale\" and cannot be passed."
      ])
  }

  @Test("a provider excludes a default value")
  func defaults() {
    #expect(
      messages(#"x: {type: "Int", provider: "Scale", defaultValue: 1}"#)
        == ["Argument \"x\" has a provider, and so no default."])
  }

  @Test(
    "a provider is the name of a Swift type",
    arguments: [#""a b""#, #""""#, #""1a""#, #""a..b""#, "Scale", "1", #""a/b""#, #""a\n()""#])
  func names(_ provider: String) {
    #expect(
      messages("x: {type: \"Int\", provider: \(provider)}")
        == ["The provider of argument \"x\" is not the name of a Swift type."])
  }

  @Test("all uses of a provider have the same type")
  func types() {
    #expect(
      messages(
        #"x: {type: "Int!", provider: "Scale"}"#,
        spread: "...F friend { ...G } } } fragment G on User "
          + "@argumentDefinitions(y: {type: \"Int\", provider: \"Scale\"}) { image(scale: $y) } "
          + "query R { me { friend { ...G }") == [
          "Provider \"Scale\" is used with type \"Int!\" here and with \"Int\" elsewhere."
        ])
  }

  @Test("an unused provided argument is reported like any other")
  func unused() {
    #expect(
      messages(#"x: {type: "Int", provider: "Scale"}, z: {type: "Int", provider: "Other"}"#)
        == ["Argument \"$z\" is never used in fragment \"F\"."])
  }
}
