import GraphQLLanguage

/// The syntax trees of a compilation's sources: the first stage.
package struct ParsedSources {
  package let workspace: Workspace
  /// The files of the compiled module, in input order.
  package let files: [ParsedFile]
  /// The documents of the compiled module, in the order of its files.
  package let documents: [Document]
  let imported: ImportedDocuments
  /// The file index of each of the module's own sources. Other modules' sources have no entry.
  package private(set) var origins: [SourceID: Int] = [:]
  /// The syntax errors of all files.
  let diagnostics: [Diagnostic]
  /// The sources of the Swift files in which a tag could not be read.
  let unread: Set<SourceID>

  /// - Parameter modules: The modules that the files may use, each with its files.
  package init(
    _ files: [ParsedFile], modules: [(module: ImportedModule, files: [ParsedFile])],
    in workspace: Workspace
  ) {
    self.workspace = workspace
    self.files = files
    documents = files.flatMap(\.documents)
    imported = ImportedDocuments(
      modules.map { module in (module.module, module.files.flatMap(\.documents)) })
    let all = files + modules.flatMap(\.files)
    diagnostics = all.flatMap(\.diagnostics)
    unread = Set(all.lazy.filter(\.isUnread).map(\.text))
    for (index, file) in files.enumerated() {
      for document in file.documents { origins[document.source] = index }
    }
  }

  /// Returns whether a source belongs to the compiled module.
  func isOwn(_ source: SourceID) -> Bool { origins[source] != nil }

  /// The errors for names that do not start with their file's name.
  var fileNamePrefixDiagnostics: [Diagnostic] {
    files.flatMap { file in
      FileNamePrefix.diagnostics(
        for: file.documents, file: file.file.name, symbols: workspace.symbols)
    }
  }
}
