import Foundation
import GraphQLLanguage

/// One run of `compile`: reads the inputs, compiles them, and writes the generated files.
struct CompileJob {
  private let output: URL
  private let project: Project
  /// Whether only this job generates files into the directory, so that all other generated files in
  /// it are stale.
  private let ownsOutput: Bool
  private let isValidating: Bool

  init(_ options: CompileOptions) throws {
    var configuration = try Project.configuration(options, or: "a schema with --schema")
    guard let output = options.output.map(Project.url) ?? configuration.artifactDirectory
    else {
      throw ConfigurationError(
        "The folder for generated files is not set. Set \"artifactDirectory\" in "
          + "relay.config.json, or use the build-tool plugin.")
    }
    self.output = output
    ownsOutput = options.files.isEmpty
    isValidating = options.isValidating
    if ownsOutput { try ScalarFile.check(output) }
    configuration.emission.makesScalarFiles = ownsOutput
    project = try Project(options, configuration, output: output)
  }

  /// Compiles, then writes the files that changed. Writes no files if there is an error.
  ///
  /// - Returns: The result to print. It retains the compilation: the process exits while holding
  ///   the result, so the compilation's objects are never deallocated one by one.
  func run() throws -> CommandResult {
    let compilation = project.compilation(cache: ownsOutput ? nil : SchemaCache(nextTo: output))
    var result = try run(compilation)
    result.keep(compilation)
    return result
  }

  private func run(_ compilation: Compilation) throws -> CommandResult {
    let report = DiagnosticRenderer(compilation.workspace).text(compilation.diagnostics)
    if compilation.diagnostics.hasErrors { return CommandResult(.errors, errors: report) }
    let directory = OutputDirectory(output)
    let kept = ownsOutput ? Set(compilation.files.map(\.name)) : nil
    if isValidating {
      let changes = try directory.changes(for: compilation.files, keeping: kept)
      let scalars = ScalarFile.folder(nextTo: output)
      let missing = compilation.scalarFiles.map {
        Project.shownPath(scalars.appendingPathComponent($0.name))
      }
      if changes.isEmpty, missing.isEmpty { return CommandResult(.success, errors: report) }
      let names = (changes.names + missing).map { "  \($0)\n" }.joined()
      return CommandResult(
        .errors,
        errors: report + "error: Generated files are out of date; run relay-compiler compile.\n"
          + names)
    }
    let made = try OutputDirectory.makeOnce(
      compilation.scalarFiles, in: ScalarFile.folder(nextTo: output))
    let written = try directory.write(compilation.files, keeping: kept)
    if !ownsOutput { return CommandResult(.success, errors: report) }
    let lines = made.map(Project.shownPath) + written.lines
    let summary = written.summary(made: made.count, of: compilation.files.count)
    return CommandResult(
      .success, output: (lines + [summary]).map { "\($0)\n" }.joined(), errors: report)
  }
}
