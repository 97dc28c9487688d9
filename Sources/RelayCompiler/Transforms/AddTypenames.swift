import GraphQLLanguage

/// A pass that selects `__typename` first in every object of an abstract type.
enum AddTypenames {
  /// - Parameter addsToFragments: Whether fragments on abstract types get `__typename` too.
  ///   Programs that are sent do not need it there, because the object that a fragment is spread on
  ///   has it.
  package static func apply(to program: IR.Program, addsToFragments: Bool) -> IR.Program {
    let schema = program.schema
    guard let typename = IR.Field.typename(in: schema) else { return program }
    func withTypename(_ selections: [IR.Selection], on type: TypeID) -> [IR.Selection] {
      schema[type].isAbstract ? [IR.Selection(typename)] + selections : selections
    }
    let result = program.replacingSelections { selection, _ in
      guard case .field(let field) = selection.content, !field.selections.isEmpty else {
        return nil
      }
      let inner = withTypename(field.selections, on: field.type.named)
      return selection.with(field.with(selections: inner))
    }
    return addsToFragments ? result.map { withTypename($1, on: $0) } : result
  }
}
