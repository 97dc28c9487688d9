import GraphQLLanguage

/// Gives each spread a value for every variable that its fragment has: what `@arguments` passes,
/// else the default. One that has neither is absent.
package struct ResolveArguments {
  /// The variables of fragments that have any.
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
  /// The values of its variables where nothing is passed.
  var defaults: [IR.Argument] {
    locals.compactMap { local in
      local.defaultValue.map { IR.Argument(name: local.name, value: $0) }
    }
  }
}
