import GraphQLLanguage

/// The documents that are free of errors and depend only on such documents.
///
/// Each stage checks them and removes the documents with errors, along with every document that
/// spreads their fragments. One compilation can then report the errors of all stages without errors
/// that merely follow from others.
struct SoundDocuments {
  private let allOwn: [Document]
  private let allImported: [Document]
  /// The sources with unparsed definitions: Swift files with errors in their tags.
  private let unread: Set<SourceID>
  private var removed: Set<SourceID> = []
  private var spreads: Spreads?

  /// The fragments that fields are derived from, by field name.
  private let derived: [Symbol: Set<Symbol>]

  /// - Parameters:
  ///   - derived: The fragments that fields are derived from, by field name.
  ///   - isComplete: Whether all files could be read, so that no fragment can be missing.
  init(_ parsed: ParsedSources, derived: [Symbol: Set<Symbol>], isComplete: Bool) {
    allOwn = parsed.documents
    allImported = parsed.imported.fragments
    unread = parsed.unread
    self.derived = derived
    if isComplete { return }
    // Remove the documents that spread a fragment not defined in any file that was read.
    let spreads = indexSpreads()
    remove(spreads.undefined, spreads)
  }

  /// The sound documents of the compiled module.
  var own: [Document] { removed.isEmpty ? allOwn : allOwn.filter(contains) }

  /// The sound documents of other modules, reduced to their fragments.
  var imported: [Document] { removed.isEmpty ? allImported : allImported.filter(contains) }

  private func contains(_ document: Document) -> Bool { !removed.contains(document.source) }

  /// Returns whether a document is sound.
  func contains(_ source: SourceID) -> Bool { !removed.contains(source) }

  /// Removes the documents with errors and those that depend on them.
  ///
  /// - Returns: Whether all errors are in documents. After an error in the schema or the
  ///   configuration, later stages cannot check anything.
  mutating func remove(errorsIn diagnostics: [Diagnostic]) -> Bool {
    let errors = diagnostics.filter { $0.severity == .error }
    if errors.isEmpty { return true }
    let spreads = indexSpreads()
    var sources: Set<SourceID> = []
    for error in errors {
      let found = error.locations.map(\.source).filter { spreads.fragments[$0] != nil }
      if found.isEmpty, !unread.contains(error.primarySpan.source) { return false }
      sources.formUnion(found)
    }
    remove(sources, spreads)
    return true
  }

  private mutating func remove(_ sources: Set<SourceID>, _ spreads: Spreads) {
    var waiting = Array(sources.subtracting(removed))
    removed.formUnion(sources)
    while let source = waiting.popLast() {
      for fragment in spreads.fragments[source] ?? [] {
        for user in spreads.users[fragment] ?? [] where removed.insert(user).inserted {
          waiting.append(user)
        }
      }
    }
  }

  private mutating func indexSpreads() -> Spreads {
    if let spreads { return spreads }
    let index = Spreads(allOwn + allImported, derived: derived)
    spreads = index
    return index
  }

  /// The fragment spreads of documents, by source.
  private struct Spreads {
    /// The fragments that each source defines.
    var fragments: [SourceID: [Symbol]] = [:]
    /// The sources that spread each fragment.
    var users: [Symbol: Set<SourceID>] = [:]

    init(_ documents: [Document], derived: [Symbol: Set<Symbol>]) {
      for document in documents {
        fragments[document.source] = document.definitions.compactMap { definition in
          if case .fragment(let fragment) = definition { fragment.name.symbol } else { nil }
        }
        for fragment in document.spreads(derived: derived) {
          users[fragment, default: []].insert(document.source)
        }
      }
    }

    /// The sources that spread an undefined fragment.
    var undefined: Set<SourceID> {
      let defined = Set(fragments.values.joined())
      return users.reduce(into: []) { sources, use in
        if !defined.contains(use.key) { sources.formUnion(use.value) }
      }
    }
  }
}

extension IR.Program {
  /// Returns the program without the definitions of some sources.
  func without(_ isRemoved: (SourceID) -> Bool) -> Self {
    var program = self
    program.operations.removeAll { isRemoved($0.definition.span.source) }
    program.fragments.removeAll { isRemoved($0.definition.span.source) }
    return program
  }
}
