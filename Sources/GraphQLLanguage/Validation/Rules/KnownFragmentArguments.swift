extension Rules {
  /// Values passed with `@arguments` are for variables that the fragment declares.
  static let knownFragmentArguments: Rule = { context, visitors in
    visitors.fragmentSpread.append { spread, _ in
      guard context.fragmentPosition(spread.name.symbol) != nil else { return }
      let fragment = context.text(spread.name.symbol)
      let locals = context.localVariables(of: spread.name.symbol)
      for directive in spread.directives
      where context.text(directive.name.symbol) == "arguments" {
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
}
