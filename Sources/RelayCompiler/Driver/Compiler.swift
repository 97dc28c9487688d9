import GraphQLLanguage

/// The compiler's driver. It runs the stages in memory, without reading or writing files.
///
///     CompilationInput ─▶ ParsedSources ─▶ ValidatedSources ─▶ LoweredProgram
///                                       ─▶ TransformedPrograms ─▶ EmittedFiles ─▶ Compilation
///
/// Each stage is a value derived from the previous one, and adds to the diagnostics. When some
/// documents have errors, the next stages continue with the others (``SoundDocuments``) to find
/// their errors too. Swift is emitted only if there are no errors.
package enum Compiler {
  /// Compiles a module's sources against a schema.
  package static func compile(_ input: CompilationInput) -> Compilation {
    let workspace = Workspace()
    // Parse documents first: an index selects types by the names in them.
    let files = input.sources.map { ParsedFile($0, in: workspace) }
    let modules = input.modules.map { module in
      (module: module, files: module.sources.map { ParsedFile($0, in: workspace) })
    }
    let schema = CheckedSchema(input, in: workspace)
    var diagnostics = input.warnings + TagNames.diagnostics(for: files)
    var stages = Stages(
      ParsedSources(files, modules: modules, in: workspace), schema,
      names: ModuleNames(files, imported: modules.flatMap(\.files)), input,
      diagnostics: &diagnostics)
    diagnostics += ForeignFragments.schemaModuleDiagnostics(
      for: input, in: stages.validated.schema.configuration)
    if !diagnostics.hasErrors { stages.emit(input, diagnostics: &diagnostics) }
    diagnostics = ForeignFragments.explaining(diagnostics, for: input, in: workspace)
    return Compilation(stages, diagnostics)
  }
}

/// The values of a compilation's stages. A stage is `nil` if an earlier one found an error outside
/// the documents; the last stage is `nil` if an earlier one found any error.
package struct Stages {
  package let parsed: ParsedSources
  package let validated: ValidatedSources
  package private(set) var lowered: LoweredProgram?
  package private(set) var transformed: TransformedPrograms?
  private(set) var emitted: EmittedFiles?

  /// Runs the stages between parsing and emission.
  package init(
    _ parsed: ParsedSources, _ schema: CheckedSchema, names: ModuleNames,
    _ input: CompilationInput, diagnostics: inout [Diagnostic]
  ) {
    self.parsed = parsed
    diagnostics += parsed.diagnostics
    if input.options.requiresFileNamePrefix { diagnostics += parsed.fileNamePrefixDiagnostics }
    diagnostics += schema.diagnostics
    validated = ValidatedSources(parsed, schema, names: names, diagnostics: &diagnostics)
    if !validated.isValid { return }
    let lowered = LoweredProgram(validated, input, diagnostics: &diagnostics)
    self.lowered = lowered
    if !lowered.isValid { return }
    transformed = TransformedPrograms(lowered.program, diagnostics: &diagnostics)
  }

  /// Runs the last stage; requires that the earlier ones found no errors.
  package mutating func emit(_ input: CompilationInput, diagnostics: inout [Diagnostic]) {
    guard let lowered, let transformed else { return }
    emitted = EmittedFiles(
      lowered, transformed: transformed, input: input, diagnostics: &diagnostics)
  }

  /// The Swift names of the types and definitions; `nil` if there were errors before the last
  /// stage.
  package var types: SwiftTypes? {
    guard let emitted, let transformed, let lowered else { return nil }
    return emitted.types(of: transformed, lowered)
  }
}
