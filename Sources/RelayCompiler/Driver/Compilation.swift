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
  /// The schema and its document, if a ``SchemaIndex`` can be made of them: if the schema is a
  /// single SDL text without diagnostics.
  let indexableSchema: (schema: Schema, document: Document)?
  /// The stages. A process that exits before it releases the compilation does not spend time on
  /// deallocating their million objects.
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
