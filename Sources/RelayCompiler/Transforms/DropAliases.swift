import GraphQLLanguage

/// Takes out what only structs know: what `@alias`, `@required` and `@catch` say.
package enum DropAliases {
  package static func apply(to program: IR.Program) -> IR.Program {
    program.map { inside($1) }
  }

  private static func inside(_ selections: [IR.Selection]) -> [IR.Selection] {
    selections.map { selection in
      var selection = selection
      switch selection.content {
      case .field(var field):
        field.required = nil
        field.catches = nil
        if !field.selections.isEmpty { field.selections = inside(field.selections) }
        selection.content = .field(field)
      case .spread(var spread):
        spread.alias = nil
        selection.content = .spread(spread)
      case .condition(var condition):
        condition.alias = nil
        condition.selections = inside(condition.selections)
        selection.content = .condition(condition)
      }
      return selection
    }
  }
}
