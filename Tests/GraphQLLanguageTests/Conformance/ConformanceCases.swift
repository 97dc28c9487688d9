import Foundation
import Testing

/// The cases of a file beside the package, where there is one.
struct ConformanceCases {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "../shared/conformance").standardized

  /// The cases of a file, one JSON object a line; `nil`, with a word about it, where the file is absent.
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
