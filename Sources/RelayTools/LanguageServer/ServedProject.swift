import Foundation
import GraphQLLanguage
import RelayCompiler

/// A project in the editor's folders: its configuration, its documents, and the session that checks
/// them.
struct ServedProject {
  /// The index of a source in the input.
  private enum Place {
    case source(Int)
    case module(Int, source: Int)
  }

  /// The path of the configuration file.
  let path: String
  /// The reason why the configuration, the schema or a source cannot be read. In that case the
  /// session still has the last readable input.
  private(set) var failure: String?
  /// The location of ``failure`` in the configuration, if known.
  private var failureLocation: SourceLocation?
  private(set) var session: Session?
  private(set) var input: CompilationInput?
  /// The canonical paths of the folders of the project's and its modules' sources.
  private(set) var folders: [String] = []
  /// The generated files; `nil` until the configuration has been read.
  private(set) var generated: GeneratedFiles?
  private var places: [String: Place] = [:]
  /// The session paths of all files, including the schema and the configuration, by canonical path.
  private(set) var paths: [String: String] = [:]
  /// Whether the session has an older input.
  private(set) var isOutdated = false
  /// Whether the files must be listed again.
  var mustReload = true
  /// The diagnostics as last rendered, by path.
  private var rendered: [String: (diagnostics: [Diagnostic], json: [JSON])] = [:]

  init(path: String) { self.path = path }

  /// Whether diagnostics may have changed.
  var needsUpdate: Bool { mustReload || isOutdated }

  /// Whether a file is a source of the project or of a module that it uses.
  func isSource(_ canonical: String) -> Bool { places[canonical] != nil }

  /// Replaces the contents of a source.
  mutating func replace(_ canonical: String, with bytes: ContiguousArray<UInt8>) {
    guard var input, let place = places[canonical] else { return }
    // `input` must hold the only reference to the list, so that the change copies nothing.
    self.input = nil
    switch place {
    case .source(let index):
      input.sources[index] = input.sources[index].with(bytes)
    case .module(let index, let source):
      let module = input.modules[index]
      var sources = module.sources
      sources[source] = sources[source].with(bytes)
      input.modules[index] = ImportedModule(
        name: module.name, sources: sources, schemaModule: module.schemaModule)
    }
    self.input = input
    isOutdated = true
  }

  /// Updates the session to the current files.
  mutating func update(_ files: EditedFiles) {
    if mustReload {
      reload(files)
      if failure != nil { takeOpenTexts(files) }
    }
    guard isOutdated, let input else { return }
    isOutdated = false
    let workspace = session?.workspace
    if session == nil { session = Session(input) } else { session?.update(input) }
    // Another workspace assigns source identifiers differently.
    if session?.workspace !== workspace { rendered = [:] }
  }

  private mutating func reload(_ files: EditedFiles) {
    mustReload = false
    failureLocation = nil
    do {
      var configuration = try files.access.configuration(URL(fileURLWithPath: path))
      configuration.findModules(CompileOptions(), files.access)
      let sources = [configuration.src] + configuration.modules.map(\.folder)
      folders = sources.map { files.canonicalFolder($0.path) }
      let project = try Project(
        CompileOptions(), configuration, output: configuration.artifactDirectory,
        files: files.access)
      var input = project.input
      input.makesFiles = false
      self.input = input
      generated = GeneratedFiles(
        artifactDirectory: configuration.artifactDirectory, configuration: path)
      failure = nil
      isOutdated = true
      index(files)
    } catch let error as FileError {
      failure = error.message
    } catch let error as ConfigurationError {
      let prefix = "\(path): error: "
      let text = error.located?.message ?? error.description
      failure = text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
      failureLocation = error.located?.location
    } catch {
      failure = error.localizedDescription
    }
    // A configuration that was never readable may name any folder of its package.
    if folders.isEmpty {
      let folder =
        ProjectFinder.package(around: path) ?? (path as NSString).deletingLastPathComponent
      folders = [files.canonicalFolder(folder)]
    }
  }

  /// Updates the last readable input with the open documents. Responses use locations in the
  /// editor's documents even while the configuration cannot be read.
  private mutating func takeOpenTexts(_ files: EditedFiles) {
    guard input != nil else { return }
    input?.replaceTexts { path, _ in
      path.hasSuffix(".json") ? nil : files[files.canonical(path)]?.bytes
    }
    isOutdated = true
  }

  private mutating func index(_ files: EditedFiles) {
    places = [:]
    paths = [:]
    guard let input else { return }
    for source in input.settings {
      paths[files.canonical(source.path)] = source.path
    }
    for (module, imported) in input.modules.enumerated() {
      for (index, file) in imported.sources.enumerated() {
        let canonical = files.canonical(file.path)
        places[canonical] = .module(module, source: index)
        paths[canonical] = file.path
      }
    }
    for (index, file) in input.sources.enumerated() {
      let canonical = files.canonical(file.path)
      places[canonical] = .source(index)
      paths[canonical] = file.path
    }
  }

  /// Returns the contents of a file in the session.
  func bytes(of canonical: String) -> ContiguousArray<UInt8>? {
    guard let input else { return nil }
    switch places[canonical] {
    case .source(let index): return input.sources[index].bytes
    case .module(let module, let index): return input.modules[module].sources[index].bytes
    case nil:
      return input.settings.first { $0.path == paths[canonical] }?.bytes
    }
  }

  /// Returns the first error that a changed input would introduce.
  mutating func firstError(after changed: CompilationInput) -> Diagnostic? {
    rendered = [:]
    return session?.firstError(after: changed)
  }

  // MARK: Diagnostics

  /// Returns the diagnostics in the editor's format, by the path of their file. Diagnostics without
  /// a file appear at the configuration.
  mutating func diagnostics(for client: ClientSupport, _ files: EditedFiles) -> [String: [JSON]] {
    if let failure {
      rendered = [:]
      let start = failureLocation.map { location in
        let column = client.encoding == .utf8 ? location.byteColumn : location.column
        return LinePosition(line: location.line - 1, character: column - 1).json
      }
      let diagnostic = Diagnostic(rule: "configuration", message: failure, at: .none)
      return [path: [diagnostic.json([], range: start.map { ["start": $0, "end": $0] })]]
    }
    guard let session else { return [:] }
    let grouped = Dictionary(grouping: session.diagnostics) { diagnostic in
      session.workspace[diagnostic.primarySpan.source]?.path ?? path
    }
    var places = EditorPlaces([self], in: files, encoding: client.encoding)
    var current: [String: (diagnostics: [Diagnostic], json: [JSON])] = [:]
    for (path, diagnostics) in grouped {
      if let known = rendered[path], known.diagnostics == diagnostics {
        current[path] = known
      } else {
        current[path] = (
          diagnostics, diagnostics.map { places.json($0, of: session, for: client) }
        )
      }
    }
    rendered = current
    return current.mapValues(\.json)
  }

  /// Renders all diagnostics again, because URIs have changed.
  mutating func renderAgain() { rendered = [:] }
}
