import GraphQLLanguage

/// The checks of `@defer` and `@stream` that depend on several definitions. Both directives are
/// forbidden in subscriptions and on fragments that are read together with the enclosing object.
///
/// Source: GraphQL specification, incremental delivery RFC, which forbids both in subscriptions
/// unless `if` is a variable.
struct PartChecks {
  private let schema: Schema
  private let fragments: [Symbol: ExecutableDefinition]
  /// The directives already reported.
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
          + "whose fields are read with the enclosing object.",
        at: directive.span, label: .init(mark.span, "because of this @inline"),
        help: "Remove @inline, or @defer.")
    }
  }

  /// Reports the parts of a subscription's events, including those in spread fragments.
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
      message: "Subscription events have no parts: remove @\(directiveName).",
      at: directive.span,
      label: operation.name.map { .init($0.span, "subscription \"\(name)\" uses it") },
      help: "Spread a fragment without it in subscriptions.")
  }

  /// Returns whether a variable decides if there is a part.
  private func isConditional(_ directive: Directive) -> Bool {
    if case .variable? = directive.argument("if", in: schema.symbols)?.kind { true } else { false }
  }

  /// Returns the directive that creates a part, unless it is turned off.
  private func part(among directives: [Directive]) -> Directive? {
    directives.first { directive in
      [.defer, .stream].contains(directive.name.symbol)
        && directive.argument("if", in: schema.symbols)?.kind != .boolean(false)
    }
  }
}
