import GraphQLLanguage

/// The checks of `@connection`, `@defer`, `@stream`, and mutation directives such as `@appendEdge`
/// in one definition.
struct DataDirectiveChecks {
  let schema: Schema
  let owner: String
  private let directives: DataDirectives
  /// The spans of the definition's labelled directives, by label.
  private var labels: [String: Span] = [:]
  var diagnostics: [Diagnostic] = []
  let suggestionBudget: SuggestionBudget

  var symbols: SymbolTable { schema.symbols }

  static func diagnostics(
    for definition: ExecutableDefinition, schema: Schema, suggestionBudget: SuggestionBudget
  ) -> [Diagnostic] {
    var checks = DataDirectiveChecks(
      schema: schema, owner: definition.name.map { schema.symbols[$0.symbol] } ?? "",
      suggestionBudget)
    schema.forEachSelection(of: definition) { checks.check($0, on: $1) }
    return checks.diagnostics
  }

  private init(schema: Schema, owner: String, _ suggestionBudget: SuggestionBudget) {
    self.schema = schema
    self.suggestionBudget = suggestionBudget
    self.owner = owner
    directives = DataDirectives(symbols: schema.symbols)
  }

  // MARK: Selections

  private mutating func check(_ selection: Selection, on type: NamedType) {
    switch selection {
    case .field(let field):
      guard let definition = schema.field(named: field.name.symbol, on: type) else { return }
      check(field, definition: definition)
    case .inlineFragment(let fragment):
      guard let directive = fragment.directives[named: .defer] else { return }
      diagnostics.report(
        rule: "defer-directive", message: "@defer is not supported on an inline fragment.",
        at: directive.span,
        help: "Put the selections into a fragment and spread it with @defer.")
    case .fragmentSpread(let spread):
      guard let directive = spread.directives[named: .defer] else { return }
      checkMask(of: spread, deferredBy: directive)
      checkLabel(directive, kind: "defer", else: symbols[spread.name.symbol])
    }
  }

  private mutating func check(_ field: Field, definition: SchemaField) {
    if field.directives.isEmpty { return }
    if let directive = field.directives[named: .connection] {
      checkConnection(directive, on: field, definition: definition)
    }
    if let directive = field.directives[named: .stream] {
      if !definition.type.isList {
        diagnostics.report(
          rule: "stream-directive",
          message: "Field \"\(symbols[field.name.symbol])\" has no list to stream: its type is "
            + "\"\(schema.text(of: definition.type))\". Remove @stream.", at: directive.span)
      }
      for name in ["initialCount", "initial_count"] {
        guard case .int(let digits)? = directive.argument(name, in: symbols)?.kind,
          symbols[digits].hasPrefix("-")
        else { continue }
        diagnostics.report(
          rule: "stream-directive", message: "\"\(name)\" of @stream must not be negative.",
          at: directive.span)
      }
      checkLabel(directive, kind: "stream", else: symbols[field.responseKey])
    }
    checkHandles(on: field, definition: definition)
  }

  /// Reports a deferred spread that is unmasked. Its fields belong to the enclosing struct, which
  /// has no way to indicate that they have not arrived.
  private mutating func checkMask(of spread: FragmentSpread, deferredBy directive: Directive) {
    guard let relay = spread.directives[named: .relay],
      relay.argument("mask", in: symbols)?.kind == .boolean(false)
    else { return }
    diagnostics.report(
      rule: "defer-directive",
      message: "@defer is not supported on an unmasked spread: the fields of "
        + "\"\(symbols[spread.name.symbol])\" are read with the enclosing object.",
      at: directive.span, label: .init(relay.span, "unmasked here"),
      help: "Remove @relay(mask: false), or @defer.")
  }

  /// Checks that a label is a string literal and unique in its definition.
  private mutating func checkLabel(
    _ directive: Directive, kind: String, else name: String
  ) {
    let rule = "\(kind)-directive"
    if let value = directive.argument("label", in: symbols) {
      guard case .string = value.kind else {
        return diagnostics.report(
          rule: rule, message: "\"label\" of @\(kind) must be a string literal.", at: value.span)
      }
    }
    let label = directives.label(of: directive, kind: kind, else: name, in: owner)
    guard let first = labels[label] else {
      labels[label] = directive.span
      return
    }
    diagnostics.report(
      rule: rule, message: "Two parts of \"\(owner)\" have the label \"\(label)\".",
      at: directive.span,
      label: .init(first, "the first is here"), help: "Give one of them another \"label\".")
  }

  // MARK: Mutation directives

  private mutating func checkHandles(on field: Field, definition: SchemaField) {
    let dropped = directives.droppedDeletion(on: field)
    let found = field.directives.filter {
      DataDirectives.handleDirectives.contains(symbols[$0.name.symbol]) && $0.span != dropped?.span
    }
    for directive in found { checkHandle(directive, on: field, definition: definition) }
    if let dropped { warnOfDropped(dropped, on: field) }
    let edges = found.filter { symbols[$0.name.symbol] != "deleteRecord" }
    if edges.count > 1 {
      reportMutation(
        "@\(symbols[edges[0].name.symbol]) and @\(symbols[edges[1].name.symbol]) contradict "
          + "each other about field \"\(symbols[field.name.symbol])\".", at: edges[1].span,
        label: .init(edges[0].span, "the other is here"), help: "Remove one.")
    }
  }

  private mutating func warnOfDropped(_ directive: Directive, on field: Field) {
    diagnostics.report(
      severity: .warning, rule: "mutation-directives",
      message:
        "@deleteEdge has no effect on field \"\(symbols[field.name.symbol])\": it is "
        + "not an id, and its node is added to the connections.", at: directive.span,
      help: "Remove it.")
  }

  private mutating func checkHandle(
    _ directive: Directive, on field: Field, definition: SchemaField
  ) {
    let name = symbols[directive.name.symbol]
    let type = schema[definition.type.named]
    if name == "appendNode" || name == "prependNode" { checkEdgeType(directive) }
    if let expected = schema.expectation(of: name, on: type) {
      reportMutation(
        "@\(name) is for \(expected); field \"\(symbols[field.name.symbol])\" has the type "
          + "\"\(schema.text(of: definition.type))\". Remove it, or put it on another field.",
        at: directive.span)
    }
    if let value = directive.argument("connections", in: symbols), value.kind == .list([]) {
      reportMutation(
        "\"connections\" of @\(name) is empty. Name a connection, or remove it.", at: value.span)
    }
  }

  private mutating func checkEdgeType(_ directive: Directive) {
    guard let value = directive.argument("edgeTypeName", in: symbols) else { return }
    let name = symbols[directive.name.symbol]
    if case .variable = value.kind { return }
    guard case .string(let text, _) = value.kind else {
      return reportMutation(
        "\"edgeTypeName\" of @\(name) must be a type's name in quotes, or a variable.",
        at: value.span)
    }
    if let type = schema.type(named: text), type.kind == .object { return }
    reportMutation(
      "\"\(text)\" is not an object type of the schema.", at: value.span,
      help: suggestionBudget.didYouMean(
        text, among: schema.types.filter { $0.kind == .object }.map { symbols[$0.symbol] }))
  }

  private mutating func reportMutation(
    _ message: String, at span: Span, label: Diagnostic.Label? = nil, help: String? = nil
  ) {
    diagnostics.report(
      rule: "mutation-directives", message: message, at: span, label: label, help: help)
  }
}
