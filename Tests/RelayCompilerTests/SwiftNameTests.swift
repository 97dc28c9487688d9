import GraphQLLanguage
import Testing

@testable import RelayCompiler

@Suite("Names in generated Swift", .timeLimit(.minutes(1)))
struct SwiftNameTests {
  @Test(
    "enum values become Swift cases",
    arguments: [
      ("OPEN", "open"), ("IN_PROGRESS", "inProgress"), ("inProgress", "inProgress"),
      ("Open", "open"), ("snake_case", "snake_case"), ("_HIDDEN_ONE", "_hiddenOne"), ("A", "a"),
      ("V2_BETA", "v2Beta"), ("__X__", "__x"), ("_", "_"),
    ])
  func enumCases(value: String, name: String) {
    #expect(SwiftName.enumCase(value) == name)
  }

  @Test(
    "enum values with the name of a member that every enum has get an underscore",
    arguments: [
      "none", "some", "unrecognized", "allCases", "rawValue", "hash", "hashValue", "customMirror",
      "encode", "self", "init",
    ])
  func enumMembers(value: String) throws {
    let workspace = Workspace()
    let text = "enum Kind { \(value) OPEN } type Query { kind: Kind }"
    let sdl = workspace.parse(Source(path: "schema.graphql", text)).document
    let schema = Schema.build(from: [sdl], in: workspace)
    let kind = try #require(schema.type(named: "Kind"))
    let cases = EnumCases(kind, symbols: schema.symbols)
    #expect(
      kind.enumValues.map { cases.escaped($0.symbol) }
        == [SwiftName.enumCase(value) + "_", "open"])
  }

  @Test(
    "the type names of operations end in the kind of operation",
    arguments: [
      ("Person", "query", "PersonQuery"), ("PersonQuery", "query", "PersonQuery"),
      ("Add", "mutation", "AddMutation"), ("On", "subscription", "OnSubscription"),
      ("Query", "query", "Query_"), ("issue", "query", "IssueQuery"),
      ("issueQuery", "query", "IssueQuery"),
      ("_x", "query", "_xQuery"),
    ])
  func operations(name: String, kind: String, expected: String) {
    #expect(SwiftName.operation(name, kind: kind) == expected)
  }

  @Test(
    "the property names of fragments begin with a lowercase letter",
    arguments: [
      ("TodoRow_todo", "todoRow_todo"), ("URLBar_item", "urlBar_item"), ("HTML", "html"),
      ("a", "a"), ("A", "a"), ("_x", "_x"),
    ])
  func fragments(name: String, expected: String) {
    #expect(SwiftName.lowerFirst(name) == expected)
  }

  @Test("taken and reserved names get underscores, and keywords get backticks")
  func members() {
    #expect(SwiftName.member("self", taken: []) == "self_")
    #expect(SwiftName.member("name", taken: ["name", "name_"]) == "name__")
    #expect(SwiftName.escaped("class") == "`class`")
    #expect(SwiftName.escaped("name") == "name")
    #expect(SwiftName.definition("Data") == "Data_")
    #expect(SwiftName.definition("data") == "Data_")
    #expect(SwiftName.definition("issue") == "Issue")
    #expect(SwiftName.definition("string") == "String_")
  }

  @Test("generated file names that differ only in case, or not at all, get numbers")
  func outputNames() {
    var names = OutputNames()
    #expect(names.name(for: "a/Feed.swift") == "Feed.graphql.swift")
    #expect(names.name(for: "b/feed.swift") == "feed-2.graphql.swift")
    #expect(names.name(for: "c/Feed.graphql") == "Feed-3.graphql.swift")
    #expect(names.name(for: "Schema.swift") == "Schema-2.graphql.swift")
    // macOS treats each pair as one name: the first by case, the second by normalization.
    #expect(names.name(for: "a/Straße.swift") == "Straße.graphql.swift")
    #expect(names.name(for: "b/STRASSE.swift") == "STRASSE-2.graphql.swift")
    #expect(names.name(for: "a/Caf\u{E9}.swift") == "Caf\u{E9}.graphql.swift")
    #expect(names.name(for: "b/Cafe\u{301}.swift") == "Cafe\u{301}-2.graphql.swift")
  }
}
