import GraphQLLanguage

/// Checks of fields with `@connection`.
extension DataDirectiveChecks {
  mutating func checkConnection(
    _ directive: Directive, on field: Field, definition: SchemaField
  ) {
    checkKey(directive, on: field)
    checkFilters(directive, on: field, definition: definition)
    for name in ["handler", "dynamicKey_UNSTABLE", "prefetchable_pagination"] {
      guard let argument = directive.arguments.first(where: { symbols[$0.name.symbol] == name })
      else { continue }
      reportConnection("\"\(name)\" of @connection is not supported. Remove it.", at: argument.span)
    }
    let name = symbols[field.name.symbol]
    // A null `first` or `last` requests no page, so it counts as missing.
    let given = field.arguments.filter { $0.value.kind != .null }
    let arguments = Set(given.map { symbols[$0.name.symbol] })
    if arguments.isDisjoint(with: ["first", "last"]) {
      reportConnection(
        "Field \"\(name)\" with @connection needs the argument \"first\" or \"last\".",
        at: field.name.span)
    }
    let type = schema[definition.type.named]
    if !schema.mayBeConnection(definition.type) {
      return reportConnection(
        "Field \"\(name)\" is not a connection: its type is "
          + "\"\(schema.text(of: definition.type))\", and a connection is one object or interface. "
          + "Remove @connection.", at: directive.span)
    }
    if let selections = field.selectionSet, !selectsEdges(selections) {
      reportConnection(
        "Field \"\(name)\" with @connection must select \"edges\".", at: field.name.span)
    }
    if let problem = schema.connectionProblem(of: type, arguments: arguments) {
      reportConnection(
        "Field \"\(name)\" is not a connection: \(problem). Remove @connection.", at: directive.span
      )
    }
  }

  private mutating func reportConnection(
    _ message: String, at span: Span, help: String? = nil, correction: Correction? = nil
  ) {
    diagnostics.report(
      rule: "connection-directive", message: message, at: span, help: help, correction: correction)
  }

  private mutating func checkKey(_ directive: Directive, on field: Field) {
    guard let value = directive.argument("key", in: symbols) else { return }
    let suffix = "_" + symbols[field.responseKey]
    func correction(_ name: String) -> Correction {
      .replacement(of: value.span, with: ["\"\(name.isGraphQLName ? name : owner)\(suffix)\""])
    }
    guard case .string(let key, _) = value.kind else {
      return reportConnection(
        "\"key\" of @connection must be a string literal.", at: value.span,
        correction: correction(owner))
    }
    if !key.hasSuffix(suffix) || key.utf8.count == suffix.utf8.count || !key.isGraphQLName {
      reportConnection(
        "The key \"\(key)\" of @connection must be \"<name>\(suffix)\": a name of your choice and "
          + "the field's response key.", at: value.span,
        correction: correction(key == suffix ? owner : key))
    }
  }

  private mutating func checkFilters(
    _ directive: Directive, on field: Field, definition: SchemaField
  ) {
    guard let value = directive.argument("filters", in: symbols), value.kind != .null else {
      return
    }
    guard case .list(let items) = value.kind else {
      return reportConnection(
        "\"filters\" of @connection must be a list of string literals.", at: value.span)
    }
    let argumentNames = definition.arguments.map { symbols[$0.symbol] }
    for item in items {
      guard case .string(let text, _) = item.kind else {
        reportConnection(
          "\"filters\" of @connection must be a list of string literals.", at: item.span)
        continue
      }
      if !argumentNames.contains(text) {
        reportConnection(
          "\"\(text)\" is not an argument of field \"\(symbols[field.name.symbol])\".",
          at: item.span,
          help: suggestionBudget.didYouMean(text, among: argumentNames))
      }
    }
  }

  private func selectsEdges(_ set: SelectionSet) -> Bool {
    set.selections.contains { selection in
      switch selection {
      case .field(let field): symbols[field.name.symbol] == "edges"
      case .inlineFragment(let fragment): selectsEdges(fragment.selectionSet)
      case .fragmentSpread: false
      }
    }
  }
}
