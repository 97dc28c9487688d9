import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("Apollo's search paths", .timeLimit(.minutes(1)))
struct SearchPathTests {
  private static let files = [
    "x/a.graphql", "x/b.graphqls", "x/App/c.graphql", "x/App/Deep/d.graphql", "x/App/Deep/e.txt",
    "x/.hidden/f.graphql", "x/relay/g.graphql", "y/h.graphql",
  ]

  private func project() throws -> TemporaryProject {
    try TemporaryProject(Dictionary(uniqueKeysWithValues: Self.files.map { ($0, "") }))
  }

  /// The files that match patterns, relative to the project's folder.
  private func find(_ patterns: [String], in project: TemporaryProject) throws -> (
    files: [String], unmatched: [Int]
  ) {
    let folder = project.folder.standardizedFileURL.path
    let search = SearchPaths(root: folder + "/x", skipped: folder + "/x/relay")
    let found = try search.files(matching: patterns.map { $0.replacing("ROOT", with: folder) })
    return (found.files.map { String($0.dropFirst(folder.count + 1)) }, found.unmatched)
  }

  @Test(
    "patterns match files as they do in Apollo",
    arguments: [
      (["*.graphql"], ["x/a.graphql"]),
      (["**/*.graphql"], ["x/App/Deep/d.graphql", "x/App/c.graphql", "x/a.graphql"]),
      (["./App/**/*.graphql"], ["x/App/Deep/d.graphql", "x/App/c.graphql"]),
      (["App/*/*.graphql"], ["x/App/Deep/d.graphql"]),
      (["App/?.graphql"], ["x/App/c.graphql"]),
      (["**/*.{graphqls,txt}"], ["x/App/Deep/e.txt", "x/b.graphqls"]),
      (["a.graphql"], ["x/a.graphql"]),
      (["App/../a.graphql"], ["x/a.graphql"]),
      (["../y/*.graphql"], ["y/h.graphql"]),
      (["ROOT/y/*"], ["y/h.graphql"]),
      (["!App/**", "**/*.graphql"], ["x/a.graphql"]),
      (["**/*.graphql", "!**/d.graphql", "!a.graphql"], ["x/App/c.graphql"]),
      (["App"], []),
      (["../../../../../../../../../../nothing/*"], []),
    ])
  func patterns(patterns: [String], expected: [String]) throws {
    #expect(try find(patterns, in: project()).files == expected)
  }

  @Test("patterns that match no file are returned by their index; exclusions are not")
  func unmatched() throws {
    let found = try find(["*.graphql", "no/*.graphql", "!none", "zz"], in: project())
    #expect(found.unmatched == [1, 3])
  }

  @Test("a link to a folder around it is not followed")
  func loop() throws {
    let project = try project()
    let folder = project.folder.appendingPathComponent("x")
    try FileManager.default.createSymbolicLink(
      at: folder.appendingPathComponent("again"), withDestinationURL: folder)
    #expect(try find(["**/a.graphql"], in: project).files == ["x/a.graphql"])
  }

  @Test("a link to itself is found, so that reading it is an error with its path")
  func selfLink() throws {
    let project = try project()
    let link = project.folder.appendingPathComponent("x/loop.graphql").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: link)
    #expect(try find(["loop.graphql"], in: project).files == ["x/loop.graphql"])
    let error = #expect(throws: FileError.self) { try readFile(link) }
    #expect(error?.message.contains(link) == true)
  }

  @Test("braces are expanded, and a pattern of very many texts is not")
  func braces() {
    #expect(Set(SearchPaths.expandedBraces(of: "{a,b}/{c,d}")) == ["a/c", "a/d", "b/c", "b/d"])
    #expect(SearchPaths.expandedBraces(of: "a}{b") == ["a}{b"])
    let many = String(repeating: "{a,b}", count: 40)
    #expect(SearchPaths.expandedBraces(of: many).count < 400)
  }

  @Test("an edit keeps the text around it; an outer edit replaces inner ones, which its parts keep")
  func edits() {
    let text = "query A @x {\n  # Comment\n  @y\n  a @z b\n}\n"
    var edits = TextEdits(Source(path: "a", text))
    func span(_ part: String) -> Span {
      let start =
        text.utf8.count - (text.firstRange(of: part).map { text[$0.lowerBound...].utf8.count } ?? 0)
      return Span(
        start: UInt32(start), end: UInt32(start + part.utf8.count), source: SourceID(index: 0))
    }
    edits.remove(span("@x"))
    edits.remove(span("@y"))
    edits.replace(span("@z"), with: "@w")
    #expect(edits.text() == "query A {\n  # Comment\n  a @w b\n}\n")
    edits.replace(span("a @z b"), with: "c")
    #expect(edits.text() == "query A {\n  # Comment\n  c\n}\n")
    #expect(edits.text(of: span("@z b")) == "@w b")
  }
}
