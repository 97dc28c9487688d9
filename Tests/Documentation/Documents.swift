import Foundation

/// The documents of the package, and the sources that they describe.
enum Documents {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The README and the pages of Docs but the decisions, by their paths.
  static var guides: [String] {
    get throws {
      ["README.md"]
        + (try FileManager.default.subpathsOfDirectory(
          atPath: root.appendingPathComponent("Docs").path)).filter {
          $0.hasSuffix(".md") && !$0.hasPrefix("Decisions/")
        }
        .sorted().map { "Docs/" + $0 }
    }
  }

  /// Returns the links of a document to files of the package, without code.
  static func links(of document: String) throws -> [String] {
    let prose = try lines(of: document).prose.joined(separator: "\n")
    return prose.replacing(/`[^`\n]*`/, with: "code").matches(of: /\]\(([^)\s]+)\)/)
      .map { String($0.1) }.filter { !$0.contains("://") && !$0.hasPrefix("mailto:") }
  }

  /// Returns the path of the file that a link of a document leads to.
  static func target(of link: Substring, in document: String) -> String {
    let folder = root.appendingPathComponent(document).deletingLastPathComponent()
    let path = folder.appendingPathComponent(String(link)).standardizedFileURL.path
    return String(path.dropFirst(root.standardizedFileURL.path.count + 1))
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

  /// Returns the files in a folder, or the file itself; not those of builds.
  static func files(below folder: String) throws -> [String] {
    let url = root.appendingPathComponent(folder)
    if !url.hasDirectoryPath,
      (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) != true
    {
      return [folder]
    }
    return try FileManager.default.subpathsOfDirectory(atPath: url.path).sorted()
      .filter { !$0.contains(".build") && !$0.contains(".pyc") && !$0.contains(".venv") }
      .map { "\(folder)/\($0)" }
  }

  /// Returns the Swift files of a module.
  static func sources(of module: String) throws -> [String] {
    let folder = "Sources/" + module
    let files = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
    return (files?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".swift") }.sorted()
      .map { "\(folder)/\($0)" }
  }
}
