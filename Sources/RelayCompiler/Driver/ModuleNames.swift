import GraphQLLanguage

/// The names and files of an entire module. The stages need them even when they run over only some
/// of the files.
package struct ModuleNames {
  /// The names of the fragments, including those of imported modules.
  package private(set) var fragments: Set<Symbol> = []
  /// The names of the module's own operations.
  package private(set) var operations: Set<Symbol> = []
  /// Whether every file was read completely, so that no name can be missing.
  package private(set) var isComplete = true
  /// The module's own files.
  package let files: [ParsedFile]

  package init(_ files: [ParsedFile], imported: [ParsedFile]) {
    self.files = files
    for file in files { operations.formUnion(file.names.operations) }
    for file in files + imported {
      fragments.formUnion(file.names.fragments)
      if !file.isComplete { isComplete = false }
    }
  }
}
