import GraphQLLanguage

/// Checks where `@defer` and `@stream` stand, which depends on several definitions: not in a
/// subscription, and not on a fragment that is read together with the object around it.
///
/// Source: GraphQL specification, incremental delivery RFC, which forbids both in subscriptions,
/// unless a variable decides in `if`.
struct PartChecks {
  private let schema: Schema
  private var fragments: [Symbol: FragmentDefinition] = [:]
  private let parts: [Symbol]
  private let inline: Symbol
  /// The directives that were reported.
  private var reported: Set<Span> = []
  private var diagnostics: [Diagnostic] = []

  /// Checks the documents of one compilation.
  static func diagnostics(for documents: [Document], schema: Schema) -> [Diagnostic] {
    var checks = PartChecks(schema: schema)
    let definitions = documents.lazy.flatMap(\.definitions)
    for case .fragment(let fragment) in definitions {
      checks.fragments[fragment.name.symbol] = fragment
    }
    for definition in definitions {
      switch definition {
      case .operation(let operation):
        checks.checkSpreads(in: operation.selectionSet)
        if operation.operation == .subscription { checks.check(operation) }
      case .fragment(let fragment): checks.checkSpreads(in: fragment.selectionSet)
      default: continue
      }
    }
    return checks.diagnostics
  }

  private init(schema: Schema) {
    self.schema = schema
    parts = ["defer", "stream"].map(schema.symbols.intern)
    inline = schema.symbols.intern("inline")
  }

  /// Reports deferred spreads of fragments with `@inline`.
  private mutating func checkSpreads(in set: SelectionSet) {
    for selection in set.selections {
      switch selection {
      case .field(let field): if let inner = field.selectionSet { checkSpreads(in: inner) }
      case .inlineFragment(let fragment): checkSpreads(in: fragment.selectionSet)
      case .fragmentSpread(let spread):
        guard let directive = part(among: spread.directives),
          let mark = fragments[spread.name.symbol]?.directives[named: inline]
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
  }

  /// Reports the parts of a subscription's events, in the fragments that it spreads as well.
  private mutating func check(_ operation: OperationDefinition) {
    var waiting = [operation.selectionSet]
    var visited: Set<Symbol> = []
    while let set = waiting.popLast() {
      for selection in set.selections {
        if let directive = part(among: selection.directives), !isConditional(directive),
          reported.insert(directive.span).inserted
        {
          report(directive, in: operation)
        }
        switch selection {
        case .field(let field): if let inner = field.selectionSet { waiting.append(inner) }
        case .inlineFragment(let fragment): waiting.append(fragment.selectionSet)
        case .fragmentSpread(let spread):
          guard visited.insert(spread.name.symbol).inserted,
            let fragment = fragments[spread.name.symbol]
          else { continue }
          waiting.append(fragment.selectionSet)
        }
      }
    }
  }

  private mutating func report(_ directive: Directive, in operation: OperationDefinition) {
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
      parts.contains(directive.name.symbol)
        && directive.argument("if", in: schema.symbols)?.kind != .boolean(false)
    }
  }
}
