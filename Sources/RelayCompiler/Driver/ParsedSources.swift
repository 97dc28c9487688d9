import GraphQLLanguage

/// The syntax trees of a compilation's texts: the first stage.
struct ParsedSources {
  let workspace = Workspace()
  /// The documents of the module that is compiled, in the order of its sources.
  private(set) var documents: [Document] = []
  private(set) var imported = ImportedDocuments([])
  /// The documents of the server's schema, or of the subset of it that an index selects.
  private(set) var serverSchema: [Document] = []
  /// The documents of the client schema extensions.
  private(set) var clientSchema: [Document] = []
  /// Whether the schema has syntax errors.
  private(set) var hasSchemaErrors = false
  /// Whether the schema's texts have no diagnostics.
  private(set) var isSchemaClean = false
  /// For each of the module's own sources, the index of its generated file. Sources of other
  /// modules have no entry.
  private(set) var origins: [SourceID: Int] = [:]
  /// The sources of Swift files with tags that could not be read.
  private(set) var unread: Set<SourceID> = []
  private var tagNames = TagNames()

  init(_ input: CompilationInput, diagnostics: inout [Diagnostic]) {
    // Documents come first: an index selects types by the names in them.
    for (index, source) in input.sources.enumerated() {
      let file = ParsedFile(source, in: workspace)
      for document in file.documents { origins[document.source] = index }
      add(file, diagnostics: &diagnostics)
      diagnostics += tagNames.add(file.tags, of: source, in: workspace)
      if input.options.requiresFileNamePrefix {
        diagnostics += FileNamePrefix.diagnostics(
          for: file.documents, file: source.name, symbols: workspace.symbols)
      }
      documents += file.documents
    }
    imported = ImportedDocuments(
      input.modules.map { module in
        let files = module.sources.map { ParsedFile($0, in: workspace) }
        for file in files { add(file, diagnostics: &diagnostics) }
        return (module, files.flatMap(\.documents))
      })
    parseSchema(input, diagnostics: &diagnostics)
  }

  private mutating func add(_ file: ParsedFile, diagnostics: inout [Diagnostic]) {
    diagnostics += file.diagnostics
    if let source = file.unread { unread.insert(source) }
  }

  /// Whether a source belongs to the module that is compiled.
  func isOwn(_ source: SourceID) -> Bool { origins[source] != nil }

  private mutating func parseSchema(_ input: CompilationInput, diagnostics: inout [Diagnostic]) {
    let client = input.extensions.map { workspace.parse($0) }
    let server = schemaTexts(input).map { workspace.parseSchema($0) }
    let found = (server + client).flatMap(\.diagnostics)
    diagnostics += found
    serverSchema = server.map(\.document)
    clientSchema = client.map(\.document)
    hasSchemaErrors = found.hasErrors
    isSchemaClean = found.isEmpty
  }

  /// Returns the schema's texts, or, with an index, the subset of them that is reachable from the
  /// names in the symbol table. The documents must be parsed before.
  private func schemaTexts(_ input: CompilationInput) -> [Source] {
    guard let index = input.index else { return input.schema }
    let symbols = workspace.symbols
    var names = (0..<symbols.count).map { symbols[Symbol(index: UInt32($0))] }
    names += input.options.keyFields.flatMap { [$0.key] + $0.value }
    names += input.options.privateElements.flatMap(PrivateDefinitions.names(in:))
    names += input.options.maxAges.keys.flatMap(PrivateDefinitions.names(in:))
    return [Source(path: input.schema.first?.path ?? "", bytes: index.subset(for: names))]
  }
}
