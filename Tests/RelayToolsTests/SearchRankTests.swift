import Testing

@testable import RelayTools

@Suite("Ranks of a search", .timeLimit(.minutes(1)))
struct SearchRankTests {
  private static let schema = """
    type Query { viewer: Int begin: Start type: Label label: Int labels(state: LabelState): [Label]
      repository: Int }
    type Mutation { startMigration(repositoryId: ID!): Int addStar(id: ID!): Int removeStar(id: ID!): Int }
    type Start { startedAt: String startLine: Int startColumn: Int startSide: Int }
    type Label { name: String kind: String enum: Int }
    type LabelType { label: Label }
    enum LabelState { OPEN CLOSED }
    input LabelInput { label: String name: String }
    directive @label(name: String) on FIELD
    """

  private static func results(_ query: String) -> [String] {
    let index = ElementIndex(LanguageProject([:], schema: schema).session.languageContext)
    return ElementSearch(query, in: index).results().map(\.coordinate)
  }

  @Test("a word of names is no abbreviation of a word with one more letter")
  func abbreviation() {
    for query in ["star", "star a repository"] {
      let found = Self.results(query)
      #expect(Set(found.prefix(2)) == ["Mutation.addStar", "Mutation.removeStar"], "\(found)")
      #expect(!found.contains { $0.contains("tart") } || query != "star", "\(found)")
    }
    #expect(Self.results("repo").contains("Query.repository"))
  }

  @Test("a verb with un- removes, unless names have it")
  func undo() {
    #expect(Self.results("unstar a repo").first == "Mutation.removeStar")
    #expect(Self.results("unlabel").first == "Label")
  }

  @Test(
    "a kind next to a name finds that element first, and the name of a type is found anywhere",
    arguments: [
      ("type Label", "Label"), ("type label", "Label"), ("the Label type", "Label"),
      ("input LabelInput", "LabelInput"), ("LabelState enum", "LabelState"),
      ("field LabelType.label", "LabelType.label"), ("directive label", "@label"),
      ("directive @label", "@label"), ("mutation startMigration", "Mutation.startMigration"),
      ("query labels", "Query.labels"), ("label type", "LabelType"),
      ("closed or open values of LabelType", "LabelType"),
    ])
  func kinds(query: String, first: String) {
    let found = Self.results(query)
    #expect(found.first == first, "\(found)")
  }
}
