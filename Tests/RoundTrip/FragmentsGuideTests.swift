import GraphQLLanguage
import RelayCompiler
import Testing

/// The guide to generated code shows what the compiler writes.
@Suite(.timeLimit(.minutes(10))) struct FragmentsGuideTests {
  private let blocks: GuideBlocks

  init() throws { blocks = try GuideBlocks("Fragments.md") }

  private func files() throws -> [(name: String, text: String)] {
    let blocks = self.blocks["graphql"]
    let documents = blocks.dropFirst().joined(separator: "\n")
    let compilation = Compilation(
      sources: [
        .init(
          path: "Guide.graphql", bytes: ContiguousArray(documents.utf8),
          output: "Guide.graphql.swift")
      ],
      schema: [Source(path: "schema.graphql", bytes: ContiguousArray((blocks.first ?? "").utf8))])
    #expect(compilation.diagnostics.map(\.message) == [])
    return compilation.files.map { ($0.name, $0.text) }
  }

  @Test("what the guide shows as generated is what the compiler writes, line by line and in order")
  func generated() throws {
    #expect(blocks["swift generated"].count == 7)
    blocks.expectGenerated(in: try files())
  }

  @Test("the guide's own code builds")
  func ownCode() async throws {
    let code = blocks["swift"]
    #expect(code.count == 7)
    let problems = try await SwiftProgram.check(
      files(), using: "import RelayStore\nimport Types\n" + code.joined(separator: "\n"))
    #expect(problems == "", "\(problems.prefix(3000))")
  }
}
