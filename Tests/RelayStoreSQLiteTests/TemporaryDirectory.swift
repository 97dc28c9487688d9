import Foundation

/// A directory that is removed with the last reference.
final class TemporaryDirectory: Sendable {
  let url: URL

  init() {
    url = FileManager.default.temporaryDirectory.appending(path: "relay-\(UUID().uuidString)")
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  var path: String { url.path }

  /// The names of the files in it, sorted.
  var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}
