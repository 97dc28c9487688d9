import GraphQLLanguage

/// A pass that removes everything from operations except linked fields of schema extensions and
/// the paths to them. Spreads must already be expanded. A retained operation keeps the records of
/// these client-only selections alive, in addition to the records of the selections that are sent.
struct KeepClientOnlyLinks {
  /// Returns the program with only the operations that have such fields.
  package static func apply(to program: IR.Program) -> IR.Program {
    var result = program
    result.operations = program.operations.compactMap { operation in
      var operation = operation
      operation.selections = kept(operation.selections, isInClientField: false)
      return operation.selections.isEmpty ? nil : operation
    }
    return result
  }

  /// Returns whether a program has a linked field from a schema extension.
  package static func isNeeded(by program: IR.Program) -> Bool {
    program.hasSelection { selection in
      if case .field(let field) = selection.content {
        field.isClient && !field.selections.isEmpty
      } else {
        false
      }
    }
  }

  // Not inlined: inlining a recursive function would copy each level into the one above.
  @inline(never)
  private static func kept(_ selections: [IR.Selection], isInClientField: Bool) -> [IR.Selection] {
    selections.compactMap { selection in
      var selection = selection
      switch selection.content {
      case .field(let field):
        if field.selections.isEmpty { return nil }
        let isClient = isInClientField || field.isClient
        let below = kept(field.selections, isInClientField: isClient)
        if below.isEmpty, !isClient { return nil }
        selection.content = .field(field.with(selections: below))
      case .spread: return nil
      case .inlineFragment(var fragment):
        fragment.selections = kept(fragment.selections, isInClientField: isInClientField)
        if fragment.selections.isEmpty { return nil }
        selection.content = .inlineFragment(fragment)
      }
      return selection
    }
  }
}
