extension Rules {
  /// Requires `@arguments` to pass only arguments that the fragment declares and that have no
  /// provider.
  static let knownFragmentArguments: Rule = { context, visitors in
    visitors.fragmentSpread.append { spread, _ in
      guard context.fragmentPosition(spread.name.symbol) != nil else { return }
      let fragment = context.text(spread.name.symbol)
      let locals = context.localVariables(of: spread.name.symbol)
      for directive in spread.directives
      where context.text(directive.name.symbol) == "arguments" {
        reportProvided(directive.arguments, locals, of: fragment, in: context)
        for argument in directive.arguments
        where !locals.contains(where: { $0.name.symbol == argument.name.symbol }) {
          let name = context.text(argument.name.symbol)
          context.report(
            "known-fragment-arguments",
            "Fragment \"\(fragment)\" does not declare an argument \"\(name)\"."
              + context.didYouMean(name, among: locals.map { context.text($0.name.symbol) }),
            at: argument.span, help: "Declare it with @argumentDefinitions on the fragment.")
        }
      }
    }
  }

  private static func reportProvided(
    _ arguments: [Argument], _ locals: [LocalVariable], of fragment: String,
    in context: ValidationContext
  ) {
    for argument in arguments {
      guard let local = locals.first(where: { $0.name.symbol == argument.name.symbol }),
        let provider = local.provider
      else { continue }
      context.report(
        "known-fragment-arguments",
        "Argument \"\(context.text(argument.name.symbol))\" of fragment \"\(fragment)\" is provided "
          + "by \"\(provider)\" and cannot be passed.",
        at: argument.span, local.name.span, help: "Remove it.")
    }
  }

  /// Requires every spread to pass the arguments that its fragment requires.
  static let requiredFragmentArguments: Rule = { context, visitors in
    visitors.fragmentSpread.append { spread, _ in
      let passed = spread.directives
        .filter { RelayDirectives.isArguments($0, in: context.schema.symbols) }
        .flatMap(\.arguments)
      for local in context.localVariables(of: spread.name.symbol) {
        guard let type = local.type, type.isNonNull, local.defaultValue == nil,
          local.provider == nil,
          !passed.contains(where: { $0.name.symbol == local.name.symbol })
        else { continue }
        let name = context.text(local.name.symbol)
        context.report(
          "required-fragment-arguments",
          "Fragment \"\(context.text(spread.name.symbol))\" requires an argument \"\(name)\" of "
            + "type \"\(context.schema.text(of: type))\", which is not passed.",
          at: spread.span, local.name.span, help: "Pass it with @arguments(\(name): …).")
      }
    }
  }

  /// Requires every argument that a fragment declares to be used in it.
  static let noUnusedFragmentArguments: Rule = { context, visitors in
    visitors.finish.append {
      for fragment in context.fragments where !fragment.localVariables.isEmpty {
        let used = Set(fragment.usages.map(\.symbol))
        for local in fragment.localVariables where !used.contains(local.name.symbol) {
          context.report(
            "no-unused-fragment-arguments",
            "Argument \"$\(context.text(local.name.symbol))\" is never used in fragment "
              + "\"\(context.text(fragment.definition.name.symbol))\".",
            at: local.name.span, help: "Use it, or remove it.")
        }
      }
    }
  }
}
