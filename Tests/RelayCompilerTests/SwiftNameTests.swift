import Testing

@testable import RelayCompiler

@Suite("Names in generated Swift", .timeLimit(.minutes(10)))
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
    "operations end in their kind",
    arguments: [
      ("Person", "query", "PersonQuery"), ("PersonQuery", "query", "PersonQuery"),
      ("Add", "mutation", "AddMutation"), ("On", "subscription", "OnSubscription"),
      ("Query", "query", "Query_"),
    ])
  func operations(name: String, kind: String, expected: String) {
    #expect(SwiftName.operation(name, kind: kind) == expected)
  }

  @Test(
    "properties of fragments begin in lower case",
    arguments: [
      ("TodoRow_todo", "todoRow_todo"), ("URLBar_item", "urlBar_item"), ("HTML", "html"),
      ("a", "a"), ("A", "a"), ("_x", "_x"),
    ])
  func fragments(name: String, expected: String) {
    #expect(SwiftName.lowerFirst(name) == expected)
  }

  @Test("taken and impossible names get underscores, keywords get backticks")
  func members() {
    #expect(SwiftName.member("self", taken: []) == "self_")
    #expect(SwiftName.member("name", taken: ["name", "name_"]) == "name__")
    #expect(SwiftName.escaped("class") == "`class`")
    #expect(SwiftName.escaped("name") == "name")
    #expect(SwiftName.definition("Data") == "Data_")
  }

  @Test("generated file names that differ by case only, or not at all, are told apart")
  func outputNames() {
    var names = OutputNames()
    #expect(names.name(for: "a/Feed.swift") == "Feed.graphql.swift")
    #expect(names.name(for: "b/feed.swift") == "feed-2.graphql.swift")
    #expect(names.name(for: "c/Feed.graphql") == "Feed-3.graphql.swift")
    #expect(names.name(for: "Schema.swift") == "Schema-2.graphql.swift")
  }
}
