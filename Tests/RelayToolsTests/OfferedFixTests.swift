import GraphQLLanguage
import Testing

@testable import RelayTools

@Suite("relay-compiler mcp: offered fixes", .timeLimit(.minutes(1)))
struct OfferedFixTests {
  private let bytes = ContiguousArray("query { a b }".utf8)

  private func edit(_ range: Range<Int>, _ text: String, path: String = "a.graphql") -> FileEdit {
    FileEdit(FileRange(path: path, bytes: range), text)
  }

  private func result(_ edits: FileEdit...) -> String? {
    let action = CodeAction(title: "Change", kind: .quickFix, edits: edits)
    return OfferedFixes.Fix(action, path: "a.graphql", bytes: bytes)
      .map { String(decoding: $0.result, as: UTF8.self) }
  }

  @Test("the edits of a fix are made at once, and it has only edits of its file that fit in it")
  func edits() {
    #expect(result(edit(10..<11, "d"), edit(8..<9, "cc")) == "query { cc d }")
    #expect(result(edit(9..<9, " c"), edit(9..<10, "  ")) == "query { a c  b }")
    #expect(result() == nil)
    #expect(result(edit(8..<9, "c"), edit(8..<9, "c", path: "b.graphql")) == nil)
    #expect(result(edit(8..<10, "c"), edit(9..<11, "d")) == nil)
    #expect(result(edit(8..<14, "c")) == nil)
  }
}
