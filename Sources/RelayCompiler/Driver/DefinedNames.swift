import GraphQLLanguage

/// The names of the definitions in documents.
package struct DefinedNames: Equatable {
  package private(set) var fragments: Set<Symbol> = []
  /// The names of the operations, including the queries of `@refetchable` fragments.
  package private(set) var operations: Set<Symbol> = []
  /// Whether there are type system definitions.
  package private(set) var hasOthers = false

  package init(_ documents: [Document] = []) {
    for document in documents {
      for definition in document.definitions {
        switch definition {
        case .operation(let operation):
          if let name = operation.name { operations.insert(name.symbol) }
        case .fragment(let fragment):
          fragments.insert(fragment.name.symbol)
          if let query = Self.refetchQuery(of: fragment, document.symbols) {
            operations.insert(document.symbols.intern(query))
          }
        case .schema, .type, .directive: hasOthers = true
        }
      }
    }
  }

  /// Returns the query names of the `@refetchable` fragments in documents.
  package static func refetchQueries(in documents: [Document]) -> [String] {
    documents.flatMap { document in
      document.definitions.compactMap { definition in
        guard case .fragment(let fragment) = definition else { return nil }
        return refetchQuery(of: fragment, document.symbols)
      }
    }
  }

  private static func refetchQuery(
    of fragment: FragmentDefinition, _ symbols: SymbolTable
  ) -> String? {
    fragment.directives[named: .refetchable]?.text("queryName", in: symbols)
  }
}

extension Document {
  /// Returns the names of the fragments that the document uses, either by spreading them or by
  /// selecting a field derived from them.
  ///
  /// - Parameter derived: The fragments that fields are derived from, by field name. A field counts
  ///   as derived on every type.
  package func spreads(derived: [Symbol: Set<Symbol>]) -> Set<Symbol> {
    var names: Set<Symbol> = []
    for definition in definitions {
      switch definition {
      case .operation(let operation): operation.selectionSet.add(to: &names, derived)
      case .fragment(let fragment): fragment.selectionSet.add(to: &names, derived)
      case .schema, .type, .directive: continue
      }
    }
    return names
  }
}

extension SelectionSet {
  fileprivate func add(to names: inout Set<Symbol>, _ derived: [Symbol: Set<Symbol>]) {
    for selection in selections {
      switch selection {
      case .field(let field): names.formUnion(derived[field.name.symbol] ?? [])
      case .inlineFragment: break
      case .fragmentSpread(let spread): names.insert(spread.name.symbol)
      }
      selection.selectionSet?.add(to: &names, derived)
    }
  }
}
