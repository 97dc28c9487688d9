import Foundation

/// A directory that is removed with the last reference.
final class TemporaryDirectory: Sendable {
  let url: URL

  init() {
    url = FileManager.default.temporaryDirectory.appending(path: "relay-\(UUID().uuidString)")
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  var path: String { url.path }

  /// The bytes of all files in it.
  var bytes: Data {
    files.reduce(into: Data()) { all, name in
      all += (try? Data(contentsOf: url.appending(path: name))) ?? Data()
    }
  }

  /// Whether any file contains a string.
  func contains(_ text: String) -> Bool { bytes.range(of: Data(text.utf8)) != nil }

  /// The names of the files in it, sorted.
  var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}
