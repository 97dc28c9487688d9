import GraphQLLanguage

/// The checks of `@relay`, `@alias` and Relay's own fields.
enum DirectiveChecks {
  static func diagnostics(for definition: ExecutableDefinition, schema: Schema) -> [Diagnostic] {
    relay(
      definition.directives, elsewhere: "mask",
      hint: "\"mask\" belongs on the fragment spread.", in: schema)
      + diagnostics(for: definition.selectionSet, schema: schema)
  }

  private static func diagnostics(for set: SelectionSet, schema: Schema) -> [Diagnostic] {
    set.selections.flatMap { selection in
      let inner = selection.selectionSet.map { diagnostics(for: $0, schema: schema) } ?? []
      return switch selection {
      case .field(let field): unknown(field, in: schema) + inner
      case .fragmentSpread(let spread):
        relay(
          spread.directives, elsewhere: "plural",
          hint: "\"plural\" belongs on the fragment definition.", in: schema)
          + alias(spread.directives, hasName: true, in: schema)
      case .inlineFragment(let fragment):
        alias(fragment.directives, hasName: fragment.typeCondition != nil, in: schema) + inner
      }
    }
  }

  /// Reports Relay's own fields, which are unsupported except for `__id`.
  private static func unknown(_ field: Field, in schema: Schema) -> [Diagnostic] {
    let name = schema.symbols[field.name.symbol]
    guard name == "__token" || name == "__fetchToken" || name == "is_fulfilled__",
      !schema.types.contains(where: { $0.field(named: field.name.symbol) != nil })
    else { return [] }
    return [
      Diagnostic(
        rule: "unsupported-field",
        message: "The compiler does not support \"\(name)\" yet. Remove it.",
        at: field.span)
    ]
  }

  private static func relay(
    _ directives: [Directive], elsewhere: String, hint: String, in schema: Schema
  ) -> [Diagnostic] {
    directives.filter { $0.name.symbol == .relay }.flatMap(\.arguments).compactMap { argument in
      let name = schema.symbols[argument.name.symbol]
      if name == elsewhere {
        return Diagnostic(rule: "relay-directive", message: hint, at: argument.span)
      }
      if case .boolean = argument.value.kind { return nil }
      return Diagnostic(
        rule: "relay-directive", message: "\"\(name)\" of @relay must be true or false.",
        at: argument.value.span)
    }
  }

  private static func alias(
    _ directives: [Directive], hasName: Bool, in schema: Schema
  ) -> [Diagnostic] {
    directives.filter { $0.name.symbol == .alias }.compactMap { directive in
      if !hasName {
        return Diagnostic(
          rule: "alias",
          message:
            "@alias is not supported on an inline fragment without a type condition. Remove it.",
          at: directive.span)
      }
      guard let value = directive.argument("as", in: schema.symbols) else { return nil }
      if case .string(let text, _) = value.kind, text.isGraphQLName { return nil }
      return Diagnostic(
        rule: "alias", message: "\"as\" of @alias must be a name in quotes.", at: value.span)
    }
  }
}
