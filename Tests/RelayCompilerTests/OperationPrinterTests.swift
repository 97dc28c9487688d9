import GraphQLLanguage
import Testing

@testable import RelayCompiler

/// The fields that the compiler adds to the operation's document, and the fields that it leaves
/// out.
@Suite("The operation text", .timeLimit(.minutes(1)))
struct OperationTextTests {
  private static let schema = """
    type City { id: ID! code: String! name: String }
    type Shop { id: ID! code: String! name: String }
    union Spot = City | Shop
    type Query { city: City spot: Spot }
    """

  /// The document sent for the first operation, with white space collapsed.
  private func text(
    _ document: String, keys: [String: [String]] = [:]
  ) -> String? {
    let workspace = Workspace()
    let sdl = workspace.parse(Source(path: "schema.graphql", Self.schema)).document
    let schema = Schema.build(from: [sdl], in: workspace)
    let parsed = workspace.parse(Source(path: "a.graphql", document))
    #expect(parsed.diagnostics == [])
    var program = Lowering.program(of: [parsed.document], schema: schema)
    var diagnostics: [Diagnostic] = []
    program.keyFields = KeyFields(keys, schema: schema, diagnostics: &diagnostics)
    let sent = TransformedPrograms(program, diagnostics: &diagnostics).sent
    #expect(diagnostics == [])
    let text = sent.operations.first.map { OperationPrinter(program: sent).document(of: $0).text }
    return text?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test("a conditional id does not count as the object's id")
  func conditionalID() {
    #expect(text("query Q { city { id name } }") == "query Q{city{id name}}")
    #expect(
      text("query Q($on: Boolean!) { city { id @include(if: $on) name } }")
        == "query Q{city{id name}}")
    #expect(
      text("query Q($on: Boolean!) { city { id @skip(if: $on) name } }")
        == "query Q{city{id name}}")
  }

  @Test("key fields of a type replace its id, alone or in a union")
  func keys() {
    #expect(
      text("query Q { city { name } }", keys: ["City": ["code"]]) == "query Q{city{code name}}")
    #expect(
      text("query Q { spot { ... on City { name } } }", keys: ["Shop": ["code"]])
        == "query Q{spot{__typename ...on City{id name} ...on Shop{code}}}")
    #expect(
      text(
        "query Q { spot { ... on City { name } } }", keys: ["City": ["code"], "Shop": ["code"]])
        == "query Q{spot{__typename ...on City{code name} ...on Shop{code}}}")
  }
}
