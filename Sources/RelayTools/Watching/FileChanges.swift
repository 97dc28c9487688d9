/// The changes that a watcher has found.
enum FileChanges: Equatable {
  /// The files at these paths were written, made, moved or removed.
  case files(Set<String>)
  /// Any file may have changed, and any folder.
  case unknown

  /// Adds other changes.
  mutating func formUnion(_ other: FileChanges) {
    if case .files(let paths) = self, case .files(let others) = other {
      self = .files(paths.union(others))
    } else {
      self = .unknown
    }
  }
}
