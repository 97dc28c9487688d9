import GraphQLLanguage

/// Takes out what the store is to do with fields, which readers do not need.
package enum DropHandles {
  package static func apply(to program: IR.Program) -> IR.Program {
    program.map { inside($1) }
  }

  private static func inside(_ selections: [IR.Selection]) -> [IR.Selection] {
    selections.map { selection in
      var selection = selection
      switch selection.content {
      case .field(var field):
        field.handles = []
        if !field.selections.isEmpty { field.selections = inside(field.selections) }
        selection.content = .field(field)
      case .condition(var condition):
        condition.selections = inside(condition.selections)
        selection.content = .condition(condition)
      case .spread: break
      }
      return selection
    }
  }
}
