/// The folders in which a project's files are.
struct WatchedFolders: Equatable, Sendable {
  /// The folders that are watched with all folders below them, except for hidden ones.
  var trees: [String] = []
  /// The folders that are watched without those below them.
  var folders: [String] = []

  /// Returns all folders as they are now. Folders that cannot be read are left out.
  func all() -> [String] {
    var seen: Set<String> = []
    var waiting = trees.filter(isRealFolder)
    while let folder = waiting.popLast() {
      guard seen.insert(folder).inserted else { continue }
      let names = (try? fileNames(in: folder)) ?? []
      for name in names where !name.hasPrefix(".") && isRealFolder(folder + "/" + name) {
        waiting.append(folder + "/" + name)
      }
    }
    return seen.union(folders).sorted()
  }
}
