import GraphQLLanguage

/// The documents that have no errors, and depend on none that has.
///
/// Each stage checks them, and removes those in which it finds errors together with those that spread
/// their fragments. So one compilation reports the errors of all stages, and none that only follows from
/// another one.
struct SoundDocuments {
  private let allOwn: [Document]
  private let allImported: [Document]
  /// The sources that hold definitions and were not parsed: Swift files with errors in their tags.
  private let unread: Set<SourceID>
  private var removed: Set<SourceID> = []
  private var spreads: Spreads?

  /// The fragments from which fields are derived, by the field's name.
  private let derived: [Symbol: Set<Symbol>]

  /// - Parameters:
  ///   - derived: The fragments from which fields are derived, by the field's name.
  ///   - isComplete: Whether no fragment can be defined in a text that could not be read.
  init(_ parsed: ParsedSources, derived: [Symbol: Set<Symbol>], isComplete: Bool) {
    allOwn = parsed.documents
    allImported = parsed.imported.fragments
    unread = parsed.unread
    self.derived = derived
    if isComplete { return }
    // The documents that spread a fragment which no text that was read defines.
    let spreads = indexSpreads()
    remove(spreads.undefined, spreads)
  }

  /// The documents of the module that is compiled.
  var own: [Document] { removed.isEmpty ? allOwn : allOwn.filter(contains) }

  /// The documents of other modules, with their fragments only.
  var imported: [Document] { removed.isEmpty ? allImported : allImported.filter(contains) }

  private func contains(_ document: Document) -> Bool { !removed.contains(document.source) }

  /// Whether a document is sound.
  func contains(_ source: SourceID) -> Bool { !removed.contains(source) }

  /// Removes the documents in which there are errors, and those that depend on them.
  ///
  /// - Returns: Whether all errors are in documents. The stages after an error in the schema or the
  ///   configuration cannot check anything.
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

  /// The spreads of documents, by source.
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

    /// The sources that spread a fragment which no source defines.
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
