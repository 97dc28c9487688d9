import GraphQLLanguage
import RelayCompiler
import Testing

@Suite("Provided variables", .timeLimit(.minutes(1)))
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
        == ["Argument \"x\" has a provider and cannot have a default."])
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

  private func diagnostics(swift files: String..., provider: String = "Media.Scale") -> [Diagnostic]
  {
    let document = """
      query Q { me { ...F } }
      fragment F on User @argumentDefinitions(x: {type: "Int", provider: "\(provider)"}) {
        image(scale: $x)
      }
      """
    let sources = [("a.graphql", document)] + files.enumerated().map { ("\($0).swift", $1) }
    return Compiler.compile(
      CompilationInput(
        sources: sources.map {
          .init(path: $0, bytes: ContiguousArray($1.utf8), output: $0 + ".graphql.swift")
        },
        schema: [
          Source(
            path: "schema.graphql",
            "type Query { me: User } type User { image(scale: Int): String }")
        ])
    ).diagnostics
  }

  @Test(
    "a provider that the module declares is nonisolated",
    arguments: [
      "enum Media { nonisolated enum Scale { static func get() -> Int { 1 } } }",
      "nonisolated enum Media { struct Scale { static func get() -> Int { 1 } } }",
      "extension Media.Scale { @inlinable nonisolated public static func get() -> Int { 1 } }",
      "@frozen\nnonisolated\npublic enum Scale {\n  static let one = { 1 }()\n  static func get() {} }",
      "actor Scale { static func get() -> Int { 1 } }",
      "class Scale { nonisolated class func get() -> Int { 1 } }",
      "nonisolated extension Media.Scale { static var get: @Sendable () -> Int { { 1 } } }",
      "enum Scale { static func get(_ x: Int) -> Int { x } }\n"
        + "extension Scale { nonisolated static func get() -> Int { 1 } }",
      "typealias Scale = Other", "enum Scale { func get() -> Int { 1 } }",
      "enum Scale { static func other() { func get() {} } static var x: Int { get { 1 } } }",
      "// enum Scale { static func get() -> Int { 1 } }", "enum Scales { static func get() {} }",
    ])
  func nonisolated(_ code: String) {
    #expect(diagnostics(swift: "let x = 1", code).map(\.message) == [])
  }

  @Test(
    "a provider that may be isolated to the main actor is an error at the tag, with its declaration",
    arguments: [
      "enum Media { enum Scale { static func get() -> Int { 1 } } }",
      "@MainActor enum Scale { static func get() -> Int { 1 } }",
      "nonisolated enum Media {}\nextension Media.Scale { static func get() -> Int { 1 } }",
      "enum Scale { nonisolated static let one = 1\n static func get() -> Int { one } }",
      "struct Scale<T>: Hashable where T: Hashable { class func get() -> Int { 1 } }",
      "enum A { nonisolated enum B {} enum Scale { static let get = { 1 } } }",
      "let actor = nonisolated { 1 }\nenum Scale { static func get() -> Int { 1 } }",
    ])
  func isolated(_ code: String) throws {
    let found = diagnostics(swift: "enum Other { static func get() {} }", code)
    #expect(
      found.map(\.message) == [
        "Provider \"Media.Scale\" is not declared nonisolated. Operations call its get() on "
          + "whatever thread they are created."
      ])
    #expect(found.map(\.rule) == ["provided-variables"])
    #expect(found.first?.labels.map(\.text) == ["may be isolated to the main actor"])
  }

  @Test("the error names the line of the tag and the line of the declaration")
  func places() throws {
    let project = try TemporaryProject([
      "schema.graphql": "type Query { me: User } type User { image(scale: Int): String }",
      "src/Feed.swift": #"""
      let feed = graphql(
        """
        query Feed { me { ...Face } }
        fragment Face on User @argumentDefinitions(x: {type: "Int", provider: "Scale"}) { image(scale: $x) }
        """)
      """#,
      "src/Scale.swift": "/// Pixels.\nenum Scale {\n  static func get() -> Int { 2 }\n}\n",
    ])
    let errors = project.compile().errors
    #expect(errors.contains("src/Feed.swift:4:46: error: Provider \"Scale\" is not"))
    #expect(errors.contains("src/Scale.swift:3\n3 |   static func get() -> Int { 2 }\n"))
  }
}
