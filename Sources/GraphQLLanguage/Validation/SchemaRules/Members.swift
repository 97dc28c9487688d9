extension SchemaRules {
  /// Requires types to have at least one field, value or member.
  static let members: SchemaRule = { check in
    for type in check.types {
      let (isEmpty, subject, members) =
        switch type.kind {
        case .scalar: (false, "", "")
        case .object, .interface: (type.fields.isEmpty, "Type", "fields")
        case .union: (type.memberTypes.isEmpty, "Union type", "member types")
        case .enum: (type.enumValues.isEmpty, "Enum type", "values")
        case .inputObject: (type.inputFields.isEmpty, "Input Object type", "fields")
        }
      if !isEmpty { continue }
      check.report(
        "types-have-members",
        "\(subject) \"\(check.text(type.symbol))\" must define one or more \(members).",
        at: type.definitionSpans)
    }
  }
}
