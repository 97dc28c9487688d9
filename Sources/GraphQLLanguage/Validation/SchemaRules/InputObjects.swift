extension SchemaRules {
  /// Requires the fields of input objects to have input types. The fields of a OneOf input object
  /// must be nullable and have no default values.
  static let inputObjects: SchemaRule = { check in
    for type in check.types where type.kind == .inputObject {
      let name = check.text(type.symbol)
      let isOneOf = type.isOneOf
      for field in type.inputFields {
        let fieldName = "\(name).\(check.text(field.symbol))"
        let location = field.definition.type.span
        check.requireInput(field, "input field", at: location) { _ in fieldName }
        guard isOneOf else { continue }
        if field.type.isNonNull {
          check.report(
            "one-of-fields", "OneOf input field \"\(fieldName)\" must be nullable.",
            at: field.definition.type.span)
        }
        if field.defaultValue != nil {
          check.report(
            "one-of-fields", "OneOf input field \"\(fieldName)\" cannot have a default value.",
            at: field.definition.span)
        }
      }
    }
  }
}
