import Foundation
import Testing

/// A mistake in a document, and the document after one of its fixes. The cases are in a file, which
/// the test with Neovim reads too.
struct QuickFixCase: Decodable, CustomTestStringConvertible {
  let mistake: String
  let rule: String
  let fix: String
  /// The other fixes of the mistake.
  let others: [String]?
  let before: [String]
  let after: [String]

  var testDescription: String { mistake }

  /// Returns the contents of a file with a document.
  static func file(_ lines: [String], isSwift: Bool) -> String {
    if !isSwift { return lines.joined(separator: "\n") + "\n" }
    let indented = lines.map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
    return "enum Card {\n  let é = graphql(\n    \"\"\"\n\(indented)\n    \"\"\")\n}\n"
  }
}

/// The file with the cases.
struct QuickFixCases: Decodable {
  let schema: [String]
  let mistakes: [QuickFixCase]

  /// - Returns: No cases if the file cannot be read.
  static let shared: QuickFixCases = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Integration/LanguageServer/fixes.json").standardizedFileURL
    let data = (try? Data(contentsOf: file)) ?? Data()
    return (try? JSONDecoder().decode(QuickFixCases.self, from: data))
      ?? QuickFixCases(schema: [], mistakes: [])
  }()
}
