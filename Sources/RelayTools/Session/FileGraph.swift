import GraphQLLanguage
import RelayCompiler

/// The files that define and use a session's names; changes spread along these edges.
struct FileGraph {
  /// The names that connect one file to others.
  struct Names: Equatable {
    var defined = DefinedNames()
    /// The fragments that the file spreads, or derives a selected field from.
    var spreads: Set<Symbol> = []
  }

  private var names: [FileKey: Names] = [:]
  private var fragments: [Symbol: Set<FileKey>] = [:]
  private var operations: [Symbol: Set<FileKey>] = [:]
  private var users: [Symbol: Set<FileKey>] = [:]

  /// Replaces the names of a file; `nil` removes them.
  mutating func replace(_ file: FileKey, with new: Names?) {
    let old = names[file] ?? Names()
    names[file] = new
    for name in old.defined.fragments { fragments[name]?.remove(file) }
    for name in old.defined.operations { operations[name]?.remove(file) }
    for name in old.spreads { users[name]?.remove(file) }
    guard let new else { return }
    for name in new.defined.fragments { fragments[name, default: []].insert(file) }
    for name in new.defined.operations { operations[name, default: []].insert(file) }
    for name in new.spreads { users[name, default: []].insert(file) }
  }

  /// The names of a file.
  subscript(_ file: FileKey) -> Names? { names[file] }

  /// Returns the files that define a fragment.
  func files(defining fragment: Symbol) -> Set<FileKey> { fragments[fragment] ?? [] }

  /// Returns the files that define an operation.
  func files(definingOperation operation: Symbol) -> Set<FileKey> { operations[operation] ?? [] }

  /// Returns the files that spread a fragment, or derive a field from it.
  func files(using fragment: Symbol) -> Set<FileKey> { users[fragment] ?? [] }

  /// Returns the files whose diagnostics may change along with the given files: their direct and
  /// indirect users, and files that define one of their names too.
  func withUsers(_ files: Set<FileKey>) -> Set<FileKey> {
    closure(of: files) { names in
      names.defined.fragments.flatMap { [users[$0], fragments[$0]].compactMap(\.self) }
        + names.defined.operations.compactMap { operations[$0] }
    }
  }

  /// Returns the files, and the files whose fragments they use, directly or indirectly.
  func withDependencies(_ files: Set<FileKey>) -> Set<FileKey> {
    closure(of: files) { names in names.spreads.lazy.compactMap { fragments[$0] } }
  }

  private func closure<Next: Sequence<Set<FileKey>>>(
    of files: Set<FileKey>, next: (Names) -> Next
  ) -> Set<FileKey> {
    var result = files
    var waiting = Array(files)
    while let file = waiting.popLast() {
      guard let names = names[file] else { continue }
      for files in next(names) {
        for file in files where result.insert(file).inserted { waiting.append(file) }
      }
    }
    return result
  }

  /// The files that spread an undefined fragment.
  var filesWithUndefinedSpreads: Set<FileKey> {
    users.reduce(into: []) { files, use in
      if fragments[use.key]?.isEmpty ?? true { files.formUnion(use.value) }
    }
  }
}
