import GraphQLLanguage
import RelayCompiler
import Testing

/// The code blocks of Docs/Reference/Fragments.md agree with the compiler's output.
///
/// The tests run the Swift compiler, so the suite has 10 minutes.
@Suite(.timeLimit(.minutes(10))) struct FragmentsGuideTests {
  private let blocks: GuideBlocks

  init() throws { blocks = try GuideBlocks("Reference/Fragments.md") }

  private func files() throws -> [(name: String, text: String)] {
    let blocks = self.blocks["graphql"]
    let documents = blocks.dropFirst().joined(separator: "\n")
    let compilation = Compiler.compile(
      CompilationInput(
        sources: [
          .init(
            path: "Guide.graphql", bytes: ContiguousArray(documents.utf8),
            output: "Guide.graphql.swift")
        ],
        schema: [Source(path: "schema.graphql", bytes: ContiguousArray((blocks.first ?? "").utf8))])
    )
    #expect(compilation.diagnostics.map(\.message) == [])
    return compilation.files.map { ($0.name, $0.text) }
  }

  @Test("the guide's generated code is the compiler's output, line by line and in order")
  func generated() throws {
    #expect(blocks["swift generated"].count == 7)
    blocks.expectGenerated(in: try files())
  }

  @Test("the guide's handwritten code builds")
  func ownCode() async throws {
    let code = blocks["swift example"]
    #expect(code.count == 7)
    let problems = try await SwiftProgram.check(
      files(), using: "import RelayStore\nimport Types\n" + code.joined(separator: "\n"))
    #expect(problems == "", "\(problems.prefix(3000))")
  }
}
