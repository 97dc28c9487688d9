import GraphQLLanguage

/// A pass that moves the `@defer` of a spread into its guard, so that ``Flatten`` combines it with
/// `@include` and `@skip`. A selection that also occurs without `@defer` is then not deferred.
///
/// Applies only to plans. In operation texts, spreads carry `@defer` themselves.
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
