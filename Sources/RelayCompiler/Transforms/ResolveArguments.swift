import GraphQLLanguage

/// Completes the arguments of each spread: every variable of the fragment gets the value that
/// `@arguments` passes, or else its default value. A variable with neither is absent.
struct ResolveArguments {
  /// The argument definitions of fragments that have any, by fragment name.
  private let fragmentVariables: [Symbol: [IR.FragmentVariable]]
  private let values: ValueText

  package static func apply(to program: IR.Program) -> IR.Program {
    let fragmentVariables = program.fragments.filter { !$0.fragmentVariables.isEmpty }.map {
      ($0.name, $0.fragmentVariables)
    }
    let pass = ResolveArguments(
      fragmentVariables: Dictionary(fragmentVariables, uniquingKeysWith: { first, _ in first }),
      values: ValueText(symbols: program.symbols))
    return program.replacingSelections { selection, _ in
      guard case .spread(var spread) = selection.content else { return nil }
      let arguments = pass.arguments(of: spread)
      if arguments.isEmpty, spread.arguments.isEmpty { return nil }
      spread.arguments = arguments
      spread.argumentsText = pass.values.sortedJSON(arguments)
      return selection.with(.spread(spread))
    }
  }

  private func arguments(of spread: IR.Spread) -> [IR.Argument] {
    guard let fragmentVariables = fragmentVariables[spread.name] else { return [] }
    return fragmentVariables.compactMap { variable in
      let passed = spread.arguments.first { $0.name == variable.name }?.value
      return (passed ?? variable.defaultValue).map { IR.Argument(name: variable.name, value: $0) }
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
