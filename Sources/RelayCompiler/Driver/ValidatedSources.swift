import GraphQLLanguage

/// The schema, and the documents validated against it: the second stage.
struct ValidatedSources {
  let parsed: ParsedSources
  let schema: Schema
  /// The documents in which no error was found.
  private(set) var sound: SoundDocuments
  /// Whether all errors that were found are in documents, so that the others can be lowered.
  private(set) var isValid = false
  /// The schema's document, if a ``SchemaIndex`` can be made of it: if the schema is a single SDL
  /// text without diagnostics.
  private(set) var indexableSchema: Document?

  init(_ parsed: ParsedSources, _ input: CompilationInput, diagnostics: inout [Diagnostic]) {
    self.parsed = parsed
    sound = SoundDocuments(parsed)
    let documents = parsed.serverSchema + parsed.clientSchema
    if parsed.hasSchemaErrors || input.index != nil {
      schema = Schema.build(from: documents, in: parsed.workspace)
    } else {
      let validated = Schema.validated(
        from: documents, in: parsed.workspace, mode: .relay,
        // Unless the schema is strict, errors in the server's schema, which the project cannot
        // correct, become warnings.
        servers: input.options.isSchemaStrict ? [] : Set(parsed.serverSchema.map(\.source)))
      schema = validated.schema
      diagnostics += validated.diagnostics
      let isClean = parsed.isSchemaClean && validated.diagnostics.isEmpty
      // Only SDL can be indexed: types from introspection JSON have no span.
      if isClean, parsed.serverSchema.count == 1,
        schema.queryType?.definition.span.isKnown == true
      {
        indexableSchema = parsed.serverSchema[0]
      }
    }
    validateDocuments(diagnostics: &diagnostics)
  }

  private mutating func validateDocuments(diagnostics: inout [Diagnostic]) {
    guard sound.remove(errorsIn: diagnostics) else { return }
    // Warnings about another module's sources are reported when that module is compiled.
    let found = schema.validate(sound.own + sound.imported, mode: .relay)
      .filter { $0.severity == .error || parsed.isOwn($0.primarySpan.source) }
    diagnostics += found
    guard sound.remove(errorsIn: found) else { return }
    let checked = Checks.diagnostics(for: sound.own + sound.imported, schema: schema)
    diagnostics += checked
    isValid = sound.remove(errorsIn: checked)
  }
}
