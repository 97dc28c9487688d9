import GraphQLLanguage

/// The intermediate representation of valid documents: the third stage.
package struct LoweredProgram {
  package let validated: ValidatedSources
  /// The module's definitions, and the imported fragments they reach.
  package let program: IR.Program
  /// The other modules' fragments and types that the program may use.
  let shared: SharedModules
  /// Whether all errors found are in documents, so that the other documents can be transformed.
  let isValid: Bool

  init(_ validated: ValidatedSources, _ input: CompilationInput, diagnostics: inout [Diagnostic]) {
    self.validated = validated
    let (parsed, schema) = (validated.parsed, validated.schema.schema)
    let (own, imported) = (validated.sound.own, validated.sound.imported)
    var found: [Diagnostic] = []
    let refetch = RefetchQueries(own, imported: imported, schema: schema, in: parsed.workspace)
    found += refetch.diagnostics
    let clientSources = validated.schema.clientSources
    var program = Lowering.program(
      of: own + imported + [refetch.document],
      schema: schema, clientSources: clientSources)
    program.keyFields = validated.schema.keyFields
    program.privateDefinitions = validated.schema.privateDefinitions
    found += validated.schema.configurationDiagnostics
    program.maxAges = MaxAgeLimits(
      input.options.maxAges, operations: validated.names.operations,
      isComplete: validated.names.isComplete, schema: schema,
      in: validated.schema.configuration, diagnostics: &found)
    let definitions = schema.executableDefinitions(of: own)
    let aliasChecks = KeyAliasChecks(schema: schema, keys: program.keyFields)
    found += definitions.flatMap(aliasChecks.diagnostics(for:))
    found += UnkeyedIDChecks.diagnostics(
      for: definitions, schema: schema, keys: program.keyFields)
    found += ProviderIsolation.diagnostics(
      for: program, validated.names.files, in: parsed)
    if !clientSources.isEmpty { found += DerivedChecks.diagnostics(in: program) }
    diagnostics += found
    var sound = validated.sound
    isValid = sound.remove(errorsIn: found)
    if found.hasErrors { program = program.without { !sound.contains($0) } }
    if !parsed.imported.isEmpty, isValid {
      program = parsed.imported.used(of: program, isOwn: parsed.isOwn)
    }
    self.program = program
    shared = parsed.imported.shared(
      with: program, module: input.options.module, schema: input.options.schemaModule)
  }
}
