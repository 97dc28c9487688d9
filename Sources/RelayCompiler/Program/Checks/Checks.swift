import GraphQLLanguage

/// The checks that documents must pass before they are lowered to a program.
enum Checks {
  static func diagnostics(for documents: [Document], schema: Schema) -> [Diagnostic] {
    let definitions = schema.executableDefinitions(of: documents)
    let filter = PlainDefinitionFilter(symbols: schema.symbols)
    let suggestionBudget = SuggestionBudget()
    return UpdatableChecks.diagnostics(for: definitions, schema: schema)
      + SpreadChecks.diagnostics(for: documents, schema: schema)
      + PartChecks.diagnostics(for: definitions, schema: schema)
      + definitions.lazy.filter { !filter.isPlain($0) }.flatMap { definition in
        unsupported(definition.directives, schema) + unsupported(definition.selectionSet, schema)
          + DirectiveChecks.diagnostics(for: definition, schema: schema)
          + ErrorChecks.diagnostics(for: definition, schema: schema)
          + DataDirectiveChecks.diagnostics(
            for: definition, schema: schema, suggestionBudget: suggestionBudget)
      }
  }

  private static func unsupported(_ set: SelectionSet, _ schema: Schema) -> [Diagnostic] {
    set.selections.flatMap { selection in
      unsupported(selection.directives, schema)
        + (selection.selectionSet.map { unsupported($0, schema) } ?? [])
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
