extension Rules {
  /// Requires `@arguments` to pass only arguments that the fragment declares and that have no
  /// provider.
  static let knownFragmentArguments: Rule = { context, visitors in
    visitors.fragmentSpread.append { spread, _ in
      guard context.fragmentPosition(spread.name.symbol) != nil else { return }
      let fragment = context.text(spread.name.symbol)
      let variables = context.fragmentVariables(of: spread.name.symbol)
      for argument in spread.passedArguments {
        let name = context.text(argument.name.symbol)
        let variable = variables.first { $0.name.symbol == argument.name.symbol }
        if let variable, let provider = variable.provider {
          context.report(
            "known-fragment-arguments",
            "Argument \"\(name)\" of fragment \"\(fragment)\" is provided by \"\(provider)\" and "
              + "cannot be passed.",
            at: argument.span, variable.name.span, help: "Remove it.")
        } else if variable == nil {
          context.report(
            "known-fragment-arguments",
            "Fragment \"\(fragment)\" does not declare an argument \"\(name)\".",
            unknown: argument.name, among: variables.map { context.text($0.name.symbol) },
            at: argument.span, help: "Declare it with @argumentDefinitions on the fragment.")
        }
      }
    }
  }

  /// Requires every spread to pass the arguments that its fragment requires.
  static let requiredFragmentArguments: Rule = { context, visitors in
    visitors.fragmentSpread.append { spread, _ in
      let passed = spread.passedArguments
      for variable in context.fragmentVariables(of: spread.name.symbol) {
        guard let type = variable.type, type.isNonNull, variable.defaultValue == nil,
          variable.provider == nil,
          !passed.contains(where: { $0.name.symbol == variable.name.symbol })
        else { continue }
        let name = context.text(variable.name.symbol)
        context.report(
          "required-fragment-arguments",
          "Fragment \"\(context.text(spread.name.symbol))\" requires an argument \"\(name)\" of "
            + "type \"\(context.schema.text(of: type))\", but it is not passed.",
          at: spread.span, variable.name.span, help: "Pass it with @arguments(\(name): …).")
      }
    }
  }

  /// Requires every argument that a fragment declares to be used in it.
  static let noUnusedFragmentArguments: Rule = { context, visitors in
    visitors.finish.append {
      for fragment in context.fragments where !fragment.fragmentVariables.isEmpty {
        let used = Set(fragment.usages.map(\.symbol))
        for variable in fragment.fragmentVariables where !used.contains(variable.name.symbol) {
          context.report(
            "no-unused-fragment-arguments",
            "Argument \"$\(context.text(variable.name.symbol))\" is never used in fragment "
              + "\"\(context.text(fragment.definition.name.symbol))\".",
            at: variable.name.span, help: "Use it, or remove it.")
        }
      }
    }
  }
}
