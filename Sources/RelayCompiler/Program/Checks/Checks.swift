import GraphQLLanguage

/// The checks that documents must pass before they are lowered to a program.
enum Checks {
  static func diagnostics(for documents: [Document], schema: Schema) -> [Diagnostic] {
    let filter = PlainDefinitionFilter(schema: schema)
    let suggestionBudget = SuggestionBudget()
    return UpdatableChecks.diagnostics(for: documents, schema: schema)
      + SpreadChecks.diagnostics(for: documents, schema: schema)
      + PartChecks.diagnostics(for: documents, schema: schema)
      + documents.lazy.flatMap(\.definitions).flatMap { definition -> [Diagnostic] in
        switch definition {
        case .operation(let operation) where filter.needsNoChecks(operation):
          anonymous(operation)
        case .fragment(let fragment) where filter.needsNoChecks(fragment): []
        case .operation(let operation):
          anonymous(operation)
            + unsupported(operation.directives, schema)
            + unsupported(operation.selectionSet, schema)
            + DirectiveChecks.diagnostics(for: operation.selectionSet, schema: schema)
            + ErrorChecks.diagnostics(for: operation, schema: schema)
            + DataDirectiveChecks.diagnostics(
              for: operation, schema: schema, suggestionBudget: suggestionBudget)
        case .fragment(let fragment):
          unsupported(fragment.directives, schema) + unsupported(fragment.selectionSet, schema)
            + DirectiveChecks.diagnostics(for: fragment, schema: schema)
            + ErrorChecks.diagnostics(for: fragment, schema: schema)
            + DataDirectiveChecks.diagnostics(
              for: fragment, schema: schema, suggestionBudget: suggestionBudget)
        default: []
        }
      }
  }

  private static func anonymous(_ operation: OperationDefinition) -> [Diagnostic] {
    guard operation.name == nil else { return [] }
    return [
      Diagnostic(
        rule: "named-operations",
        message: "An operation needs a name, because its Swift type is named after it.",
        at: Span(
          start: operation.span.start, end: operation.selectionSet.span.start,
          source: operation.span.source))
    ]
  }

  private static func unsupported(_ set: SelectionSet, _ schema: Schema) -> [Diagnostic] {
    set.selections.flatMap { selection in
      let inner: SelectionSet? =
        switch selection {
        case .field(let field): field.selectionSet
        case .inlineFragment(let fragment): fragment.selectionSet
        case .fragmentSpread: nil
        }
      return unsupported(selection.directives, schema)
        + (inner.map { unsupported($0, schema) } ?? [])
    }
  }

  private static func unsupported(_ directives: [Directive], _ schema: Schema) -> [Diagnostic] {
    directives.compactMap { directive in
      let name = schema.symbols[directive.name.symbol]
      return ClientDirectives.refusal(of: name).map {
        Diagnostic(rule: "unsupported-directive", message: $0, at: directive.span)
      }
    }
  }
}
