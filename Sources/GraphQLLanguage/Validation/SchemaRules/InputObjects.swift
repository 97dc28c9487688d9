extension SchemaRules {
  /// Requires input objects to have fields of input types. The fields of a OneOf input object must
  /// be nullable and have no default values.
  static let inputObjects: SchemaRule = { check in
    for type in check.types where type.kind == .inputObject {
      let name = check.text(type.symbol)
      if type.inputFields.isEmpty {
        check.report(
          "types-have-members", "Input Object type \"\(name)\" must define one or more fields.",
          at: type.definitionSpans)
      }
      let isOneOf = type.isOneOf
      for field in type.inputFields {
        let fieldName = "\(name).\(check.text(field.symbol))"
        if !check.schema[field.type.named].isInput {
          check.report(
            "input-types",
            "The type of \"\(fieldName)\" must be Input Type but got "
              + "\"\(check.schema.text(of: field.type))\".", at: field.definition.type.span)
        }
        check.requireNotDeprecated(field, "Required input field \"\(fieldName)\"")
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
