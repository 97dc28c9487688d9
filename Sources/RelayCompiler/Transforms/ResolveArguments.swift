import GraphQLLanguage

/// Gives each spread a value for every variable that its fragment has: what `@arguments` passes,
/// else the default. One that has neither is absent.
package struct ResolveArguments {
  private let fragments: [Symbol: IR.Fragment]
  private let values: ValueText

  package static func apply(to program: IR.Program) -> IR.Program {
    let pass = ResolveArguments(
      fragments: program.fragmentsByName(), values: ValueText(symbols: program.symbols))
    return program.map { pass.inside($1) }
  }

  private func inside(_ selections: [IR.Selection]) -> [IR.Selection] {
    selections.map { selection in
      var selection = selection
      switch selection.content {
      case .field(var field):
        if !field.selections.isEmpty { field.selections = inside(field.selections) }
        selection.content = .field(field)
      case .condition(var condition):
        condition.selections = inside(condition.selections)
        selection.content = .condition(condition)
      case .spread(var spread):
        spread.arguments = arguments(of: spread)
        spread.argumentsText = values.sortedJSON(spread.arguments)
        selection.content = .spread(spread)
      }
      return selection
    }
  }

  private func arguments(of spread: IR.Spread) -> [IR.Argument] {
    guard let fragment = fragments[spread.name] else { return [] }
    return fragment.locals.compactMap { local in
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
