import Foundation
import GraphQLLanguage
import RelayCompiler

/// The files of an Apollo project, read into memory.
struct ApolloProject {
  /// The name of the configuration file that Apollo's command line looks for.
  static let configurationName = "apollo-codegen-config.json"

  let configuration: ApolloConfiguration
  let workspace = Workspace()
  /// The schema files, as SDL.
  private(set) var schemas: [(source: Source, document: Document)] = []
  private(set) var documents: [Document] = []
  /// The absolute paths of the documents.
  private(set) var documentPaths: [String] = []
  /// The syntax errors of the schema.
  private(set) var diagnostics: [Diagnostic] = []
  /// The first syntax error of each document that has one.
  private(set) var syntaxErrors: [SourceID: Diagnostic] = [:]
  private(set) var notes: [MigrationNote] = []
  /// The uses of Apollo in the app's Swift files.
  private(set) var swiftCode: ApolloSwiftCode
  /// The absolute path of the configuration's folder.
  let root: String
  /// The configuration's folder as written in the arguments, with a trailing slash; empty for the
  /// current one. Source paths start with it.
  let prefix: String
  private let search: SearchPaths
  /// The absolute paths of the folders written by an earlier import.
  private var imported: Set<String> = []

  /// Reads a project.
  ///
  /// - Parameters:
  ///   - path: The path of the configuration, or of its folder.
  ///   - output: The absolute path of the output folder, excluded from the search.
  /// - Throws: ``ConfigurationError`` or ``FileError``.
  init(_ path: String, output: String) throws {
    var path = path
    if isFolder(path) {
      path += (path.hasSuffix("/") ? "" : "/") + Self.configurationName
    }
    let source = Source(path: path, bytes: try readFile(path))
    let name = OutputNames.fileName(of: path)
    configuration = try ApolloConfiguration(source, named: name)
    prefix = String(path.dropLast(name.count))
    swiftCode = ApolloSwiftCode(schemaModule: "", isEmbedded: false, definitions: ([], []))
    root = URL(fileURLWithPath: path).deletingLastPathComponent().resolvingSymlinksInPath().path
    search = SearchPaths(
      root: root, skipped: URL(fileURLWithPath: output).resolvingSymlinksInPath().path)
    let documents = try files(configuration.operationPaths, key: "input.operationSearchPaths")
    let schemas = try files(configuration.schemaPaths, key: "input.schemaSearchPaths")
    let isDocument = Set(documents)
    var isSchema: Set<String> = []
    for path in schemas {
      // Schema patterns may match documents too.
      if try readSchema(path, mayBeDocument: isDocument.contains(path)) { isSchema.insert(path) }
    }
    if self.schemas.isEmpty {
      throw error(
        configuration.schemaPaths[0].line, "\"input.schemaSearchPaths\" matches no schema.")
    }
    for path in documents where !isSchema.contains(path) { try readDocument(path) }
    if documentPaths.isEmpty {
      throw error(
        configuration.operationPaths[0].line,
        "\"input.operationSearchPaths\" matches no file that is not a schema.")
    }
    readSwift()
    noteImportedFolders()
  }

  // MARK: Paths

  /// The path of a file relative to the configuration's folder.
  func relative(_ path: String) -> String { relativePath(path, from: root) }

  /// The deepest folder that contains all documents.
  var documentFolder: String {
    var common = documentPaths.first?.split(separator: "/").dropLast() ?? []
    for path in documentPaths {
      let parts = path.split(separator: "/").dropLast()
      common = Array(common.prefix(zip(common, parts).prefix { $0 == $1 }.count))
    }
    return "/" + common.joined(separator: "/")
  }

  private func error(_ line: Int, _ message: String) -> ConfigurationError {
    ConfigurationError("\(prefix)\(configuration.file):\(line): error: \(message)")
  }

  /// Returns the files that match the search paths, and adds a note about patterns without a match.
  private mutating func files(_ paths: [ApolloConfiguration.Setting], key: String) throws
    -> [String]
  {
    let found = try search.files(matching: paths.map(\.value))
    imported.formUnion(found.imported)
    guard !found.files.isEmpty else {
      let patterns = paths.map { "\"\($0.value)\"" }.joined(separator: ", ")
      let folders = found.imported.sorted().map { " \"\(relative($0))\" was left out." }.joined()
      let help =
        key == "input.schemaSearchPaths"
        ? " If the schema is not committed, download it first: relay-compiler schema download --output FILE URL."
        : ""
      let output =
        found.hasSkipped ? " \"\(search.skipped)\" is the output and was not searched." : ""
      throw error(
        paths[0].line,
        "\"\(key)\" matches no file below \"\(root)\": \(patterns).\(help)"
          + (folders.isEmpty ? "" : folders + " An import has written it.") + output)
    }
    for index in found.unmatched {
      notes.add(
        .manual, at: "\(configuration.file):\(paths[index].line)",
        of: "\(key)[\(index)]: \"\(paths[index].value)\"", "The pattern matches no file.")
    }
    return found.files
  }

  private mutating func noteImportedFolders() {
    for folder in imported.sorted(byText: \.self) {
      notes.add(
        .mapped, at: relative(folder), of: "an earlier import",
        "Its files were left out: it has a \(Project.configurationName) next to a folder \(ImportedConfiguration.documentFolder)."
      )
    }
  }

  /// Returns notes about search paths that would make Apollo's command line read the import's
  /// output.
  ///
  /// - Parameter files: The absolute paths of the files to write.
  func searchPathNotes(writing files: [String], to output: String) -> [MigrationNote] {
    let exclusion = "!\(relative(output))/**/*.graphql"
    let keys = [
      ("input.operationSearchPaths", configuration.operationPaths),
      ("input.schemaSearchPaths", configuration.schemaPaths),
    ]
    return keys.compactMap { key, paths in
      guard files.contains(where: { search.matches($0, paths.map(\.value)) }) else { return nil }
      return MigrationNote(
        kind: .manual, place: "\(configuration.file):\(paths[0].line)", subject: key,
        text:
          "It matches the files of this import, so Apollo's code generator would read them too. Add \(MigrationNote.code("\"\(exclusion)\"")) to the list while you use both."
      )
    }
  }

  // MARK: Files

  /// Reads a file. For a dangling symbolic link, adds a note and returns `nil`.
  private mutating func source(_ path: String) throws(FileError) -> Source? {
    if let bytes = try readFileIfPresent(path) {
      return Source(path: prefix + relative(path), bytes: bytes)
    }
    notes.add(
      .manual, at: relative(path), of: "symbolic link", "The link is broken and was left out.")
    return nil
  }

  /// Reads a schema file.
  ///
  /// - Returns: `false` if the file should be read as a document instead. That is the case when it
  ///   also matches as a document and has operations or fragments.
  private mutating func readSchema(_ path: String, mayBeDocument: Bool) throws -> Bool {
    guard let source = try source(path) else { return true }
    var parsed = workspace.parseSchema(source)
    let definitions = parsed.document.definitions
    if mayBeDocument,
      definitions.isEmpty
        ? parsed.diagnostics.hasErrors : definitions.contains(where: \.isExecutable)
    {
      return false
    }
    diagnostics += parsed.diagnostics
    var text = source
    // The definitions of introspection JSON have no source, so it is printed first.
    if parsed.document.definitions.first?.span.isKnown == false {
      text = Source(path: source.path, parsed.document.text() + "\n")
      parsed = workspace.parse(text)
    }
    schemas.append((text, parsed.document))
    return true
  }

  private mutating func readDocument(_ path: String) throws {
    guard let source = try source(path) else { return }
    let parsed = workspace.parse(source)
    syntaxErrors[parsed.document.source] = parsed.diagnostics.first { $0.severity == .error }
    documents.append(parsed.document)
    documentPaths.append(path)
  }

  /// Reads the Swift files below the configuration's folder. The report omits unreadable files.
  private mutating func readSwift() {
    let others = ["Pods", "Carthage", "DerivedData", "SourcePackages", "node_modules"]
    swiftCode = ApolloSwiftCode(
      schemaModule: configuration.namespace.value,
      isEmbedded: configuration.moduleType == .embeddedInTarget, definitions: typeNames)
    let paths: [String]
    do throws(FileError) {
      paths = try search.files(matching: ["**/*.swift"] + others.map { "!**/\($0)/**" }).files
    } catch {
      return notes.add(
        .manual, at: "", of: "Swift files",
        "They were not searched for uses of Apollo. \(error.message)")
    }
    for path in paths {
      guard let bytes = try? readFile(path) else { continue }
      swiftCode.add(bytes, at: relative(path))
    }
  }

  /// The names of the types that Apollo generates for operations and fragments.
  private var typeNames: (operations: Set<String>, fragments: Set<String>) {
    var names: (operations: Set<String>, fragments: Set<String>) = ([], [])
    for definition in documents.flatMap(\.definitions) {
      switch definition {
      case .operation(let operation):
        if let name = operation.apolloTypeName(in: workspace.symbols) {
          names.operations.insert(name)
        }
      case .fragment(let fragment):
        names.fragments.insert(SwiftName.upperFirst(workspace.symbols[fragment.name.symbol]))
      default: continue
      }
    }
    return names
  }

  /// The files `CustomScalars/<Name>.swift` that Apollo generated for the app to edit, by scalar
  /// name.
  func scalarFiles() -> [String: (path: String, bytes: ContiguousArray<UInt8>)] {
    var result: [String: (path: String, bytes: ContiguousArray<UInt8>)] = [:]
    let types = configuration.schemaTypesPath
    let outside = try? search.files(matching: ["\(types)/**/CustomScalars/*.swift"])
    for path in outside?.files ?? [] {
      guard let bytes = try? readFile(path) else { continue }
      let name = OutputNames.fileName(of: path).dropLast(".swift".count)
      result[String(name)] = (relative(path), bytes)
    }
    return result
  }
}
