extension SchemaRules {
  /// Requires directive arguments to have input types, and forbids deprecating required ones.
  static let directiveDefinitions: SchemaRule = { check in
    for directive in check.schema.directives where !directive.isBuiltIn {
      for argument in directive.arguments {
        check.requireInput(argument, "argument", at: argument.definition.span) {
          "@\($0.text(directive.symbol))(\($0.text(argument.symbol)):)"
        }
      }
    }
  }
}
