extension Rules {
  /// Requires every required argument of a field or directive to be provided.
  static let providedRequiredArguments: Rule = { context, visitors in
    visitors.field.append { field, _, definition in
      guard let definition else { return }
      for argument in definition.arguments where argument.isRequired {
        if field.arguments.contains(where: { $0.name.symbol == argument.symbol }) { continue }
        context.report(
          "provided-required-arguments",
          "Field \"\(context.text(field.name.symbol))\" argument "
            + "\"\(context.text(argument.symbol))\" of type "
            + "\"\(context.schema.text(of: argument.type))\" is required, but it was not provided.",
          at: field.nameSpan, correction: .argument(context.text(argument.symbol)))
      }
    }
    checkDirectives(rule: "provided-required-arguments", context, &visitors)
  }

  /// Requires every required argument of a directive in a schema to be provided.
  static let providedRequiredArgumentsOnDirectives: Rule = { context, visitors in
    checkDirectives(rule: "provided-required-arguments-on-directives", context, &visitors)
  }

  private static func checkDirectives(
    rule: String, _ context: ValidationContext, _ visitors: inout Visitors
  ) {
    visitors.directive.append { directive, definition in
      guard let definition else { return }
      for argument in definition.definition.arguments
      where argument.type.shape.isNonNull && argument.defaultValue == nil {
        let symbol = argument.name.symbol
        if directive.arguments.contains(where: { $0.name.symbol == symbol }) { continue }
        if context.isRelay, RelayDirectives.isAddedByCompiler(symbol, of: directive) { continue }
        let type = argument.type.shape.text(around: context.text(argument.type.name.symbol))
        context.report(
          rule,
          "Directive \"@\(context.text(directive.name.symbol))\" argument "
            + "\"\(context.text(symbol))\" of type \"\(type)\" is required, but it was not provided.",
          at: directive.span, correction: .argument(context.text(symbol)))
      }
    }
  }
}
