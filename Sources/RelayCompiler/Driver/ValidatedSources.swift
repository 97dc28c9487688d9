import GraphQLLanguage

/// The documents validated against the schema: the second stage.
package struct ValidatedSources {
  package let parsed: ParsedSources
  package let schema: CheckedSchema
  /// The names that the module's files define.
  let names: ModuleNames
  /// The documents that passed all checks until now.
  private(set) var sound: SoundDocuments
  /// Whether all errors found are in documents, so that the other documents can be lowered.
  private(set) var isValid = false

  init(
    _ parsed: ParsedSources, _ schema: CheckedSchema, names: ModuleNames,
    diagnostics: inout [Diagnostic]
  ) {
    self.parsed = parsed
    self.schema = schema
    self.names = names
    sound = SoundDocuments(
      parsed, derived: schema.derivedFragments, isComplete: names.isComplete)
    guard sound.remove(errorsIn: diagnostics) else { return }
    // Warnings in another module's sources are reported when that module is compiled.
    let found = schema.schema.validate(
      sound.own + sound.imported, mode: .relay, fragments: names.fragments
    ).filter { $0.severity == .error || parsed.isOwn($0.primarySpan.source) }
    diagnostics += found
    guard sound.remove(errorsIn: found) else { return }
    let checked = Checks.diagnostics(for: sound.own + sound.imported, schema: schema.schema)
    diagnostics += checked
    isValid = sound.remove(errorsIn: checked)
  }
}
