import Foundation
import GraphQLLanguage
import RelayCompiler

/// The project that an assistant asks about: its files as they are on disk at each call, and the
/// session that checks them.
///
/// Paths in the session are relative to the configuration's folder; paths of files outside it are
/// absolute.
struct ContextProject {
  private let configuration: String?
  private let folder: String
  private let files = EditedFiles()
  /// The folder of the configuration.
  private var root = ""
  /// The folder of the sources.
  private var sources = ""
  private var session: Session?
  /// The files on disk, as of the last call.
  private(set) var input: CompilationInput?
  /// The paths in the session by canonical path.
  private var paths: [String: String] = [:]
  var fixes = OfferedFixes()
  /// The index for searches of a schema, made by the first search.
  private var searched: (schema: Schema, index: ElementIndex)?

  /// Creates a project.
  ///
  /// - Parameters:
  ///   - configuration: The path of the configuration; `nil` searches for it.
  ///   - folder: The absolute path of a folder. The configuration is in it, or is the only one
  ///     below it.
  init(configuration: String?, folder: String) {
    self.configuration = configuration
    self.folder = folder
  }

  // MARK: Reading

  /// Reads the changed files.
  ///
  /// - Returns: The session of the files.
  /// - Throws: ``ToolFailure`` if the configuration, the schema or a source cannot be read.
  mutating func read() throws(ToolFailure) -> Session {
    let new = try readInput()
    input = new
    return update(new)
  }

  /// Returns a session in which `text` replaces the contents of a file or adds a new file. The next
  /// call of ``read()`` undoes this.
  ///
  /// - Parameter path: The path in the session.
  mutating func session(
    with text: String, at path: String
  ) throws(ToolFailure) -> Session {
    var new: CompilationInput
    if let input { new = input } else { new = try readInput() }
    let bytes = ContiguousArray(text.utf8)
    if let index = new.sources.firstIndex(where: { $0.path == path }) {
      new.sources[index] = .init(path: path, bytes: bytes, output: new.sources[index].output)
    } else {
      let index = new.sources.firstIndex { $0.path > path } ?? new.sources.endIndex
      new.sources.insert(
        .init(path: path, bytes: bytes, output: path + OutputNames.suffix), at: index)
    }
    return update(new)
  }

  /// Returns the index of the elements of the session's schema. It is made once for each schema.
  mutating func elements(of context: LanguageContext) -> ElementIndex {
    if let searched, searched.schema === context.schema { return searched.index }
    let index = ElementIndex(context)
    searched = (context.schema, index)
    return index
  }

  private mutating func update(_ input: CompilationInput) -> Session {
    var session = self.session.take() ?? Session(input)
    session.update(input)
    self.session = session
    return session
  }

  private mutating func readInput() throws(ToolFailure) -> CompilationInput {
    files.invalidatePaths()
    let path = try configurationPath()
    root = URL(fileURLWithPath: path).deletingLastPathComponent().standardizedFileURL.path
    var access = files.access
    access.shownPath = { [root] in Project.shownPath($0, in: root) }
    do {
      let configuration = try access.configuration(URL(fileURLWithPath: path))
      sources = configuration.src.path
      let project = try Project(
        CompileOptions(), configuration, output: configuration.artifactDirectory, files: access)
      var input = project.input
      input.makesFiles = false
      index(input)
      return input
    } catch let error as FileError {
      throw ToolFailure(message: error.message)
    } catch {
      throw ToolFailure(message: "\(error)")
    }
  }

  private func configurationPath() throws(ToolFailure) -> String {
    if let configuration { return URL(fileURLWithPath: configuration).standardizedFileURL.path }
    let here = folder + "/" + Project.configurationName
    if FileManager.default.fileExists(atPath: here) { return here }
    let found = ProjectFinder.configurations(in: folder)
    if let only = found.first, found.count == 1 { return only }
    let problem =
      found.isEmpty
      ? "No relay.config.json found in \(folder) or below it."
      : "There are several projects: " + found.joined(separator: ", ") + "."
    throw ToolFailure(
      message: problem + " Start the server with \"relay-compiler mcp --config FILE\".")
  }

  private mutating func index(_ input: CompilationInput) {
    let schema = input.schema + input.extensions
    let all =
      input.sources.map(\.path) + input.modules.flatMap { $0.sources.map(\.path) }
      + schema.map(\.path)
    paths = Dictionary(
      all.map { (files.canonical(absolutePath($0)), $0) }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: Paths

  /// Returns the absolute path for a path in the session.
  func absolutePath(_ path: String) -> String {
    let absolute = path.hasPrefix("/") ? path : root + "/" + path
    return URL(fileURLWithPath: absolute).standardizedFileURL.path
  }

  /// Returns the session path of a file that an assistant names.
  ///
  /// - Throws: ``ToolFailure`` if the project has no such file.
  func path(of name: String) throws(ToolFailure) -> String {
    if !name.isEmpty, !name.utf8.contains(0),
      let path = paths[files.canonical(absolutePath(name))]
    {
      return path
    }
    let sources = input?.sources.map(\.path) ?? []
    let question = didYouMean(suggestions(for: name, among: sources))
    throw ToolFailure(
      message: "\"\(name)\" is not a file of the project." + (question.map { " " + $0 } ?? ""))
  }

  /// Returns the session path of a source that an assistant names. The source need not exist.
  ///
  /// - Throws: ``ToolFailure`` if no source of the project could have the path.
  func path(ofSource name: String) throws(ToolFailure) -> String {
    if let path = try? path(of: name), input?.sources.contains(where: { $0.path == path }) == true {
      return path
    }
    let absolute = absolutePath(name)
    let isSource = [".swift", ".graphql", ".gql"].contains { absolute.hasSuffix($0) }
    guard isSource, !name.utf8.contains(0),
      isInside(files.canonical(absolute), files.canonicalFolder(sources))
    else {
      throw ToolFailure(
        message:
          "\"\(name)\" cannot be a source of the project: sources are Swift and GraphQL files in "
          + "\"\(Project.shownPath(URL(fileURLWithPath: sources), in: root))\".")
    }
    return Project.shownPath(URL(fileURLWithPath: absolute), in: root)
  }

  // MARK: Writing

  /// Whether the file on disk still has the contents that a fix applies to.
  func hasSaved(_ fix: OfferedFixes.Fix) -> Bool {
    (try? path(of: fix.path)) != nil && (try? readFile(absolutePath(fix.path))) == fix.bytes
  }

  /// Applies a fix.
  ///
  /// - Throws: ``ToolFailure`` if the file has changed since the fix was offered, if it no longer
  ///   belongs to the project, or if it is a link to a file elsewhere.
  func apply(_ fix: OfferedFixes.Fix) throws(ToolFailure) {
    let path = absolutePath(try path(of: fix.path))
    guard let resolved = realPath(path) else {
      throw ToolFailure(message: FileError("write", path).message)
    }
    guard [root, sources].contains(where: { isInside(resolved, files.canonicalFolder($0)) }) else {
      throw ToolFailure(
        message: "\"\(fix.path)\" is a link to a file outside of the project and was not changed."
      )
    }
    let isUnchanged: Bool
    do throws(FileError) {
      isUnchanged = try readFile(path) == fix.bytes
      // `replaceFile` compares again, immediately before it writes.
      if isUnchanged { try replaceFile(path, fix.bytes, with: Array(fix.result)) }
    } catch {
      throw ToolFailure(message: error.message)
    }
    if isUnchanged { return }
    throw ToolFailure(
      message: "\"\(fix.path)\" has changed since the fix was offered, and was left unchanged. "
        + "Call validate for new fixes.")
  }
}
