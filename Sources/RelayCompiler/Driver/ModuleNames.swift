import GraphQLLanguage

/// The facts about all files of a module that its stages need, also when they run over some of the
/// files.
struct ModuleNames {
  /// The names of the fragments, those of imported modules among them.
  private(set) var fragments: Set<Symbol> = []
  /// The names of the module's own operations.
  private(set) var operations: Set<Symbol> = []
  /// Whether every text was read whole, so that no name can be missing.
  private(set) var isComplete = true
  /// The module's own files.
  let files: [ParsedFile]

  init(_ files: [ParsedFile], imported: [ParsedFile]) {
    self.files = files
    for file in files {
      fragments.formUnion(file.names.fragments)
      operations.formUnion(file.names.operations)
      if !file.isComplete { isComplete = false }
    }
    for file in imported {
      fragments.formUnion(file.names.fragments)
      if !file.isComplete { isComplete = false }
    }
  }
}
