extension SchemaRules {
  /// Requires a type to implement each interface only once, with all of the interface's fields and
  /// ancestors.
  static let interfaces: SchemaRule = { check in
    for type in check.types where !type.interfaces.isEmpty {
      let all = Set(type.interfaces)
      var seen: Set<TypeID> = []
      for id in type.interfaces {
        let interface = check.schema[id]
        let (name, other) = (check.text(type.symbol), check.text(interface.symbol))
        if interface.kind != .interface {
          check.report(
            "implements",
            "Type \"\(name)\" must only implement Interface types, it cannot implement \"\(other)\".",
            at: type.implementsSpans(interface))
        } else if interface === type {
          check.report(
            "implements",
            "Type \"\(name)\" cannot implement itself because it would create a circular reference.",
            at: type.implementsSpans(interface))
        } else if !seen.insert(id).inserted {
          check.report(
            "implements", "Type \"\(name)\" can only implement \"\(other)\" once.",
            at: type.implementsSpans(interface))
        } else {
          check.requireAncestors(of: interface, on: type, among: all)
          for field in interface.fields { check.require(field, of: interface, on: type) }
        }
      }
    }
  }
}

extension NamedType {
  /// Returns the source ranges where the type declares that it implements an interface.
  fileprivate func implementsSpans(_ interface: NamedType) -> [Span] {
    definitions.flatMap { $0.interfaces.filter { $0.symbol == interface.symbol }.map(\.span) }
  }
}

extension SchemaCheck {
  /// Requires a type to implement every ancestor of one of its interfaces.
  ///
  /// - Parameter all: The interfaces that the type implements.
  fileprivate mutating func requireAncestors(
    of interface: NamedType, on type: NamedType, among all: Set<TypeID>
  ) {
    for id in interface.interfaces where !all.contains(id) {
      let ancestor = schema[id]
      let (name, other) = (text(type.symbol), text(interface.symbol))
      report(
        "implements",
        ancestor === type
          ? "Type \"\(name)\" cannot implement \"\(other)\" because it would create a circular reference."
          : "Type \"\(name)\" must implement \"\(text(ancestor.symbol))\" because it is implemented by \"\(other)\".",
        at: interface.implementsSpans(ancestor) + type.implementsSpans(interface))
    }
  }

  /// Requires a type to have an interface's field. The field's type must be a subtype of the
  /// interface's, with the same arguments and no additional required ones.
  fileprivate mutating func require(
    _ expected: SchemaField, of interface: NamedType, on type: NamedType
  ) {
    let rule = Self.fieldsRule
    let name = "\(text(interface.symbol)).\(text(expected.symbol))"
    guard let field = type.fields[named: expected.symbol] else {
      return report(
        rule,
        "Interface field \"\(name)\" expected but \"\(text(type.symbol))\" does not provide it.",
        at: [expected.definition.span] + type.definitionSpans)
    }
    // Computed lazily, because most fields are valid.
    let own = { [self] in "\(text(type.symbol)).\(text(field.symbol))" }
    if !schema.isSubtype(field.type, of: expected.type) {
      report(
        rule,
        "Interface field \"\(name)\" expects type \"\(schema.text(of: expected.type))\" but "
          + "\"\(own())\" is type \"\(schema.text(of: field.type))\".",
        at: expected.definition.type.span, field.definition.type.span)
    }
    requireArguments(of: expected, called: name, on: field, called: own)
  }

  private static let fieldsRule = "implements-fields"

  /// Requires a field to have the arguments of an interface's field and no additional required
  /// ones.
  private mutating func requireArguments(
    of expected: SchemaField, called name: String, on field: SchemaField,
    called own: () -> String
  ) {
    let rule = Self.fieldsRule
    for argument in expected.arguments {
      let argumentName = "(\(text(argument.symbol)):)"
      guard let given = field.arguments[named: argument.symbol] else {
        report(
          rule,
          "Interface field argument \"\(name)\(argumentName)\" expected but \"\(own())\" does not "
            + "provide it.", at: argument.definition.span, field.definition.span)
        continue
      }
      guard given.type != argument.type else { continue }
      report(
        rule,
        "Interface field argument \"\(name)\(argumentName)\" expects type "
          + "\"\(schema.text(of: argument.type))\" but \"\(own())\(argumentName)\" is type "
          + "\"\(schema.text(of: given.type))\".",
        at: argument.definition.type.span, given.definition.type.span)
    }
    for argument in field.arguments
    where argument.isRequired && expected.arguments[named: argument.symbol] == nil {
      report(
        rule,
        "Field \"\(own())\" includes required argument \"\(text(argument.symbol))\" that is missing "
          + "from the Interface field \"\(name)\".",
        at: argument.definition.span, expected.definition.span)
    }
  }
}
