import GraphQLLanguage

/// Checks `@relay`, `@alias` and Relay's own fields.
enum DirectiveChecks {
  static func diagnostics(for fragment: FragmentDefinition, schema: Schema) -> [Diagnostic] {
    relay(
      fragment.directives, elsewhere: "mask",
      hint: "\"mask\" is said where the fragment is spread.", schema)
      + diagnostics(for: fragment.selectionSet, schema: schema)
  }

  static func diagnostics(for set: SelectionSet, schema: Schema) -> [Diagnostic] {
    set.selections.flatMap { selection in
      switch selection {
      case .field(let field):
        unknown(field, schema)
          + (field.selectionSet.map { diagnostics(for: $0, schema: schema) } ?? [])
      case .fragmentSpread(let spread):
        relay(
          spread.directives, elsewhere: "plural",
          hint: "\"plural\" is said where the fragment is defined.", schema)
          + alias(spread.directives, hasName: true, schema)
      case .inlineFragment(let fragment):
        alias(fragment.directives, hasName: fragment.typeCondition != nil, schema)
          + diagnostics(for: fragment.selectionSet, schema: schema)
      }
    }
  }

  /// Reports Relay's own fields other than `__id`, which the compiler does not support.
  private static func unknown(_ field: Field, _ schema: Schema) -> [Diagnostic] {
    let name = schema.symbols[field.name.symbol]
    guard name == "__token" || name == "__fetchToken" || name == "is_fulfilled__",
      !schema.types.contains(where: { $0.field(named: field.name.symbol) != nil })
    else { return [] }
    return [
      error(
        "unsupported-field", "The compiler does not support \"\(name)\" yet. Remove it.",
        at: field.span)
    ]
  }

  private static func relay(
    _ directives: [Directive], elsewhere: String, hint: String,
    _ schema: Schema
  ) -> [Diagnostic] {
    named("relay", directives, schema).flatMap(\.arguments).compactMap { argument in
      let name = schema.symbols[argument.name.symbol]
      if name == elsewhere { return error("relay-directive", hint, at: argument.span) }
      if case .boolean = argument.value.kind { return nil }
      return error(
        "relay-directive", "\"\(name)\" of @relay must be true or false.", at: argument.value.span)
    }
  }

  private static func alias(
    _ directives: [Directive], hasName: Bool, _ schema: Schema
  ) -> [Diagnostic] {
    named("alias", directives, schema).compactMap { directive in
      if !hasName {
        return error(
          "alias",
          "@alias is not supported on an inline fragment without a type condition. Remove it.",
          at: directive.span)
      }
      guard let value = directive.argument("as", in: schema.symbols) else { return nil }
      if case .string(let text, _) = value.kind, isName(text) { return nil }
      return error("alias", "\"as\" of @alias must be a name in quotes.", at: value.span)
    }
  }

  /// Whether a text is a valid GraphQL name.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }

  private static func named(
    _ name: String, _ directives: [Directive], _ schema: Schema
  ) -> [Directive] {
    directives.filter { schema.symbols[$0.name.symbol] == name }
  }

  private static func error(_ rule: String, _ message: String, at span: Span) -> Diagnostic {
    Diagnostic(rule: rule, message: message, at: span)
  }
}
