import Foundation
import GraphQLLanguage

/// The work of `watch`: compiles a project, and again what a change concerns.
struct WatchJob {
  private let options: CompileOptions
  private let files = CachedFiles()
  private var session: Session?
  /// The project as it was read last; `nil` if it could not be read.
  private var read: ReadProject?
  /// The folders in which the project's files are, as of the last compilation.
  private(set) var folders = WatchedFolders()
  /// The diagnostics that were printed last; `nil` before the first compilation.
  private var report: String?

  init(_ options: CompileOptions) { self.options = options }

  /// Reads the files that changed, compiles what they concern, and writes what differs.
  ///
  /// - Parameter changes: The changes since the last call.
  /// - Returns: The text to print; empty if nothing was written and there are no other diagnostics
  ///   than before.
  mutating func compile(_ changes: FileChanges = .unknown) -> String {
    let start = ContinuousClock.now
    let old = report
    do {
      if try read?.update(changes, files) != true {
        read = nil
        read = try readProject()
      }
      let written = try run()
      guard let report else { return "" }
      guard let written else { return report == old ? "" : report }
      if written.names.isEmpty, report == old { return "" }
      let milliseconds = Int(((ContinuousClock.now - start) / .milliseconds(1)).rounded())
      let names = old == nil ? "" : written.names.map { "\($0)\n" }.joined()
      return report + names
        + "\(written.count.counted("file")), \(written.names.count) changed (\(milliseconds) ms)\n"
    } catch {
      // A file may be read while an editor replaces it; the next change repeats the reading.
      read = nil
      let text = Self.text(of: error)
      report = text
      return text == old ? "" : text
    }
  }

  private static func text(of error: any Error) -> String {
    switch error {
    case let error as FileError: "error: \(error.message)\n"
    case let error as ConfigurationError:
      error.description.contains("error: ")
        ? error.description + "\n" : "error: \(error.description)\n"
    default: "error: \(error.localizedDescription)\n"
    }
  }

  /// Whether the last compilation has read the whole project, so that it may be in other folders.
  var hasReadProject: Bool { read?.isFresh ?? true }

  private mutating func readProject() throws -> ReadProject {
    let access = FileAccess(
      read: { [files] (path) throws(FileError) in try files.bytes(at: path) },
      shownPath: Project.shownPath, configuration: { try Configuration(file: $0) })
    var configuration = try Project.configuration(options)
    watch(configuration)
    guard let output = options.output.map(Project.url) ?? configuration.artifactDirectory else {
      throw ConfigurationError(
        "There is no place for the generated files. Set \"artifactDirectory\" in relay.config.json."
      )
    }
    folders.excluded = [output.standardizedFileURL.path]
    try ScalarFile.check(output)
    configuration.emission.makesScalarFiles = true
    let project = try Project(options, configuration, output: output, files: access)
    return ReadProject(project.input, output: output)
  }

  /// - Returns: The names of the files written or removed, and the number of all generated files;
  ///   `nil` if there are errors.
  private mutating func run() throws -> (names: [String], count: Int)? {
    guard let read else { return nil }
    var session = self.session ?? Session(read.input)
    self.session = nil
    session.update(read.input)
    let emission = session.emit()
    report = DiagnosticRenderer(session.workspace).text(session.diagnostics)
    self.session = session
    guard let emission else { return nil }
    let made = try OutputDirectory.makeOnce(
      emission.scalarFiles, in: ScalarFile.folder(beside: read.output))
    let written = try OutputDirectory(read.output).write(
      emission.files, keeping: emission.names)
    // The project declares these scalars from now on.
    if !made.isEmpty { self.read = nil }
    return (made + written, emission.names.count)
  }

  // MARK: Folders

  private mutating func watch(_ configuration: Configuration) {
    folders.trees = [configuration.src.path] + configuration.modules.map(\.folder.path)
    folders.folders = Self.parents(of: configuration.schemaFiles + [configuration.file?.url])
  }

  private static func parents(of files: [URL?]) -> [String] {
    Set(files.compactMap { $0?.deletingLastPathComponent().path }).sorted()
  }
}
