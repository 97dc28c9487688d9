import GraphQLLanguage

/// The result of compiling a module: its generated files, or the errors that prevent them.
package struct Compilation {
  package let workspace: Workspace
  /// The errors and warnings from all stages, by file and position.
  package let diagnostics: [Diagnostic]
  /// The generated files, in the order of the sources; empty when there are errors.
  package let files: [GeneratedFile]
  /// The operations as sent to the server, by name; empty unless the input requests them.
  package let manifest: [PersistedOperation]
  /// Initial declarations for custom scalars that the project has not yet declared.
  package let scalarFiles: [GeneratedFile]
  /// The schema and its document, if a ``SchemaIndex`` can be built from them. That requires a
  /// single SDL source without diagnostics.
  let indexableSchema: (schema: Schema, document: Document)?
  /// The stages. A process that exits while holding them saves the time to deallocate their million
  /// objects.
  package let stages: Stages

  init(_ stages: Stages, _ diagnostics: [Diagnostic]) {
    workspace = stages.parsed.workspace
    self.diagnostics = diagnostics.sortedByLocation()
    let emitted = diagnostics.hasErrors ? nil : stages.emitted
    files = emitted?.files ?? []
    manifest = emitted?.manifest ?? []
    scalarFiles = emitted?.scalarFiles ?? []
    let schema = stages.validated.schema
    indexableSchema = schema.indexable.map { (schema.schema, $0) }
    self.stages = stages
  }
}
