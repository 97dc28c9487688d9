import GraphQLLanguage

/// Finds plain definitions: those without reserved fields and without directives other than
/// `@include` and `@skip`. Most definitions are plain, and most checks can skip them.
struct DirectiveSearch {
  private let schema: Schema
  private let include: Symbol
  private let skip: Symbol

  init(schema: Schema) {
    self.schema = schema
    include = schema.symbols.intern("include")
    skip = schema.symbols.intern("skip")
  }

  func isPlain(_ operation: OperationDefinition) -> Bool {
    operation.directives.isEmpty && isPlain(operation.selectionSet)
  }

  func isPlain(_ fragment: FragmentDefinition) -> Bool {
    fragment.directives.isEmpty && isPlain(fragment.selectionSet)
  }

  private func isPlain(_ set: SelectionSet) -> Bool {
    set.selections.allSatisfy { selection in
      switch selection {
      case .field(let field):
        arePlain(field.directives) && isPlain(field.name.symbol)
          && (field.selectionSet.map(isPlain) ?? true)
      case .fragmentSpread(let spread): arePlain(spread.directives)
      case .inlineFragment(let fragment):
        arePlain(fragment.directives) && isPlain(fragment.selectionSet)
      }
    }
  }

  private func arePlain(_ directives: [Directive]) -> Bool {
    directives.allSatisfy { $0.name.symbol == include || $0.name.symbol == skip }
  }

  /// Whether a field's name is not reserved: it neither starts nor ends with two underscores, or is
  /// `__typename`.
  private func isPlain(_ name: Symbol) -> Bool {
    if name == .typename { return true }
    let bytes = schema.symbols[name].utf8
    return !bytes.starts(with: "__".utf8) && !bytes.reversed().starts(with: "__".utf8)
  }
}
