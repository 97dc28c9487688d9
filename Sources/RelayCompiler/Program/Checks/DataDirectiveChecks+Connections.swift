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
    if definition.type.isList || !(type.kind == .object || type.kind == .interface) {
      return reportConnection(
        "Field \"\(name)\" is not a connection: its type is "
          + "\"\(schema.text(of: definition.type))\", and a connection is one object or interface. "
          + "Remove @connection.", at: directive.span)
    }
    if let selections = field.selectionSet, !selectsEdges(selections) {
      reportConnection(
        "Field \"\(name)\" with @connection must select \"edges\".", at: field.name.span)
    }
    if let problem = problem(of: type, arguments: arguments) {
      reportConnection(
        "Field \"\(name)\" is not a connection: \(problem). Remove @connection.", at: directive.span
      )
    }
  }

  private mutating func reportConnection(_ message: String, at span: Span, help: String? = nil) {
    diagnostics.report(rule: "connection-directive", message: message, at: span, help: help)
  }

  private mutating func checkKey(_ directive: Directive, on field: Field) {
    guard let value = directive.argument("key", in: symbols) else { return }
    guard case .string(let key, _) = value.kind else {
      return reportConnection("\"key\" of @connection must be a string literal.", at: value.span)
    }
    let suffix = "_" + symbols[field.responseKey]
    if !key.hasSuffix(suffix) || key.utf8.count == suffix.utf8.count || !key.isGraphQLName {
      reportConnection(
        "The key \"\(key)\" of @connection must be \"<name>\(suffix)\": a name of your choice and "
          + "the field's response key.", at: value.span)
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

  /// Returns the first reason why a type is not a connection type; `nil` if it is one.
  private func problem(of type: NamedType, arguments: Set<String>) -> String? {
    let name = schema.name(of: type.id)
    guard let edge = target(of: "edges", in: type, isList: true), edge.isComposite else {
      return "\"\(name)\" has no list of objects \"edges\""
    }
    let edgeName = schema.name(of: edge.id)
    guard target(of: "node", in: edge)?.isComposite == true else {
      return "\"\(edgeName)\" has no object \"node\""
    }
    guard target(of: "cursor", in: edge)?.isLeaf == true else {
      return "\"\(edgeName)\" has no scalar \"cursor\""
    }
    guard let info = target(of: "pageInfo", in: type), info.isComposite else {
      return "\"\(name)\" has no object \"pageInfo\""
    }
    let needed =
      (arguments.contains("first") ? ["endCursor", "hasNextPage"] : [])
      + (arguments.contains("last") ? ["startCursor", "hasPreviousPage"] : [])
    let missing = needed.first { target(of: $0, in: info)?.isLeaf != true }
    return missing.map { "\"\(schema.name(of: info.id))\" has no scalar \"\($0)\"" }
  }

  /// Returns the named type of a field. Returns `nil` if there is no such field, or if it is a list
  /// and `isList` is false, or the reverse.
  private func target(of name: String, in type: NamedType, isList: Bool = false) -> NamedType? {
    guard let field = type.field(named: symbols.intern(name)), field.type.isList == isList else {
      return nil
    }
    return schema[field.type.named]
  }
}
