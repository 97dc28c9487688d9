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
      for link in try Documents.links(of: document) {
        count += 1
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let path =
          parts[0].isEmpty ? document : Documents.target(of: parts[0], in: document)
        let file = Documents.root.appendingPathComponent(path).path
        guard FileManager.default.fileExists(atPath: file) else {
          Issue.record("\(document) links to \(link), which does not exist.")
          continue
        }
        guard parts.count == 2 else { continue }
        if try !anchors(of: path).contains(String(parts[1])) {
          Issue.record("\(document) links to \(link), but \(path) has no such heading.")
        }
      }
    }
    #expect(count > 100)
  }

  /// Returns the pages that a document links to.
  private func pages(linkedFrom document: String) throws -> Set<String> {
    Set(
      try Documents.links(of: document).map {
        Documents.target(of: $0.prefix { $0 != "#" }, in: document)
      }.filter { $0.hasSuffix(".md") })
  }

  @Test("every page is reached from the README with two clicks")
  func clicks() throws {
    let near = try pages(linkedFrom: "README.md")
    let reached = try near.reduce(into: near) { $0.formUnion(try pages(linkedFrom: $1)) }
    for page in try Documents.guides.dropFirst() where !reached.contains(page) {
      Issue.record("\(page) is further than two clicks from the README.")
    }
  }

  @Test("every page that a file of the package names exists")
  func namedPages() throws {
    var count = 0
    for folder in [
      "Sources", "Plugins", "Tests", "Benchmarks", "Distribution", "Examples", "Fuzz", "Makefile",
      ".ci/run",
    ] {
      for file in try Documents.files(below: folder) {
        guard let text = try? Documents.text(file) else { continue }
        for match in text.matches(of: /Docs\/[A-Za-z0-9\/_-]+\.(?:md|png)/) {
          count += 1
          let path = Documents.root.appendingPathComponent(String(match.0)).path
          if FileManager.default.fileExists(atPath: path) { continue }
          Issue.record("\(file) names \(match.0), which does not exist.")
        }
      }
    }
    #expect(count > 30)
  }
}
