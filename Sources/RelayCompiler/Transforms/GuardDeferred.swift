import GraphQLLanguage

/// Makes the `@defer` of a spread part of the spread's guard, so that ``Flatten`` combines it with
/// `@include` and `@skip`: a selection that also occurs without `@defer` is not deferred.
///
/// Only for plans. In the text that is sent a spread has its `@defer` itself.
enum GuardDeferred {
  package static func apply(to program: IR.Program) -> IR.Program {
    program.map { inside($1) }
  }

  private static func inside(_ selections: [IR.Selection]) -> [IR.Selection] {
    selections.replacing { selection in
      switch selection.content {
      case .field(let field):
        return selection.with(field.with(selections: inside(field.selections)))
      case .inlineFragment(let fragment):
        return selection.with(fragment, inside(fragment.selections))
      case .spread(var spread):
        guard let deferral = spread.deferral else { return nil }
        spread.deferral = nil
        var result = selection.with(.spread(spread))
        result.condition = selection.condition.and(Guard(deferral))
        return result
      }
    }
  }
}
