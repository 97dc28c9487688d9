import Foundation
import RelayCompiler

/// The folders that contain a project's files.
struct WatchedFolders: Equatable, Sendable {
  /// The folders watched together with all folders below them, except hidden ones.
  var trees: [String] = []
  /// The folders watched without their subfolders.
  var folders: [String] = []

  /// Returns all folders as they exist now. Unreadable folders are omitted. A missing folder is
  /// replaced by its nearest existing parent, where it may reappear.
  func all() -> [String] {
    var seen: Set<String> = []
    // A tree may be a link to a folder, such as a project's `src`.
    var waiting = trees.filter(isFolder)
    while let folder = waiting.popLast() {
      guard seen.insert(folder).inserted else { continue }
      let names = (try? fileNames(in: folder)) ?? []
      for name in names where !name.hasPrefix(".") && isRealFolder(folder + "/" + name) {
        waiting.append(folder + "/" + name)
      }
    }
    return seen.union(folders).union((trees + folders).map(nearestFolder)).sorted()
  }

  /// The paths of the folders, both as given and with links resolved: macOS reports changes by real
  /// paths, such as `/private/tmp` for `/tmp`.
  var realPaths: [String] {
    let paths = trees + folders
    return Set(paths + paths.compactMap(realPath)).sorted()
  }

  /// Returns a path, or the nearest folder above it that exists.
  private func nearestFolder(_ path: String) -> String {
    foldersAround(path).first(where: isFolder) ?? "/"
  }
}
