import Foundation
import Testing

/// The conformance cases in a folder next to the package, if that folder exists.
struct ConformanceCases {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "../shared/conformance").standardized

  /// Loads the cases of a file with one JSON object per line.
  ///
  /// - Returns: The cases, or `nil`, with a printed note, if the file does not exist.
  static func load(_ name: String) throws -> [[String: Any]]? {
    let file = folder.appending(path: name)
    guard let data = try? Data(contentsOf: file) else {
      print("skipped: no \(name) beside the package")
      return nil
    }
    return try data.split(separator: UInt8(ascii: "\n")).map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line))
      return try #require(object as? [String: Any])
    }
  }
}
