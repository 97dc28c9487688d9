extension SchemaRules {
  /// Requires objects and interfaces to have fields, of output types and with arguments of input
  /// types.
  static let fields: SchemaRule = { check in
    for type in check.types where type.kind == .object || type.kind == .interface {
      let name = check.text(type.symbol)
      if type.fields.isEmpty {
        check.report(
          "types-have-members", "Type \"\(name)\" must define one or more fields.",
          at: type.definitionSpans)
      }
      for field in type.fields {
        if !check.schema[field.type.named].isOutput {
          check.report(
            "output-types",
            "The type of \"\(name).\(check.text(field.symbol))\" must be Output Type but got "
              + "\"\(check.schema.text(of: field.type))\".", at: field.definition.type.span)
        }
        for argument in field.arguments { check.requireInput(argument, of: field, in: name) }
      }
    }
  }
}

extension SchemaCheck {
  fileprivate mutating func requireInput(
    _ argument: SchemaInputValue, of field: SchemaField, in type: String
  ) {
    let name = { [self] in "\(type).\(text(field.symbol))(\(text(argument.symbol)):)" }
    if !schema[argument.type.named].isInput {
      report(
        "input-types",
        "The type of \"\(name())\" must be Input Type but got "
          + "\"\(schema.text(of: argument.type))\".", at: argument.definition.type.span)
    }
    requireNotDeprecated(argument, "Required argument \"\(name())\"")
  }
}
