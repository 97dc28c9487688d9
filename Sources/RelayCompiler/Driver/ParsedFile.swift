import GraphQLLanguage

/// The syntax trees of one source file: of a GraphQL file, or of the tags of a Swift file.
struct ParsedFile {
  let file: CompilationInput.SourceFile
  private(set) var documents: [Document] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// The tags of a Swift file.
  private(set) var tags: [Tag] = []
  /// The whole text of a Swift file with tags that could not be read.
  private(set) var unread: SourceID?

  init(_ file: CompilationInput.SourceFile, in workspace: Workspace) {
    self.file = file
    guard file.path.hasSuffix(".swift") else {
      add(Source(path: file.path, bytes: file.bytes), in: workspace)
      return
    }
    let scanned = TagScanner.scan(file.bytes)
    tags = scanned.tags
    if !scanned.errors.isEmpty {
      let source = workspace.add(Source(path: file.path, bytes: file.bytes))
      unread = source
      diagnostics += scanned.errors.map { $0.diagnostic(in: source) }
    }
    for tag in tags {
      let origin = Source.Origin(bytes: file.bytes, map: tag.offsets)
      add(Source(path: file.path, bytes: tag.document, origin: origin), in: workspace)
    }
  }

  private mutating func add(_ source: Source, in workspace: Workspace) {
    let parsed = workspace.parse(source)
    documents.append(parsed.document)
    diagnostics += parsed.diagnostics
  }
}
