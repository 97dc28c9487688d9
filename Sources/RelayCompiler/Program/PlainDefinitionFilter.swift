import GraphQLLanguage

/// A filter for plain definitions, which have no reserved fields and no directives other than
/// `@include` and `@skip`. Most definitions are plain, and most checks can skip them.
struct PlainDefinitionFilter {
  let symbols: SymbolTable

  func isPlain(_ definition: ExecutableDefinition) -> Bool {
    definition.directives.isEmpty && isPlain(definition.selectionSet)
  }

  // Not inlined: inlining a recursive function would copy each level into the one above.
  @inline(never)
  private func isPlain(_ set: SelectionSet) -> Bool {
    set.selections.allSatisfy { selection in
      if case .field(let field) = selection, isReserved(field.name.symbol) { return false }
      return selection.directives.allSatisfy {
        $0.name.symbol == .include || $0.name.symbol == .skip
      } && (selection.selectionSet.map(isPlain) ?? true)
    }
  }

  /// Returns whether a field's name starts or ends with two underscores, except for `__typename`.
  private func isReserved(_ name: Symbol) -> Bool {
    if name == .typename { return false }
    let bytes = symbols[name].utf8
    return bytes.starts(with: "__".utf8) || bytes.reversed().starts(with: "__".utf8)
  }
}
