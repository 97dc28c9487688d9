import GraphQLLanguage

/// Completes the arguments of each spread: every variable of the fragment gets the value that
/// `@arguments` passes, or else its default value. A variable with neither is absent.
package struct ResolveArguments {
  /// The argument definitions of fragments that have any, by fragment name.
  private let locals: [Symbol: [IR.Local]]
  private let values: ValueText

  package static func apply(to program: IR.Program) -> IR.Program {
    let locals = program.fragments.filter { !$0.locals.isEmpty }.map { ($0.name, $0.locals) }
    let pass = ResolveArguments(
      locals: Dictionary(locals, uniquingKeysWith: { first, _ in first }),
      values: ValueText(symbols: program.symbols))
    return program.map { pass.inside($1) }
  }

  private func inside(_ selections: [IR.Selection]) -> [IR.Selection] {
    selections.changed { selection in
      switch selection.content {
      case .field(let field):
        return selection.with(field.with(selections: inside(field.selections)))
      case .condition(let condition):
        return selection.with(condition, inside(condition.selections))
      case .spread(var spread):
        let arguments = arguments(of: spread)
        if arguments.isEmpty, spread.arguments.isEmpty { return nil }
        spread.arguments = arguments
        spread.argumentsText = values.sortedJSON(arguments)
        return selection.with(.spread(spread))
      }
    }
  }

  private func arguments(of spread: IR.Spread) -> [IR.Argument] {
    guard let locals = locals[spread.name] else { return [] }
    return locals.compactMap { local in
      let passed = spread.arguments.first { $0.name == local.name }?.value
      return (passed ?? local.defaultValue).map { IR.Argument(name: local.name, value: $0) }
    }
  }
}

extension IR.Fragment {
  /// The default values of the fragment's own variables.
  var defaults: [IR.Argument] {
    locals.compactMap { local in
      local.defaultValue.map { IR.Argument(name: local.name, value: $0) }
    }
  }
}
