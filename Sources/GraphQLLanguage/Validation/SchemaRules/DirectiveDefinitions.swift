extension SchemaRules {
  /// Requires the arguments of directives to have input types, and required arguments not to be
  /// deprecated.
  static let directiveDefinitions: SchemaRule = { check in
    for directive in check.schema.directives where !directive.isBuiltIn {
      let owner = "@" + check.text(directive.symbol)
      for argument in directive.arguments {
        let name = "\(owner)(\(check.text(argument.symbol)):)"
        if !check.schema[argument.type.named].isInput {
          check.report(
            "input-types",
            "The type of \"\(name)\" must be Input Type but got "
              + "\"\(check.schema.text(of: argument.type))\".", at: argument.definition.span)
        }
        check.requireNotDeprecated(argument, "Required argument \"\(name)\"")
      }
    }
  }
}

extension SchemaCheck {
  /// Reports a required argument or input field that is deprecated.
  mutating func requireNotDeprecated(
    _ value: SchemaInputValue, _ subject: @autoclosure () -> String
  ) {
    guard value.isRequired, let directive = value.directives[named: .deprecated] else { return }
    report(
      "deprecated-required", "\(subject()) cannot be deprecated.",
      at: directive.span, value.definition.type.span,
      help: "Make it nullable or give it a default value first.")
  }
}
