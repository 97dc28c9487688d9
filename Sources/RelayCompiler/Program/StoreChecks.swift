import GraphQLLanguage

/// Checks `@connection`, the mutation directives such as `@appendEdge`, `@defer` and `@stream` in
/// one definition.
struct StoreChecks {
  let schema: Schema
  private let owner: String
  private let directives: StoreDirectives
  /// The spans of the definition's directives with a label, by label.
  private var labels: [String: Span] = [:]
  var diagnostics: [Diagnostic] = []

  var symbols: SymbolTable { schema.symbols }

  static func diagnostics(for operation: OperationDefinition, schema: Schema) -> [Diagnostic] {
    guard let root = schema.rootType(of: operation.operation) else { return [] }
    var checks = StoreChecks(
      schema: schema, owner: operation.name.map { schema.symbols[$0.symbol] } ?? "")
    checks.check(operation.selectionSet, on: root)
    return checks.diagnostics
  }

  static func diagnostics(for fragment: FragmentDefinition, schema: Schema) -> [Diagnostic] {
    guard let type = schema.type(named: fragment.typeCondition.symbol) else { return [] }
    var checks = StoreChecks(schema: schema, owner: schema.symbols[fragment.name.symbol])
    checks.check(fragment.selectionSet, on: type)
    return checks.diagnostics
  }

  private init(schema: Schema, owner: String) {
    self.schema = schema
    self.owner = owner
    directives = StoreDirectives(symbols: schema.symbols)
  }

  // MARK: Selections

  private mutating func check(_ set: SelectionSet, on type: NamedType) {
    for selection in set.selections {
      switch selection {
      case .field(let field):
        guard let definition = schema.field(named: field.name.symbol, on: type) else { continue }
        check(field, definition)
        if let inner = field.selectionSet { check(inner, on: schema[definition.type.named]) }
      case .inlineFragment(let fragment):
        let inner = fragment.typeCondition.flatMap { schema.type(named: $0.symbol) } ?? type
        if let directive = named("defer", fragment.directives) {
          report(
            "defer-directive", "@defer is not supported on an inline fragment.", directive.span,
            help: "Put the selections into a fragment and spread it with @defer.")
        }
        check(fragment.selectionSet, on: inner)
      case .fragmentSpread(let spread):
        guard let directive = named("defer", spread.directives) else { continue }
        checkLabel(directive, "defer", else: symbols[spread.name.symbol])
      }
    }
  }

  private mutating func check(_ field: Field, _ definition: SchemaField) {
    if field.directives.isEmpty { return }
    if let directive = named("connection", field.directives) {
      checkConnection(directive, field, definition)
    }
    if let directive = named("stream", field.directives) {
      if !definition.type.isList {
        report(
          "stream-directive",
          "Field \"\(symbols[field.name.symbol])\" has no list to stream: its type is "
            + "\"\(schema.text(of: definition.type))\". Remove @stream.", directive.span)
      }
      checkLabel(directive, "stream", else: symbols[field.responseKey])
    }
    checkHandles(field, definition)
  }

  /// Checks that a label is a string literal and unique in its definition.
  private mutating func checkLabel(_ directive: Directive, _ kind: String, else name: String) {
    let rule = "\(kind)-directive"
    if let value = directive.argument("label", in: symbols) {
      guard case .string = value.kind else {
        return report(rule, "\"label\" of @\(kind) must be a text in quotes.", value.span)
      }
    }
    let label = directives.label(of: directive, kind, else: name, in: owner)
    guard let first = labels[label] else {
      labels[label] = directive.span
      return
    }
    report(
      rule, "Two parts of \"\(owner)\" have the label \"\(label)\".", directive.span,
      label: .init(first, "the first is here"), help: "Give one of them another \"label\".")
  }

  // MARK: Mutation directives

  private mutating func checkHandles(_ field: Field, _ definition: SchemaField) {
    let found = field.directives.filter {
      StoreDirectives.handles.contains(symbols[$0.name.symbol])
    }
    for directive in found { checkHandle(directive, field, definition) }
    let edges = found.filter { symbols[$0.name.symbol] != "deleteRecord" }
    if edges.count > 1 {
      report(
        "mutation-directives",
        "@\(symbols[edges[0].name.symbol]) and @\(symbols[edges[1].name.symbol]) say different "
          + "things of field \"\(symbols[field.name.symbol])\".", edges[1].span,
        label: .init(edges[0].span, "the other is here"), help: "Remove one.")
    }
  }

  private mutating func checkHandle(
    _ directive: Directive, _ field: Field, _ definition: SchemaField
  ) {
    let name = symbols[directive.name.symbol]
    let type = schema[definition.type.named]
    let expected: String?
    switch name {
    case "appendEdge", "prependEdge":
      let hasFields = ["cursor", "node"].allSatisfy {
        type.field(named: symbols.intern($0)) != nil
      }
      expected = hasFields ? nil : "an edge, which has fields \"cursor\" and \"node\""
    case "appendNode", "prependNode":
      expected = type.isComposite ? nil : "an object"
      checkEdgeType(directive)
    default:
      let isID = schema.name(of: type.id) == "ID" || type.kind == .scalar && !type.isBuiltIn
      expected = isID ? nil : "\"ID\", a scalar that ids have, or a list of them"
    }
    if let expected {
      report(
        "mutation-directives",
        "@\(name) is for \(expected); field \"\(symbols[field.name.symbol])\" has the type "
          + "\"\(schema.text(of: definition.type))\". Remove it, or put it on another field.",
        directive.span)
    }
    if let value = directive.argument("connections", in: symbols),
      case .list(let values) =
        value.kind, values.isEmpty
    {
      report(
        "mutation-directives", "\"connections\" of @\(name) names none. Name one, or remove it.",
        value.span)
    }
  }

  private mutating func checkEdgeType(_ directive: Directive) {
    guard let value = directive.argument("edgeTypeName", in: symbols) else { return }
    let name = symbols[directive.name.symbol]
    if case .variable = value.kind { return }
    guard case .string(let text, _) = value.kind else {
      return report(
        "mutation-directives",
        "\"edgeTypeName\" of @\(name) must be a type's name in quotes, or a variable.", value.span)
    }
    if let type = schema.type(named: text), type.kind == .object { return }
    let objects = schema.types.filter { $0.kind == .object }.map { symbols[$0.symbol] }
    report(
      "mutation-directives", "\"\(text)\" is no object type of the schema.", value.span,
      help: didYouMean(suggestions(for: text, among: objects)))
  }

  // MARK: Reporting

  func named(_ name: String, _ directives: [Directive]) -> Directive? {
    directives.first { symbols[$0.name.symbol] == name }
  }

  mutating func report(
    _ rule: String, _ message: String, _ span: Span, label: Diagnostic.Label? = nil,
    help: String? = nil
  ) {
    diagnostics.append(
      Diagnostic(
        rule: rule, message: message, at: span, labels: label.map { [$0] } ?? [], help: help))
  }
}
