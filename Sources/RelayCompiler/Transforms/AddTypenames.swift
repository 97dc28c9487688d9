import GraphQLLanguage

/// Selects `__typename` first wherever several types are possible.
package struct AddTypenames {
  private let schema: Schema
  private let typename: IR.Selection?

  /// - Parameter addsToRoots: Whether fragments on abstract types get one too; in an operation's
  ///   text they need none, because the object they are spread on has it.
  package static func apply(to program: IR.Program, addsToRoots: Bool) -> IR.Program {
    let pass = AddTypenames(schema: program.schema)
    return program.map { root, selections in
      let inner = pass.inside(selections)
      return addsToRoots ? pass.withTypename(inner, on: root) : inner
    }
  }

  private init(schema: Schema) {
    self.schema = schema
    typename = IR.Field.typename(in: schema).map { IR.Selection(content: .field($0)) }
  }

  private func inside(_ selections: [IR.Selection]) -> [IR.Selection] {
    selections.map { selection in
      var selection = selection
      switch selection.content {
      case .field(var field) where !field.selections.isEmpty:
        field.selections = withTypename(inside(field.selections), on: field.type.named)
        selection.content = .field(field)
      case .condition(var condition):
        condition.selections = inside(condition.selections)
        selection.content = .condition(condition)
      case .field, .spread: break
      }
      return selection
    }
  }

  private func withTypename(_ selections: [IR.Selection], on type: TypeID) -> [IR.Selection] {
    guard schema[type].isAbstract, let typename else { return selections }
    return [typename] + selections
  }
}
