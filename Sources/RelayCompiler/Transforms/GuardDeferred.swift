import GraphQLLanguage

/// Makes the `@defer` of a spread part of the spread's guard, so that ``Flatten`` combines it with
/// `@include` and `@skip`: a selection that also occurs without `@defer` is not deferred.
///
/// Only for plans. In the text that is sent a spread has its `@defer` itself.
enum GuardDeferred {
  package static func apply(to program: IR.Program) -> IR.Program {
    program.replacingSelections { selection, _ in
      guard case .spread(var spread) = selection.content, let deferral = spread.deferral else {
        return nil
      }
      spread.deferral = nil
      var result = selection.with(.spread(spread))
      result.condition = selection.condition.and(Guard(deferral))
      return result
    }
  }
}
