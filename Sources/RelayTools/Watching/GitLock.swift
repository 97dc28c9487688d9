import Foundation
import RelayCompiler

/// The file that git creates while it changes a repository's files.
struct GitLock: Equatable {
  /// The path of the file.
  let path: String

  /// Finds the lock of the repository around a folder.
  ///
  /// - Returns: `nil` outside repositories.
  init?(around folder: String) {
    let folders = foldersAround(URL(fileURLWithPath: folder).standardizedFileURL.path) + ["/"]
    let directories = folders.lazy.compactMap { Self.directory(URL(fileURLWithPath: $0)) }
    guard let directory = directories.first else { return nil }
    path = directory + "/index.lock"
  }

  /// Whether git is changing files or waiting for its user.
  var isHeld: Bool { FileManager.default.fileExists(atPath: path) }

  /// Returns the folder of a repository: its `.git`, or for another worktree or a submodule the
  /// folder named in the file `.git`.
  private static func directory(_ folder: URL) -> String? {
    let git = folder.appendingPathComponent(".git").path
    if isRealFolder(git) { return git }
    let prefix = "gitdir: "
    guard let bytes = try? readFile(git) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard text.hasPrefix(prefix) else { return nil }
    return URL(fileURLWithPath: String(text.dropFirst(prefix.count)), relativeTo: folder)
      .standardizedFileURL.path
  }
}
