import Foundation
import GraphQLLanguage
import RelayCompiler
import Testing

/// The guide to generated code shows what the compiler writes.
@Suite struct FragmentsGuideTests {
  private static let guide = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Docs/Fragments.md")

  /// The code blocks of a kind, in order.
  private func blocks(_ kind: String) throws -> [String] {
    try String(contentsOf: Self.guide, encoding: .utf8)
      .split(separator: "```\(kind)\n").dropFirst().map { rest in
        String(rest[..<(rest.firstRange(of: "```")?.lowerBound ?? rest.endIndex)])
      }
  }

  private func files() throws -> [(name: String, text: String)] {
    let blocks = try blocks("graphql")
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
    let lines = try files().flatMap { $0.text.split(separator: "\n") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
    let blocks = try blocks("swift generated")
    #expect(blocks.count == 7)
    for block in blocks {
      var position = lines.startIndex
      for line in block.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) })
      where line != "…" {
        guard let found = lines[position...].firstIndex(of: line) else {
          Issue.record("The compiler does not write \"\(line)\" there.")
          break
        }
        position = found + 1
      }
    }
  }

  @Test("the guide's own code builds")
  func ownCode() async throws {
    let code = try blocks("swift")
    #expect(code.count == 7)
    let problems = try await SwiftProgram.check(
      files(), using: "import RelayStore\nimport Types\n" + code.joined(separator: "\n"))
    #expect(problems == "", "\(problems.prefix(3000))")
  }
}
