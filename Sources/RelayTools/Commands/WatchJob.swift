import Foundation
import GraphQLLanguage
import RelayCompiler

/// The work of `watch`: compiles a project, then recompiles what each change affects.
struct WatchJob {
  private let options: CompileOptions
  private let files = CachedFiles()
  private let descriptions = CachedDescriptions()
  private var session: Session?
  /// The last project read; `nil` if it could not be read.
  private var read: ReadProject?
  /// The folders that contain the project's files, as of the last compilation.
  private(set) var folders = WatchedFolders()
  /// The lock of the repository that contains the sources.
  private(set) var lock: GitLock?
  private var report = WatchReport()
  /// Whether a compilation has ended without errors.
  private var hasCompiled = false
  private var written = WrittenFiles()
  /// Whether the last compilation created the folder of generated files.
  private var hasMadeOutput = false

  init(_ options: CompileOptions) { self.options = options }

  /// Reads the changed files, compiles everything they affect, and writes the files that differ. A
  /// generated file that someone else changed or removed is written again.
  ///
  /// - Parameter changes: The changes since the last call.
  /// - Returns: The output to print; empty if no file was written and the diagnostics are the same
  ///   as before.
  mutating func compile(_ changes: FileChanges = .unknown) -> String {
    let start = ContinuousClock.now
    // When a file cannot be written, its temporary file would trigger the next attempt, and so on.
    if case .files(let paths) = changes, paths.allSatisfy(isTemporaryFile) { return "" }
    do {
      var named: Set<String>?
      // Copied out before `read` is mutated: when a stored property has a type from a system
      // framework, the compiler copies the entire job to read one of its constants.
      let files = files
      if try read?.update(changes, files) == true {
        named = read?.generatedNames(in: changes)
        // The files written by the last compilation are reported as changes too.
        if isOwn(changes, named ?? []) { return "" }
      } else {
        read = nil
        read = try readProject()
      }
      let (diagnostics, output) = try run(named)
      guard let output else { return diagnostics }
      if hasCompiled, diagnostics.isEmpty, output.lines.isEmpty { return "" }
      let milliseconds = Int(((ContinuousClock.now - start) / .milliseconds(1)).rounded())
      let names = hasCompiled ? WatchReport.list(output.lines) : ""
      hasCompiled = true
      return diagnostics + names
        + "\(output.summary) (\(milliseconds) ms)\n"
    } catch {
      // A file may be read while an editor replaces it; the next change reads it again. Files that
      // could not be written are written then.
      read = nil
      written.removeAll()
      return report.text(ofError: CommandResult.text(of: error))
    }
  }

  /// Whether the only changes are the generated files that this job itself wrote last.
  private func isOwn(_ changes: FileChanges, _ named: Set<String>) -> Bool {
    guard let read, case .files(let paths) = changes, paths.allSatisfy(read.isInOutput) else {
      return false
    }
    return written.changed(among: named, in: read.output.standardizedFileURL.path).isEmpty
  }

  /// Whether the project's folders may have changed since before the last compilation, because that
  /// compilation read the entire project or created a folder.
  var hasReadProject: Bool { hasMadeOutput || read?.isFresh ?? true }

  private mutating func readProject() throws -> ReadProject {
    var (configuration, output) = try readConfiguration()
    try ScalarFile.check(output)
    configuration.emission.makesScalarFiles = true
    let project = try Project(options, configuration, output: output, files: access)
    return ReadProject(project.input, output: output)
  }

  /// Compiles the project and writes files.
  ///
  /// - Parameter named: The generated files that may have changed; `nil` if all may have.
  /// - Returns: The diagnostics to print, and a line for each file written or removed with a
  ///   closing summary line; `nil` instead of those lines if there are errors.
  private mutating func run(_ named: Set<String>?) throws -> (
    diagnostics: String, files: (lines: [String], summary: String)?
  ) {
    guard let read else { return ("", nil) }
    let output = OutputDirectory(read.output)
    let folder = read.output.standardizedFileURL.path
    hasMadeOutput = !isRealFolder(folder)
    var session = self.session.take() ?? Session(read.input)
    session.update(read.input)
    let generated = session.generatedNames
    let suspects = named.map(generated.intersection) ?? generated
    session.emitAgain(written.changed(among: suspects, in: folder))
    let emission = session.emit()
    self.session = session
    let renderer = DiagnosticRenderer(session.workspace)
    guard let emission else { return (report.text(of: session.diagnostics, renderer), nil) }
    let made = try OutputDirectory.makeOnce(
      emission.scalarFiles, in: ScalarFile.folder(nextTo: read.output))
    let changes = try output.write(emission.files, keeping: emission.names)
    written.keep(emission.files.map(\.name), of: emission.names, in: folder)
    // From now on the project declares these scalars.
    if !made.isEmpty { self.read = nil }
    let lines = made.map(Project.shownPath) + changes.lines
    // An error that prevented writing files is resolved only now.
    let text = report.text(of: session.diagnostics, renderer)
    return (text, (lines, changes.summary(made: made.count, of: emission.names.count)))
  }

  /// Reads changed files from disk.
  private var access: FileAccess {
    FileAccess(
      read: { [files] (path) throws(FileError) in try files.bytes(at: path) },
      shownPath: Project.shownPath,
      packageDescription: { [descriptions] in descriptions.description(of: $0) })
  }

  // MARK: Folders

  /// Reads the configuration, and finds the project's folders.
  ///
  /// - Returns: The configuration and the folder of generated files.
  @discardableResult
  mutating func readConfiguration() throws -> (configuration: Configuration, output: URL) {
    var configuration = try Project.configuration(options, or: "a schema with --schema")
    configuration.findModules(options, access)
    lock = GitLock(around: configuration.src.path)
    folders.trees = [configuration.src.path] + configuration.modules.map(\.folder.path)
    folders.folders = Self.parents(
      of: configuration.schemaFiles + [configuration.file?.url] + (configuration.manifests ?? []))
    guard let output = options.output.map(Project.url) ?? configuration.artifactDirectory else {
      throw ConfigurationError(
        "The folder for generated files is not set. Set \"artifactDirectory\" in relay.config.json."
      )
    }
    folders.folders.append(output.standardizedFileURL.path)
    return (configuration, output)
  }

  private static func parents(of files: [URL?]) -> [String] {
    Set(files.compactMap { $0?.deletingLastPathComponent().path }).sorted()
  }
}
