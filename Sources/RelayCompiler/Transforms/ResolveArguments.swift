import GraphQLLanguage

/// A pass that completes the arguments of each spread. Every variable of the fragment gets the
/// value passed with `@arguments`, or else its default value. A variable with neither is omitted.
enum ResolveArguments {
  package static func apply(to program: IR.Program) -> IR.Program {
    let values = ValuePrinter(symbols: program.symbols)
    let variables = Dictionary(
      program.fragments.map { ($0.name, $0.fragmentVariables) },
      uniquingKeysWith: { first, _ in first })
    return program.replacingSelections { selection, _ in
      guard case .spread(var spread) = selection.content else { return nil }
      let arguments = (variables[spread.name] ?? []).compactMap { variable in
        let passed = spread.arguments.first { $0.name == variable.name }?.value
        return (passed ?? variable.defaultValue).map { IR.Argument(name: variable.name, value: $0) }
      }
      if arguments.isEmpty, spread.arguments.isEmpty { return nil }
      spread.arguments = arguments
      spread.argumentsText = values.sortedJSON(arguments)
      return selection.with(.spread(spread))
    }
  }
}

extension IR.Fragment {
  /// The default values of the fragment's own variables.
  var defaults: [IR.Argument] {
    fragmentVariables.compactMap { variable in
      variable.defaultValue.map { IR.Argument(name: variable.name, value: $0) }
    }
  }
}
