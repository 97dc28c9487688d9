import GraphQLLanguage

/// Selects `__typename` first in every object of an abstract type.
struct AddTypenames {
  private let schema: Schema
  private let typename: IR.Selection?

  /// - Parameter addsToFragments: Whether fragments on abstract types get `__typename` too. In
  ///   programs that are sent they need none, because the object on which they are spread has it.
  package static func apply(to program: IR.Program, addsToFragments: Bool) -> IR.Program {
    let pass = AddTypenames(schema: program.schema)
    return program.map { root, selections in
      let inner = pass.inside(selections)
      return addsToFragments ? pass.withTypename(inner, on: root) : inner
    }
  }

  private init(schema: Schema) {
    self.schema = schema
    typename = IR.Field.typename(in: schema).map { IR.Selection(content: .field($0)) }
  }

  private func inside(_ selections: [IR.Selection]) -> [IR.Selection] {
    selections.replacing { selection in
      switch selection.content {
      case .field(let field):
        if field.selections.isEmpty { return nil }
        let inner = withTypename(inside(field.selections), on: field.type.named)
        return selection.with(field.with(selections: inner))
      case .inlineFragment(let fragment):
        return selection.with(fragment, inside(fragment.selections))
      case .spread: return nil
      }
    }
  }

  private func withTypename(_ selections: [IR.Selection], on type: TypeID) -> [IR.Selection] {
    guard schema[type].isAbstract, let typename else { return selections }
    return [typename] + selections
  }
}
