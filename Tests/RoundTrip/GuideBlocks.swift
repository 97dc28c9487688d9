import Foundation
import RelayCompiler
import Testing

/// The code blocks of a guide, by their info strings.
struct GuideBlocks {
  private let text: String

  init(_ name: String) throws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    text = try String(contentsOf: root.appendingPathComponent("Docs/\(name)"), encoding: .utf8)
  }

  /// The blocks with the info string `kind`, in order.
  subscript(kind: String) -> [String] {
    text.split(separator: "```\(kind)\n").dropFirst().map { rest in
      String(rest[..<(rest.firstRange(of: "```")?.lowerBound ?? rest.endIndex)])
    }
  }

  /// Records an issue for each "swift generated" block whose lines the generated files do not have.
  ///
  /// The lines must occur in order; a line `…` stands for any others between.
  func expectGenerated(in files: [(name: String, text: String)]) {
    let lines = files.flatMap { $0.text.split(separator: "\n") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
    for block in self["swift generated"] {
      let shown = block.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { $0 != "…" }
      // If the first line occurs more than once, a match at any occurrence is enough.
      let starts = lines.indices.filter { lines[$0] == shown.first }
      let missing = starts.map { firstMissing(of: shown, in: lines[$0...]) }
      if !missing.contains(nil) {
        Issue.record(
          "The generated files do not have the line \"\(missing.compactMap(\.self).first ?? shown[0])\"."
        )
      }
    }
  }

  private func firstMissing(of shown: [String], in lines: ArraySlice<String>) -> String? {
    var rest = lines
    for line in shown {
      guard let found = rest.firstIndex(of: line) else { return line }
      rest = rest[(found + 1)...]
    }
    return nil
  }
}
