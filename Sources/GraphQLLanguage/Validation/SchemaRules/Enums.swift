extension SchemaRules {
  /// Requires enums to have values.
  static let enums: SchemaRule = { check in
    for type in check.types where type.kind == .enum && type.enumValues.isEmpty {
      check.report(
        "types-have-members",
        "Enum type \"\(check.text(type.symbol))\" must define one or more values.",
        at: type.definitionSpans)
    }
  }
}
