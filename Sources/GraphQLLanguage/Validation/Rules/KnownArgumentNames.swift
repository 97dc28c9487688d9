extension Rules {
  /// Requires every argument of a field or directive to be defined.
  static let knownArgumentNames: Rule = { context, visitors in
    visitors.field.append { field, parent, definition in
      guard let parent, let definition else { return }
      for argument in field.arguments
      where definition.arguments[named: argument.name.symbol] == nil {
        let name = context.text(argument.name.symbol)
        let owner = "\(context.text(parent.symbol)).\(context.text(field.name.symbol))"
        context.report(
          "known-argument-names",
          "Unknown argument \"\(name)\" on field \"\(owner)\".", unknown: argument.name,
          among: definition.arguments.map { context.text($0.symbol) }, at: argument.span)
      }
    }
    checkDirectives(rule: "known-argument-names", context, &visitors)
  }

  /// Requires every argument of a directive in a schema to be defined.
  static let knownArgumentNamesOnDirectives: Rule = { context, visitors in
    checkDirectives(rule: "known-argument-names-on-directives", context, &visitors)
  }

  private static func checkDirectives(
    rule: String, _ context: ValidationContext, _ visitors: inout Visitors
  ) {
    visitors.directive.append { directive, definition in
      guard let definition else { return }
      if context.isRelay, RelayDirectives.hasFragmentArguments(directive) { return }
      let declared = definition.definition.arguments
      for argument in directive.arguments
      where !declared.contains(where: { $0.name.symbol == argument.name.symbol }) {
        let name = context.text(argument.name.symbol)
        context.report(
          rule,
          "Unknown argument \"\(name)\" on directive \"@\(context.text(directive.name.symbol))\".",
          unknown: argument.name, among: declared.map { context.text($0.name.symbol) },
          at: argument.span)
      }
    }
  }
}
