import GraphQLLanguage

/// Puts each spread on a type that the object need not have inside a condition on that type.
package struct WrapSpreads {
  private let schema: Schema
  private let fragments: [Symbol: IR.Fragment]

  package static func apply(to program: IR.Program) -> IR.Program {
    let pass = WrapSpreads(schema: program.schema, fragments: program.fragmentsByName())
    return program.map { pass.selections($1, on: $0) }
  }

  private func selections(_ selections: [IR.Selection], on type: TypeID) -> [IR.Selection] {
    selections.map { selection in
      var selection = selection
      switch selection.content {
      case .field(var field):
        field.selections = self.selections(field.selections, on: field.type.named)
        selection.content = .field(field)
      case .condition(var condition):
        condition.selections = self.selections(condition.selections, on: condition.type)
        selection.content = .condition(condition)
      case .spread(let spread):
        guard let fragment = fragments[spread.name], !schema.isSubtype(type, of: fragment.type)
        else { break }
        let inner = IR.Selection(content: selection.content)
        selection.content = .condition(
          IR.TypeCondition(type: fragment.type, selections: [inner]))
      }
      return selection
    }
  }
}
