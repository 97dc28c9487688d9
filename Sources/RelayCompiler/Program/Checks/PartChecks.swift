import GraphQLLanguage

/// Checks where `@defer` and `@stream` stand, which depends on several definitions: not in a
/// subscription, and not on a fragment that is read together with the object around it.
///
/// Source: GraphQL specification, incremental delivery RFC, which forbids both in subscriptions,
/// unless a variable decides in `if`.
struct PartChecks {
  private let schema: Schema
  private let fragments: [Symbol: ExecutableDefinition]
  /// The directives that were reported.
  private var reported: Set<Span> = []
  private var diagnostics: [Diagnostic] = []

  /// Checks the definitions of one compilation.
  static func diagnostics(
    for definitions: [ExecutableDefinition], schema: Schema
  ) -> [Diagnostic] {
    var checks = PartChecks(schema: schema, fragments: definitions.fragments)
    for definition in definitions {
      checks.checkSpreads(in: definition.selectionSet)
      if definition.operation == .subscription { checks.checkParts(of: definition) }
    }
    return checks.diagnostics
  }

  /// Reports deferred spreads of fragments with `@inline`.
  private mutating func checkSpreads(in set: SelectionSet) {
    for selection in set.selections {
      if let inner = selection.selectionSet { checkSpreads(in: inner) }
      guard case .fragmentSpread(let spread) = selection,
        let directive = part(among: spread.directives),
        let mark = fragments[spread.name.symbol]?.directives[named: .inline]
      else { continue }
      diagnostics.report(
        rule: "defer-directive",
        message:
          "@defer is not supported on a spread of \"\(schema.symbols[spread.name.symbol])\", "
          + "whose fields are read with the object around them.",
        at: directive.span, label: .init(mark.span, "because of this @inline"),
        help: "Remove @inline, or @defer.")
    }
  }

  /// Reports the parts of a subscription's events, in the fragments that it spreads as well.
  private mutating func checkParts(of operation: ExecutableDefinition) {
    var waiting = [operation.selectionSet]
    var visited: Set<Symbol> = []
    while let set = waiting.popLast() {
      for selection in set.selections {
        if let directive = part(among: selection.directives), !isConditional(directive),
          reported.insert(directive.span).inserted
        {
          report(directive, in: operation)
        }
        if let inner = selection.selectionSet { waiting.append(inner) }
        if case .fragmentSpread(let spread) = selection,
          visited.insert(spread.name.symbol).inserted,
          let fragment = fragments[spread.name.symbol]
        {
          waiting.append(fragment.selectionSet)
        }
      }
    }
  }

  private mutating func report(_ directive: Directive, in operation: ExecutableDefinition) {
    let directiveName = schema.symbols[directive.name.symbol]
    let name = operation.name.map { schema.symbols[$0.symbol] } ?? ""
    diagnostics.report(
      rule: "\(directiveName)-directive",
      message: "An event of a subscription has no parts: remove @\(directiveName).",
      at: directive.span,
      label: operation.name.map { .init($0.span, "subscription \"\(name)\" uses it") },
      help: "Spread a fragment without it in subscriptions.")
  }

  /// Whether a variable decides that there is a part.
  private func isConditional(_ directive: Directive) -> Bool {
    if case .variable? = directive.argument("if", in: schema.symbols)?.kind { true } else { false }
  }

  /// Returns the directive for a part that is not switched off.
  private func part(among directives: [Directive]) -> Directive? {
    directives.first { directive in
      [.defer, .stream].contains(directive.name.symbol)
        && directive.argument("if", in: schema.symbols)?.kind != .boolean(false)
    }
  }
}
