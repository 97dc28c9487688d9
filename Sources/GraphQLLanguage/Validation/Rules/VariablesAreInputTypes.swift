extension Rules {
  /// Requires variables to have input types.
  static let variablesAreInputTypes: Rule = { context, visitors in
    visitors.variableDefinition.append { variable, type in
      guard let type, !context.schema[type.named].isInput else { return }
      context.report(
        "variables-are-input-types",
        "Variable \"$\(context.text(variable.name.symbol))\" cannot be non-input type "
          + "\"\(context.schema.text(of: type))\".",
        at: variable.type.span, help: "Use a scalar, an enum or an input object.")
    }
  }
}
