import GraphQLLanguage

/// The schema, and documents that are valid against it unless there are errors: the second stage.
struct ValidatedSources {
  let parsed: ParsedSources
  let schema: Schema
  /// The document of a schema without diagnostics that is one text, from which an index can be
  /// made.
  private(set) var indexableSchema: Document?

  init(_ parsed: ParsedSources, _ input: CompilationInput, diagnostics: inout [Diagnostic]) {
    self.parsed = parsed
    let documents = parsed.serverSchema + parsed.clientSchema
    if parsed.hasSchemaErrors || input.index != nil {
      schema = Schema.build(from: documents, in: parsed.workspace)
    } else {
      let validated = Schema.validated(
        from: documents, in: parsed.workspace, mode: .relay,
        servers: input.options.isSchemaStrict ? [] : Set(parsed.serverSchema.map(\.source)))
      schema = validated.schema
      diagnostics += validated.diagnostics
      let isClean = parsed.isSchemaClean && validated.diagnostics.isEmpty
      // An index is of a text: types that were read from introspection have no span.
      if isClean, parsed.serverSchema.count == 1,
        schema.queryType?.definition.span.isKnown == true
      {
        indexableSchema = parsed.serverSchema[0]
      }
    }
    validateDocuments(diagnostics: &diagnostics)
  }

  private func validateDocuments(diagnostics: inout [Diagnostic]) {
    if diagnostics.hasErrors { return }
    // Warnings about another module's sources are reported when that module is compiled.
    diagnostics += schema.validate(parsed.documents + parsed.imported.fragments, mode: .relay)
      .filter { $0.severity == .error || parsed.isOwn($0.primarySpan.source) }
    if !diagnostics.hasErrors {
      diagnostics += Checks.diagnostics(
        for: parsed.documents + parsed.imported.fragments, schema: schema)
    }
  }
}
