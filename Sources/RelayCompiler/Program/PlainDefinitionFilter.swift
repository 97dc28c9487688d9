import GraphQLLanguage

/// Finds plain definitions: those without reserved fields and without directives other than
/// `@include` and `@skip`. Most definitions are plain, and most checks can skip them.
struct PlainDefinitionFilter {
  private let schema: Schema
  private let include: Symbol
  private let skip: Symbol

  init(schema: Schema) {
    self.schema = schema
    include = schema.symbols.intern("include")
    skip = schema.symbols.intern("skip")
  }

  func needsNoChecks(_ operation: OperationDefinition) -> Bool {
    operation.directives.isEmpty && needsNoChecks(operation.selectionSet)
  }

  func needsNoChecks(_ fragment: FragmentDefinition) -> Bool {
    fragment.directives.isEmpty && needsNoChecks(fragment.selectionSet)
  }

  // Recursive and not inlined: otherwise every level would contain copies of the next.
  @inline(never)
  private func needsNoChecks(_ set: SelectionSet) -> Bool {
    set.selections.allSatisfy { selection in
      switch selection {
      case .field(let field):
        areConditions(field.directives) && isUnreserved(field.name.symbol)
          && (field.selectionSet.map(needsNoChecks) ?? true)
      case .fragmentSpread(let spread): areConditions(spread.directives)
      case .inlineFragment(let fragment):
        areConditions(fragment.directives) && needsNoChecks(fragment.selectionSet)
      }
    }
  }

  private func areConditions(_ directives: [Directive]) -> Bool {
    directives.allSatisfy { $0.name.symbol == include || $0.name.symbol == skip }
  }

  /// Whether a field's name is not reserved: it neither starts nor ends with two underscores, or is
  /// `__typename`.
  private func isUnreserved(_ name: Symbol) -> Bool {
    if name == .typename { return true }
    let bytes = schema.symbols[name].utf8
    return !bytes.starts(with: "__".utf8) && !bytes.reversed().starts(with: "__".utf8)
  }
}
