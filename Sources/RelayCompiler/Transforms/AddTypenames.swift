import GraphQLLanguage

/// Selects `__typename` first in every object of an abstract type.
struct AddTypenames {
  private let schema: Schema
  private let typename: IR.Selection?

  /// - Parameter addsToFragments: Whether fragments on abstract types get `__typename` too. In
  ///   programs that are sent they need none, because the object on which they are spread has it.
  package static func apply(to program: IR.Program, addsToFragments: Bool) -> IR.Program {
    let pass = AddTypenames(schema: program.schema)
    let result = program.replacingSelections { selection, _ in
      guard case .field(let field) = selection.content, !field.selections.isEmpty else {
        return nil
      }
      let inner = pass.withTypename(field.selections, on: field.type.named)
      return selection.with(field.with(selections: inner))
    }
    return addsToFragments ? result.map { pass.withTypename($1, on: $0) } : result
  }

  private init(schema: Schema) {
    self.schema = schema
    typename = IR.Field.typename(in: schema).map { IR.Selection($0) }
  }

  private func withTypename(_ selections: [IR.Selection], on type: TypeID) -> [IR.Selection] {
    guard schema[type].isAbstract, let typename else { return selections }
    return [typename] + selections
  }
}
