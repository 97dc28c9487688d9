import GraphQLLanguage

/// The intermediate representation of valid documents: the third stage.
struct LoweredProgram {
  let validated: ValidatedSources
  /// The module's definitions, and the imported fragments that they reach.
  let program: IR.Program
  /// The other modules' fragments and types that the program may use.
  let shared: SharedModules

  init(_ validated: ValidatedSources, _ input: CompilationInput, diagnostics: inout [Diagnostic]) {
    self.validated = validated
    let (parsed, schema) = (validated.parsed, validated.schema)
    let imported = parsed.imported.fragments
    let refetch = RefetchQueries(parsed.documents, imported: imported, schema: schema)
    diagnostics += refetch.diagnostics
    let clientSources = Set(parsed.clientSchema.map(\.source))
    var program = Lowering.program(
      of: parsed.documents + imported + refetch.queries.map { $0.document(in: parsed.workspace) },
      schema: schema, clientSources: clientSources)
    let configuration = input.configuration.map { ConfigurationText($0, in: parsed.workspace) }
    program.keyFields = KeyFields(
      input.options.keyFields, schema: schema, in: configuration, diagnostics: &diagnostics)
    program.privateDefinitions = PrivateDefinitions(
      input.options.privateElements, schema: schema, in: configuration, diagnostics: &diagnostics)
    program.maxAges = MaxAgeLimits(
      input.options.maxAges, of: program, in: configuration, diagnostics: &diagnostics)
    diagnostics += KeyAliasChecks.diagnostics(
      for: parsed.documents, schema: schema, keys: program.keyFields)
    diagnostics += ProviderIsolation.diagnostics(for: program, input.sources, in: parsed)
    if !clientSources.isEmpty { diagnostics += DerivedChecks.diagnostics(in: program) }
    if !parsed.imported.isEmpty, !diagnostics.hasErrors {
      program = parsed.imported.used(of: program, isOwn: parsed.isOwn)
    }
    self.program = program
    shared = parsed.imported.shared(
      with: program, module: input.options.module, schema: input.options.schemaModule)
  }
}
