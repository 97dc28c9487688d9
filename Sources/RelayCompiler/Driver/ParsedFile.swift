import GraphQLLanguage

/// The syntax trees of one source file: a GraphQL file, or the tags in a Swift file.
package struct ParsedFile {
  package let file: CompilationInput.SourceFile
  package private(set) var documents: [Document] = []
  /// The file's syntax errors.
  package private(set) var diagnostics: [Diagnostic] = []
  /// The tags of a Swift file.
  package private(set) var tags: [Tag] = []
  /// The source of the entire file.
  let text: SourceID
  /// Whether a tag in a Swift file could not be read.
  let isUnread: Bool
  /// The names of the operations and fragments.
  package let names: DefinedNames

  package init(_ file: CompilationInput.SourceFile, in workspace: Workspace) {
    self.file = file
    let whole = Source(path: file.path, bytes: file.bytes)
    guard file.path.hasSuffix(".swift") else {
      let parsed = workspace.parse(whole)
      documents = [parsed.document]
      diagnostics = parsed.diagnostics
      (text, isUnread, names) = (parsed.document.source, false, DefinedNames(documents))
      return
    }
    let text = workspace.add(whole)
    self.text = text
    let scanned = TagScanner.scan(file.bytes)
    isUnread = !scanned.errors.isEmpty
    tags = scanned.tags
    diagnostics = scanned.errors.map { $0.diagnostic(in: text) }
    for tag in tags {
      let origin = Source.Origin(bytes: file.bytes, map: tag.offsets)
      let parsed = workspace.parse(
        Source(path: file.path, bytes: tag.document, origin: origin))
      documents.append(parsed.document)
      diagnostics += parsed.diagnostics
    }
    names = DefinedNames(documents)
  }

  /// Returns the declarations in a Swift file that may provide variables.
  ///
  /// - Complexity: O(*n*) in the bytes.
  package func getters() -> [ProviderScanner.Getter] {
    file.path.hasSuffix(".swift") ? ProviderScanner.scan(file.bytes) : []
  }

  /// The sources of the file: the entire file and the tags' documents.
  package var sources: Set<SourceID> { Set(documents.map(\.source)).union([text]) }

  /// Whether the file was read completely, so that no definition can be missing.
  var isComplete: Bool { diagnostics.isEmpty }
}
