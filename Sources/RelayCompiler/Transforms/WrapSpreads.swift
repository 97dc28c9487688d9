import GraphQLLanguage

/// Wraps each spread on a type that the object may not have in a condition on that type.
struct WrapSpreads {
  private let schema: Schema
  /// The types that fragments are defined on, by fragment name.
  private let fragments: [Symbol: TypeID]

  package static func apply(to program: IR.Program) -> IR.Program {
    let types = program.fragments.map { ($0.name, $0.type) }
    let pass = WrapSpreads(
      schema: program.schema,
      fragments: Dictionary(types, uniquingKeysWith: { first, _ in first }))
    return program.map { pass.selections($1, on: $0) }
  }

  private func selections(_ selections: [IR.Selection], on type: TypeID) -> [IR.Selection] {
    selections.replacing { selection in
      switch selection.content {
      case .field(let field):
        return selection.with(
          field.with(selections: self.selections(field.selections, on: field.type.named)))
      case .inlineFragment(let fragment):
        return selection.with(
          fragment, self.selections(fragment.selections, on: fragment.type))
      case .spread(let spread):
        guard let fragment = fragments[spread.name], !schema.isSubtype(type, of: fragment) else {
          return nil
        }
        let inner = IR.Selection(content: selection.content)
        return selection.with(
          .inlineFragment(IR.InlineFragment(type: fragment, selections: [inner])))
      }
    }
  }
}
