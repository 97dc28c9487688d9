import GraphQLLanguage

/// Checks of fields with `@connection`.
extension StoreChecks {
  mutating func checkConnection(
    _ directive: Directive, _ field: Field, _ definition: SchemaField
  ) {
    checkKey(directive, field)
    checkFilters(directive, field, definition)
    for name in ["handler", "dynamicKey_UNSTABLE", "prefetchable_pagination"] {
      guard let argument = directive.arguments.first(where: { symbols[$0.name.symbol] == name })
      else { continue }
      refuse("\"\(name)\" of @connection is not supported. Remove it.", argument.span)
    }
    let name = symbols[field.name.symbol]
    // A null `first` or `last` requests no page, so it counts as not given.
    let given = field.arguments.filter { $0.value.kind != .null }
    let arguments = Set(given.map { symbols[$0.name.symbol] })
    if arguments.isDisjoint(with: ["first", "last"]) {
      refuse(
        "Field \"\(name)\" with @connection needs the argument \"first\" or \"last\".",
        field.name.span)
    }
    let type = schema[definition.type.named]
    if definition.type.isList || !(type.kind == .object || type.kind == .interface) {
      return refuse(
        "Field \"\(name)\" is no connection: its type is \"\(schema.text(of: definition.type))\", "
          + "and a connection is one object or interface. Remove @connection.", directive.span)
    }
    if let selections = field.selectionSet, !selectsEdges(selections) {
      refuse(
        "Field \"\(name)\" with @connection must select \"edges\".", field.name.span)
    }
    if let problem = problem(of: type, arguments) {
      refuse("Field \"\(name)\" is no connection: \(problem). Remove @connection.", directive.span)
    }
  }

  private mutating func refuse(_ message: String, _ span: Span) {
    report("connection-directive", message, span)
  }

  private mutating func checkKey(_ directive: Directive, _ field: Field) {
    guard let value = directive.argument("key", in: symbols) else { return }
    guard case .string(let key, _) = value.kind else {
      return refuse("\"key\" of @connection must be a text in quotes.", value.span)
    }
    let suffix = "_" + symbols[field.responseKey]
    if !key.hasSuffix(suffix) || key.utf8.count == suffix.utf8.count || !isName(key) {
      refuse(
        "The key \"\(key)\" of @connection must be \"<name>\(suffix)\": a name of your choice, and "
          + "what the field is called.", value.span)
    }
  }

  private func isName(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
    }
  }

  private mutating func checkFilters(
    _ directive: Directive, _ field: Field, _ definition: SchemaField
  ) {
    guard let value = directive.argument("filters", in: symbols), value.kind != .null else {
      return
    }
    guard case .list(let items) = value.kind else {
      return refuse("\"filters\" of @connection must be a list of texts in quotes.", value.span)
    }
    let known = definition.arguments.map { symbols[$0.symbol] }
    for item in items {
      guard case .string(let text, _) = item.kind else {
        refuse("\"filters\" of @connection must be a list of texts in quotes.", item.span)
        continue
      }
      if !known.contains(text) {
        report(
          "connection-directive",
          "\"\(text)\" is no argument of field \"\(symbols[field.name.symbol])\".", item.span,
          help: didYouMean(suggestions(for: text, among: known)))
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

  /// Describes the first reason why a type is no connection type; `nil` if it is one.
  private func problem(of type: NamedType, _ arguments: Set<String>) -> String? {
    let name = schema.name(of: type.id)
    guard let edges = type.field(named: symbols.intern("edges")), edges.type.isList,
      schema[edges.type.named].isComposite
    else { return "\"\(name)\" has no list of objects \"edges\"" }
    let edge = schema[edges.type.named]
    let edgeName = schema.name(of: edge.id)
    guard let node = edge.field(named: symbols.intern("node")), !node.type.isList,
      schema[node.type.named].isComposite
    else { return "\"\(edgeName)\" has no object \"node\"" }
    guard let cursor = edge.field(named: symbols.intern("cursor")), !cursor.type.isList,
      schema[cursor.type.named].isLeaf
    else { return "\"\(edgeName)\" has no scalar \"cursor\"" }
    guard let info = type.field(named: symbols.intern("pageInfo")), !info.type.isList,
      schema[info.type.named].isComposite
    else { return "\"\(name)\" has no object \"pageInfo\"" }
    let needed =
      (arguments.contains("first") ? ["endCursor", "hasNextPage"] : [])
      + (arguments.contains("last") ? ["startCursor", "hasPreviousPage"] : [])
    let missing = needed.first { name in
      let field = schema[info.type.named].field(named: symbols.intern(name))
      return field.map { !schema[$0.type.named].isLeaf || $0.type.isList } ?? true
    }
    return missing.map { "\"\(schema.name(of: info.type.named))\" has no scalar \"\($0)\"" }
  }
}
