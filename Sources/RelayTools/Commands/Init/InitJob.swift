import Foundation
import GraphQLLanguage
import RelayCompiler

/// One run of `init` in a folder.
struct InitJob {
  static let configurationName = "relay.config.json"
  /// The file that a downloaded schema is written to.
  static let schemaName = "schema.graphql"

  private let schema: String?
  private let headers: [String]
  private let src: String?
  private let folder: ProjectFolder

  /// Reads the names of the files in a folder.
  ///
  /// - Parameters:
  ///   - schema: The path of the schema, or a URL that starts with `http://` or `https://`; `nil`
  ///     searches for it.
  ///   - headers: The headers of the request to that URL.
  ///   - src: The path of the sources; `nil` searches for them.
  /// - Throws: ``FileError`` when the folder cannot be read.
  init(schema: String? = nil, headers: [String] = [], src: String? = nil, in url: URL) throws {
    self.schema = schema
    self.headers = headers
    self.src = src
    folder = try ProjectFolder(url)
  }

  /// Finds the schema and the sources, writes the configuration and checks the existing documents.
  ///
  /// No file is written until all settings are known.
  ///
  /// - Throws: ``ConfigurationError`` when a configuration already exists, or something is missing
  ///   or ambiguous.
  func run() throws -> CommandResult {
    try checkIsAbsent(Self.configurationName)
    let src = try sourcePath()
    if src != "." { try checkIsAbsent(src + "/" + Self.configurationName) }
    let (schema, downloaded) = try schemaPath()
    let file = folder.url.appendingPathComponent(Self.configurationName)
    let ids = try IDSettings(Self.schema(downloaded, at: folder.url(of: schema)))
    if let downloaded { try write(downloaded, to: Self.schemaName) }
    try write(configuration(schema: schema, src: src, ids), to: Self.configurationName)

    let configuration = try Configuration(file: file)
    let project = try Project(
      CompileOptions(), configuration, output: configuration.artifactDirectory)
    let compilation = project.compilation(makesFiles: false)
    let guide = SetupGuide(folder: folder, src: src, compilation: compilation)
    var result = CommandResult.diagnostics(
      compilation.diagnostics, in: compilation.workspace, format: .text)
    let made = (downloaded == nil ? [] : [Self.schemaName]) + [Self.configurationName]
    result.output =
      made.map { "wrote \($0)\n" }.joined()
      + "schema   \(schema)\nsources  \(src)\n\n" + guide.text
    return result
  }

  // MARK: Finding

  private func sourcePath() throws -> String {
    guard let src else { return try SourceSearch(folder).path() }
    let url = folder.url(of: src)
    guard isRealFolder(url.path) else {
      throw ConfigurationError("The folder \"\(src)\" does not exist.")
    }
    return folder.relativePath(of: url)
  }

  /// The path of the schema, and its source if it was downloaded.
  private func schemaPath() throws -> (path: String, downloaded: String?) {
    guard let schema else {
      return (try schemaPathInPackage() ?? SchemaSearch.path(in: folder), nil)
    }
    guard Self.isURL(schema) else {
      let url = folder.url(of: schema)
      try SchemaSearch.check(readFile(url.path), path: schema)
      return (folder.relativePath(of: url), nil)
    }
    try checkIsAbsent(Self.schemaName)
    do throws(SchemaDownloadError) {
      return (Self.schemaName, try downloadSchema(from: schema, headers: headers))
    } catch {
      let advice =
        headers.isEmpty ? "\nIf the server needs a header, add --header \"NAME: VALUE\"." : ""
      throw ConfigurationError(error.message + advice)
    }
  }

  static func isURL(_ schema: String) -> Bool {
    schema.hasPrefix("http://") || schema.hasPrefix("https://")
  }

  /// The path of the schema of an enclosing package, if the project's folder has no schema itself.
  private func schemaPathInPackage() throws -> String? {
    guard case .package(_, let path) = folder.kind, folder.pathInPackage != "",
      !SchemaSearch.hasSchema(in: folder)
    else { return nil }
    let package = try ProjectFolder(URL(fileURLWithPath: path))
    let found = try SchemaSearch.path(in: package)
    return folder.relativePath(of: package.url.appendingPathComponent(found))
  }

  /// Parses the schema, which may have errors.
  private static func schema(_ text: String?, at url: URL) throws -> Schema {
    let bytes = try text.map { ContiguousArray($0.utf8) } ?? readFile(url.path)
    let workspace = Workspace()
    let document = workspace.parseSchema(Source(path: url.path, bytes: bytes)).document
    return Schema.build(from: [document], in: workspace)
  }

  // MARK: Writing

  private func checkIsAbsent(_ path: String) throws(ConfigurationError) {
    guard !itemExists(folder.url.path + "/" + path) else {
      var help = ""
      if case .package = folder.kind, path == Self.configurationName, let src {
        help =
          " Each additional target of a package has its own configuration: for this one, run init "
          + "in \"\(src)\"."
      }
      throw ConfigurationError(
        "\(path) already exists. It was left unchanged; remove it to write a new one.\(help)")
    }
  }

  private func write(_ text: String, to name: String) throws(FileError) {
    try writeFile(folder.url.path + "/" + name, Array(text.utf8))
  }

  /// The contents of the configuration file. Without a build-tool plugin it needs a directory for
  /// the generated files.
  ///
  /// - Parameter ids: The settings for types whose `id` is not of type `ID`.
  private func configuration(schema: String, src: String, _ ids: IDSettings) -> String {
    var entries = [("schema", schema), ("src", src)]
    if folder.kind == .other {
      entries.append(("artifactDirectory", src == "." ? "__generated__" : src + "/__generated__"))
    }
    let lines =
      entries.map { "  \(ValuePrinter.quoted($0)): \(ValuePrinter.quoted($1))" }
      + ids.members.map { "  \(ValuePrinter.quoted($0.key)): \($0.value)" }
    return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
  }
}
