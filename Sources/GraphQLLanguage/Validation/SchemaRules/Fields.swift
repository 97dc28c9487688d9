extension SchemaRules {
  /// Requires fields of objects and interfaces to have output types, and their arguments input
  /// types.
  static let fields: SchemaRule = { check in
    for type in check.types where type.kind == .object || type.kind == .interface {
      let name = check.text(type.symbol)
      for field in type.fields {
        if !check.schema[field.type.named].isOutput {
          check.report(
            "output-types",
            "The type of \"\(name).\(check.text(field.symbol))\" must be Output Type but got "
              + "\"\(check.schema.text(of: field.type))\".", at: field.definition.type.span)
        }
        for argument in field.arguments {
          let location = argument.definition.type.span
          check.requireInput(argument, "argument", at: location) {
            "\(name).\($0.text(field.symbol))(\($0.text(argument.symbol)):)"
          }
        }
      }
    }
  }
}

extension SchemaCheck {
  /// Requires an argument or input field to have an input type, and forbids deprecating a required
  /// one.
  ///
  /// - Parameters:
  ///   - location: The location of an error about the type.
  ///   - name: Returns the value's name for messages.
  mutating func requireInput(
    _ value: SchemaInputValue, _ kind: String, at location: Span,
    named name: (SchemaCheck) -> String
  ) {
    if !schema[value.type.named].isInput {
      report(
        "input-types",
        "The type of \"\(name(self))\" must be Input Type but got "
          + "\"\(schema.text(of: value.type))\".", at: location)
    }
    guard value.isRequired, let directive = value.directives[named: .deprecated] else { return }
    report(
      "deprecated-required", "Required \(kind) \"\(name(self))\" cannot be deprecated.",
      at: directive.span, value.definition.type.span,
      help: "Make it nullable or give it a default value first.")
  }
}
