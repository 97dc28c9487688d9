extension SchemaRules {
  /// Requires default values to be valid for the type of their argument or input field.
  static let defaultValues: SchemaRule = { check in
    let schema = check.schema
    func text(_ symbol: Symbol) -> String { schema.symbols[symbol] }
    for directive in schema.directives where !directive.isBuiltIn {
      for argument in directive.arguments {
        check.requireDefault(of: argument, "@\(text(directive.symbol))(\(text(argument.symbol)):)")
      }
    }
    for type in check.types {
      for field in type.fields {
        for argument in field.arguments where argument.defaultValue != nil {
          check.requireDefault(
            of: argument,
            "\(text(type.symbol)).\(text(field.symbol))(\(text(argument.symbol)):)")
        }
      }
      for field in type.inputFields where field.defaultValue != nil {
        check.requireDefault(of: field, "\(text(type.symbol)).\(text(field.symbol))")
      }
    }
  }
}

extension SchemaCheck {
  fileprivate mutating func requireDefault(
    of value: SchemaInputValue, _ name: @autoclosure () -> String
  ) {
    guard let literal = value.defaultValue, schema[value.type.named].isInput else { return }
    let coercion = ValueCoercion(schema: schema)
    guard let problem = coercion.problem(with: literal, as: value.type) else { return }
    report(
      "default-values", "The default value of \"\(name())\" is not valid. \(problem.message)",
      at: problem.span)
  }
}
