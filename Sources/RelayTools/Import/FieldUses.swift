import GraphQLLanguage

/// The names of the fields that documents select. Fields of local cache mutations are separate,
/// because Apollo never sends those.
struct FieldUses {
  private(set) var sent: Set<Symbol> = []
  private(set) var local: Set<Symbol> = []

  init(_ documents: [Document], symbols: SymbolTable) {
    for definition in documents.lazy.flatMap(\.definitions) {
      guard let set = definition.selectionSet else { continue }
      add(set, isLocal: definition.executableDirectives.isLocal(in: symbols))
    }
  }

  private mutating func add(_ set: SelectionSet, isLocal: Bool) {
    for selection in set.selections {
      switch selection {
      case .field(let field):
        if isLocal { local.insert(field.name.symbol) } else { sent.insert(field.name.symbol) }
        if let inner = field.selectionSet { add(inner, isLocal: isLocal) }
      case .inlineFragment(let fragment): add(fragment.selectionSet, isLocal: isLocal)
      case .fragmentSpread: continue
      }
    }
  }
}

extension [Directive] {
  /// Whether the definition with these directives is a local cache mutation.
  func isLocal(in symbols: SymbolTable) -> Bool {
    !named(ApolloDirectives.localCacheMutation, in: symbols).isEmpty
  }
}
