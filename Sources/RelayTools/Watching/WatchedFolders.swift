import Foundation
import RelayCompiler

/// The folders in which a project's files are.
struct WatchedFolders: Equatable, Sendable {
  /// The folders that are watched with all folders below them, except for hidden ones.
  var trees: [String] = []
  /// The folders that are watched without those below them.
  var folders: [String] = []

  /// Returns all folders as they are now. Folders that cannot be read are left out; the nearest
  /// folder above one that is missing is there instead, in which it may come back.
  func all() -> [String] {
    var seen: Set<String> = []
    // A tree may be a link to a folder, as a project's `src` may.
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

  /// The paths of the folders, with and without links: macOS reports changes by real paths, such as
  /// `/private/tmp` for `/tmp`.
  var realPaths: [String] {
    let paths = trees + folders
    return Set(paths + paths.compactMap(realPath)).sorted()
  }

  /// Returns a path, or that of the nearest folder above it that exists.
  private func nearestFolder(_ path: String) -> String {
    foldersAround(path).first(where: isFolder) ?? "/"
  }
}
