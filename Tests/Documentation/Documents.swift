import Foundation

/// The documents of the package, and the sources that they describe.
enum Documents {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The README and the pages of Docs, by their paths.
  static var guides: [String] {
    get throws {
      let pages = try FileManager.default.contentsOfDirectory(
        atPath: root.appendingPathComponent("Docs").path)
      return ["README.md"] + pages.filter { $0.hasSuffix(".md") }.sorted().map { "Docs/" + $0 }
    }
  }

  /// The guides, the pages for contributors and the decisions.
  static var all: [String] {
    get throws {
      let decisions = try FileManager.default.contentsOfDirectory(
        atPath: root.appendingPathComponent("Docs/Decisions").path)
      return try guides + ["CONTRIBUTING.md", "CHANGELOG.md"]
        + decisions.filter { $0.hasSuffix(".md") }.sorted().map { "Docs/Decisions/" + $0 }
    }
  }

  /// Returns the contents of a file in the package.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// Returns a document's lines, split into code block lines and all others.
  static func lines(of document: String) throws -> (code: [Substring], prose: [Substring]) {
    var (code, prose, isCode) = ([Substring](), [Substring](), false)
    for line in try text(document).split(separator: "\n", omittingEmptySubsequences: false) {
      if line.drop(while: { $0 == " " }).hasPrefix("```") {
        isCode.toggle()
      } else if isCode {
        code.append(line)
      } else {
        prose.append(line)
      }
    }
    return (code, prose)
  }

  /// Returns the Swift files of a module.
  static func sources(of module: String) throws -> [String] {
    let folder = "Sources/" + module
    let files = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
    return (files?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".swift") }.sorted()
      .map { "\(folder)/\($0)" }
  }
}
