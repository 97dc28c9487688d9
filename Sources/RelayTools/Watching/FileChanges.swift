/// The changes found by a watcher.
enum FileChanges: Equatable {
  /// The files at these paths were written, created, moved or removed.
  case files(Set<String>)
  /// Any file or folder may have changed.
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
