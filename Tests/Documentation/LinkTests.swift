import Foundation
import Testing

@Suite("Links in the documentation", .timeLimit(.minutes(1)))
struct LinkTests {
  /// Returns the anchors of a document's headings, as GitHub creates them: the second of two equal
  /// headings gets "-1".
  private func anchors(of document: String) throws -> Set<String> {
    var (anchors, counts) = (Set<String>(), [String: Int]())
    for line in try Documents.lines(of: document).prose where line.hasPrefix("#") {
      let title = line.drop { $0 == "#" }.dropFirst().lowercased()
      let slug = String(
        title.filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
          .map { $0 == " " ? "-" : $0 })
      let count = counts[slug, default: 0]
      anchors.insert(count == 0 ? slug : "\(slug)-\(count)")
      counts[slug] = count + 1
    }
    return anchors
  }

  @Test("each relative link leads to a file, and its anchor to a heading")
  func links() throws {
    var count = 0
    for document in try Documents.all {
      let folder = Documents.root.appendingPathComponent(document).deletingLastPathComponent()
      let prose = try Documents.lines(of: document).prose.joined(separator: "\n")
      for match in prose.replacing(/`[^`\n]*`/, with: "code").matches(of: /\]\(([^)\s]+)\)/) {
        let link = String(match.1)
        if link.contains("://") || link.hasPrefix("mailto:") { continue }
        count += 1
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let file =
          parts[0].isEmpty
          ? Documents.root.appendingPathComponent(document)
          : folder.appendingPathComponent(String(parts[0]))
        guard FileManager.default.fileExists(atPath: file.path) else {
          Issue.record("\(document) links to \(link), which does not exist.")
          continue
        }
        guard parts.count == 2 else { continue }
        let path = String(
          file.standardizedFileURL.path.dropFirst(Documents.root.standardizedFileURL.path.count + 1)
        )
        if try !anchors(of: path).contains(String(parts[1])) {
          Issue.record("\(document) links to \(link), but \(path) has no such heading.")
        }
      }
    }
    #expect(count > 100)
  }

  @Test("the README links to every page")
  func pages() throws {
    let readme = try Documents.text("README.md")
    for page in try Documents.guides.dropFirst() {
      #expect(readme.contains("](\(page))"), "The README does not link to \(page).")
    }
  }
}
