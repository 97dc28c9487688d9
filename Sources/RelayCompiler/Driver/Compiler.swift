import GraphQLLanguage

/// The compiler's driver: it runs the stages over texts in memory, and reads and writes no files.
///
///     CompilationInput ─▶ ParsedSources ─▶ ValidatedSources ─▶ LoweredProgram
///                                       ─▶ TransformedPrograms ─▶ EmittedFiles ─▶ Compilation
///
/// Each stage is a value that is derived from the previous one and adds to the diagnostics. After errors
/// in documents the next stages go on with the others (``SoundDocuments``), to find their errors; Swift is
/// emitted only if there are none.
package enum Compiler {
  /// Compiles a module's sources against a schema.
  package static func compile(_ input: CompilationInput) -> Compilation {
    var diagnostics = input.warnings
    let parsed = ParsedSources(input, diagnostics: &diagnostics)
    let validated = ValidatedSources(parsed, input, diagnostics: &diagnostics)
    var stages = Stages(parsed: parsed, validated: validated)
    stages.generate(input, diagnostics: &diagnostics)
    return Compilation(stages, diagnostics)
  }
}

/// The values of a compilation's stages; a stage is `nil` if there were errors before it.
struct Stages {
  let parsed: ParsedSources
  let validated: ValidatedSources
  private(set) var lowered: LoweredProgram?
  private(set) var transformed: TransformedPrograms?
  private(set) var emitted: EmittedFiles?

  init(parsed: ParsedSources, validated: ValidatedSources) {
    self.parsed = parsed
    self.validated = validated
  }

  /// The Swift names of the types and definitions; `nil` if there were errors before the last stage.
  var types: SwiftTypes? {
    guard let emitted, let transformed, let lowered else { return nil }
    return emitted.types(of: transformed, lowered.program)
  }

  /// Runs the stages after validation.
  mutating func generate(_ input: CompilationInput, diagnostics: inout [Diagnostic]) {
    // Which documents depend on a fragment through a derived field is known only after lowering.
    if !validated.isValid || (diagnostics.hasErrors && !parsed.clientSchema.isEmpty) { return }
    let lowered = LoweredProgram(validated, input, diagnostics: &diagnostics)
    self.lowered = lowered
    if !lowered.isValid || (diagnostics.hasErrors && !parsed.clientSchema.isEmpty) { return }
    let transformed = TransformedPrograms(lowered.program, diagnostics: &diagnostics)
    self.transformed = transformed
    if diagnostics.hasErrors { return }
    emitted = EmittedFiles(
      lowered, transformed: transformed, input: input, diagnostics: &diagnostics)
  }
}
