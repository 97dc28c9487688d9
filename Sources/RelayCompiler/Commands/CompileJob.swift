import Foundation
import GraphQLLanguage

/// Reads what a configuration names, compiles it, and writes the generated files.
struct CompileJob {
  private let configuration: Configuration
  private let output: URL
  private let sources: [Compilation.SourceFile]
  private let schema: Source
  private let extensions: [Source]
  /// Whether the directory belongs to this job alone, so that other generated files in it are stale.
  private let ownsOutput: Bool
  private let isValidating: Bool

  init(_ options: CompileOptions) throws {
    configuration = try Self.configuration(options)
    guard let output = options.output.map(Self.url) ?? configuration.artifactDirectory else {
      throw ConfigurationError(
        "There is no place for the generated files. Set \"artifactDirectory\" in relay.config.json, "
          + "or use the build-tool plugin.")
    }
    self.output = output
    ownsOutput = options.files.isEmpty
    isValidating = options.isValidating
    schema = try Self.source(configuration.schema)
    extensions = try configuration.schemaExtensions.map(Self.source)
    sources =
      options.files.isEmpty
      ? try SourceTree(configuration, output: output).sources()
      : try options.files.map {
        Compilation.SourceFile(path: $0.path, bytes: try readFile($0.path), output: $0.name)
      }
  }

  /// Compiles; on any error nothing is written.
  func run() throws -> CommandResult {
    let compilation = Compilation(
      sources: sources, schema: [schema], extensions: extensions, options: configuration.emission)
    let report = DiagnosticRenderer(compilation.workspace).text(compilation.diagnostics)
    if compilation.diagnostics.hasErrors { return CommandResult(.errors, errors: report) }
    let directory = OutputDirectory(output)
    if isValidating {
      let changes = try directory.pending(compilation.files, removesStale: ownsOutput)
      if changes.isEmpty { return CommandResult(.success, errors: report) }
      let names = changes.names.map { "  \($0)\n" }.joined()
      return CommandResult(
        .errors,
        errors: report + "error: Generated files are out of date; run relay-compiler compile.\n"
          + names)
    }
    let written = try directory.write(compilation.files, removesStale: ownsOutput)
    let summary = ownsOutput ? Self.summary(written, of: compilation.files.count) : ""
    return CommandResult(.success, output: summary, errors: report)
  }

  private static func summary(_ written: [String], of count: Int) -> String {
    written.map { "\($0)\n" }.joined() + "\(count) files, \(written.count) changed\n"
  }

  // MARK: Paths

  private static func configuration(_ options: CompileOptions) throws -> Configuration {
    if let file = options.config { return try Configuration(file: url(file)) }
    if let schema = options.schema {
      return Configuration(schema: url(schema), src: url("."))
    }
    let file = url("relay.config.json")
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw ConfigurationError(
        "There is no relay.config.json here. Name one with --config, or a schema with --schema.")
    }
    return try Configuration(file: file)
  }

  private static func source(_ url: URL) throws -> Source {
    Source(path: shownPath(url), bytes: try readFile(url.path))
  }

  private static func url(_ path: String) -> URL { URL(fileURLWithPath: path).standardizedFileURL }

  /// The path relative to the current directory where the file is inside it.
  static func shownPath(_ url: URL) -> String {
    let path = url.standardizedFileURL.path
    let here = FileManager.default.currentDirectoryPath
    return path.hasPrefix(here + "/") ? String(path.dropFirst(here.count + 1)) : path
  }
}
