import GraphQLLanguage

/// The result of compiling a module: its generated files, or the errors that prevent them.
package struct Compilation {
  package let workspace: Workspace
  /// The errors and warnings of all stages, by file and position.
  package let diagnostics: [Diagnostic]
  /// The generated files in the order of the sources; empty when there are errors.
  package let files: [GeneratedFile]
  /// The operations as they are sent, by name; empty unless the input asks for it.
  package let manifest: [PersistedOperation]
  /// Initial declarations of the custom scalars that the project does not declare yet.
  package let scalarFiles: [GeneratedFile]
  /// The schema and its document if it is one text without diagnostics, from which an index can be
  /// made.
  package let indexableSchema: (schema: Schema, document: Document)?
  /// The stages, retained so that a process which exits while it holds the compilation never
  /// deallocates their million objects one by one.
  let stages: Stages

  init(_ stages: Stages, _ diagnostics: [Diagnostic]) {
    workspace = stages.parsed.workspace
    self.diagnostics = diagnostics.sortedByLocation()
    let emitted = diagnostics.hasErrors ? nil : stages.emitted
    files = emitted?.files ?? []
    manifest = emitted?.manifest ?? []
    scalarFiles = emitted?.scalarFiles ?? []
    let schema = stages.validated.schema
    indexableSchema = stages.validated.indexableSchema.map { (schema, $0) }
    self.stages = stages
  }
}
