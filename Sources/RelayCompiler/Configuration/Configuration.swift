import Foundation
import GraphQLLanguage

/// The contents of `relay.config.json`, with its paths resolved against the file's directory.
package struct Configuration: Sendable {
  /// The file of the schema, in SDL or introspection JSON.
  package var schema: URL
  /// SDL files with client extensions of the schema.
  package var schemaExtensions: [URL] = []
  /// The files of the schema and of its extensions.
  package var schemaFiles: [URL] { [schema] + schemaExtensions }
  /// The folder of the sources.
  package var src: URL
  /// Patterns of the paths under `src` that are skipped; `*`, `?` and `**` mean the same as in a
  /// shell.
  package var excludes: [String] = Configuration.defaultExcludes
  /// The directory of the generated files; `nil` when only the build-tool plugin compiles.
  package var artifactDirectory: URL?
  package var emission = EmissionOptions()
  /// The configuration file with its contents; `nil` without one.
  package private(set) var file: (url: URL, bytes: ContiguousArray<UInt8>)?
  /// The file to which `relay-compiler operations` writes the manifest.
  package var manifest: URL?
  /// The modules whose fragments and shared types the documents use: those of the file, sorted by
  /// name, or those of the package, dependencies first.
  package var modules: [ModuleFolder] = []
  /// The absolute paths of the sources that the package's targets exclude, which the build plugin
  /// therefore does not compile.
  var excludedByTargets: Set<String> = []
  /// Whether a module has the same server's schema, where the files do not say so, by module.
  package var sameSchema: [String: Bool] = [:]
  /// The manifests of packages that say which modules there are; `nil` before they were looked for.
  package var manifests: [URL]?

  package static let defaultExcludes = [
    "**/.build/**", "**/node_modules/**", generatedPattern,
  ]
  /// The usual name of the folder of generated files, and the pattern that excludes it.
  static let generatedFolder = "__generated__"
  static let generatedPattern = "**/\(generatedFolder)/**"

  /// Creates a configuration with the defaults for everything else.
  package init(schema: URL, src: URL) {
    self.schema = schema
    self.src = src
  }

  /// Reads a configuration file.
  ///
  /// - Throws: ``ConfigurationError`` that names the file and the mistake in it.
  package init(file: URL) throws {
    let data: Data
    do { data = try Data(contentsOf: file) } catch {
      throw ConfigurationError("Cannot read \"\(file.path)\": \(error.localizedDescription)")
    }
    try self.init(file: file, data: data)
  }

  /// Reads the contents of a configuration file.
  ///
  /// - Throws: ``ConfigurationError`` that names the file and the mistake in it.
  package init(file: URL, data: Data) throws {
    let source = Source(path: file.path, bytes: ContiguousArray(data))
    do {
      try self.init(decoding: data, of: file)
    } catch let mistakes as ConfigurationMistakes {
      throw mistakes.error(in: JSONFile(source))
    } catch let error as DecodingError {
      // An error of the syntax is thrown here, at its line and column.
      throw try LocatedJSON(source).error(for: error, expected: Self.expectedValue)
    } catch {
      throw ConfigurationError("Cannot read \"\(file.path)\": \(error.localizedDescription)")
    }
    try JSONFile(source).checkRepetitions()
  }

  /// - Throws: ``ConfigurationMistakes`` or `DecodingError`.
  private init(decoding data: Data, of file: URL) throws {
    let contents = try JSONDecoder().decode(File.self, from: data)
    try JSONDecoder().decode(ConfigurationKeys.self, from: data).check()
    let directory = file.deletingLastPathComponent()
    func resolve(_ path: String, of key: String) throws -> URL {
      guard !path.isEmpty else {
        throw ConfigurationMistakes("\"\(key)\" is empty; it must be a path.", at: key)
      }
      return URL(fileURLWithPath: path, relativeTo: directory).standardizedFileURL
    }
    self.init(
      schema: try resolve(contents.schema, of: "schema"),
      src: try resolve(contents.src ?? ".", of: "src"))
    self.file = (file, ContiguousArray(data))
    schemaExtensions =
      try contents.schemaExtensions?.map { try resolve($0, of: "schemaExtensions") } ?? []
    excludes = contents.excludes ?? Self.defaultExcludes
    artifactDirectory = try contents.artifactDirectory.map {
      try resolve($0, of: "artifactDirectory")
    }
    modules = try (contents.modules ?? [:]).sorted { $0.key < $1.key }
      .map {
        ModuleFolder(name: $0.key, folder: try resolve($0.value, of: "modules.\($0.key)"))
      }
    if contents.modules != nil { manifests = [] }
    sameSchema = contents.sameSchema ?? [:]
    try setEmission(contents)
    if let persisted = contents.persistConfig {
      try persisted.check()
      manifest = try persisted.file.map { try resolve($0, of: "persistConfig.file") }
      emission.persistence = .ids(includesText: persisted.includesText)
    }
  }

  private mutating func setEmission(_ contents: File) throws {
    let access = contents.accessLevel ?? "public"
    guard ["public", "package", "internal"].contains(access) else {
      throw ConfigurationMistakes(
        "\"accessLevel\" is \"\(access)\"; use public, package or internal.", at: "accessLevel")
    }
    let schemaName = contents.schemaName ?? "Schema"
    let scalars = contents.customScalarTypes ?? [:]
    emission = EmissionOptions(
      access: access == "internal" ? "" : access, schemaName: schemaName,
      customScalarTypes: scalars.mapValues(\.name),
      keyFields: (contents.keyFields ?? [:]).compactMapValues { $0?.names })
    emission.unidentifiedTypes = Set((contents.keyFields ?? [:]).filter { $0.value == nil }.keys)
    emission.idScalars = contents.idScalars ?? []
    emission.privateElements = contents.noPersist ?? []
    emission.maxAges = contents.maxAge ?? [:]
    if let (name, age) = emission.maxAges.first(where: { !(0...1e9).contains($0.value) }) {
      throw ConfigurationMistakes(
        "\"maxAge\" gives \"\(name)\" \(age) seconds; use 0 to 1000000000.", at: "maxAge.\(name)")
    }
    if let text = contents.rawResponses {
      guard let rawResponses = EmissionOptions.RawResponses(rawValue: text) else {
        throw ConfigurationMistakes(
          "\"rawResponses\" is \"\(text)\"; use mutations or marked.", at: "rawResponses")
      }
      emission.rawResponses = rawResponses
    }
    emission.module = contents.module
    emission.schemaModule = contents.schemaModule
    emission.requiresFileNamePrefix = contents.fileNamePrefix ?? false
    try Self.checkNames(in: contents, schemaName: schemaName)
  }

  /// Throws a ``ConfigurationMistakes`` when generated code could not use one of the names.
  private static func checkNames(in contents: File, schemaName: String) throws {
    let scalars = contents.customScalarTypes ?? [:]
    let modules = (contents.modules ?? [:]).keys.map { ("modules.\($0)", "modules", $0) }
    let types =
      scalars.map { ("customScalarTypes.\($0.key)", $0.key, $0.value.name) } + modules
      + [
        ("schemaName", schemaName), ("module", contents.module),
        ("schemaModule", contents.schemaModule),
      ].compactMap { key, name in name.map { (key, key, $0) } }
    for (key, name, type) in types where !type.isTypeName {
      throw ConfigurationMistakes(
        "\"\(type)\", given for \"\(name)\", is no Swift type name.", at: key)
    }
    let isTaken = SwiftName.belongsToSchema(schemaName) || schemaName == contents.module
    if isTaken || schemaName.contains(".") {
      throw ConfigurationMistakes(
        "\"schemaName\" is \"\(schemaName)\", which no type of the module can be called.",
        at: "schemaName")
    }
  }
}

extension Configuration {
  /// The JSON object of the file.
  private struct File: Decodable {
    let schema: String
    let src: String?
    let excludes: [String]?
    let artifactDirectory: String?
    let schemaExtensions: [String]?
    let customScalarTypes: [String: ScalarType]?
    let schemaName: String?
    let accessLevel: String?
    let persistConfig: PersistedFile?
    let module: String?
    let modules: [String: String]?
    let sameSchema: [String: Bool]?
    let schemaModule: String?
    let fileNamePrefix: Bool?
    let idScalars: [String]?
    let keyFields: [String: Names?]?
    let noPersist: [String]?
    let maxAge: [String: Double]?
    let rawResponses: String?
  }

  /// The kinds of JSON values that are decoded as a type.
  private static func expectedValue(_ type: Any.Type) -> String {
    switch type {
    case is String.Type: "a string"
    case is Bool.Type: "true or false"
    case is Double.Type: "a number"
    case is Names.Type: "a string or a list of strings"
    case is ScalarType.Type: "a string or an object"
    case is [Any].Type: "a list"
    default: "an object"
    }
  }

  /// One name or a list of names: `"code"` or `["country", "code"]`.
  private struct Names: Decodable {
    let names: [String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let name = try? container.decode(String.self) {
        names = [name]
        return
      }
      guard (try? decoder.unkeyedContainer()) != nil else {
        throw DecodingError.typeMismatch(
          Names.self, .init(codingPath: decoder.codingPath, debugDescription: ""))
      }
      names = try container.decode([String].self)
    }
  }

  /// The value of `persistConfig`, with Relay's keys. The key `url` is an error.
  private struct PersistedFile: Decodable {
    let file: String?
    let url: String?
    let algorithm: String?
    let includeQueryText: Bool?
    // swift-format-ignore: AlwaysUseLowerCamelCase
    let include_query_text: Bool?

    var includesText: Bool { includeQueryText ?? include_query_text ?? false }

    func check() throws(ConfigurationMistakes) {
      if url != nil {
        throw ConfigurationMistakes(
          "\"persistConfig\" has a \"url\", which the compiler does not call: it may run "
            + "without network. Use \"file\", and upload what \"relay-compiler operations\" writes.",
          at: "persistConfig.url")
      }
      guard algorithm == nil || algorithm?.uppercased() == "SHA256" else {
        throw ConfigurationMistakes(
          "\"persistConfig.algorithm\" is \"\(algorithm ?? "")\"; the compiler has SHA256 only.",
          at: "persistConfig.algorithm")
      }
    }
  }

  /// A Swift type: `"Date"`, `"Foundation.Date"` or `{"name": "Date", "path": "Foundation"}`.
  private struct ScalarType: Decodable {
    let name: String

    private enum Key: CodingKey { case name, path }

    init(from decoder: any Decoder) throws {
      if let text = try? decoder.singleValueContainer().decode(String.self) {
        name = text
        return
      }
      guard let object = try? decoder.container(keyedBy: Key.self) else {
        throw DecodingError.typeMismatch(
          ScalarType.self, .init(codingPath: decoder.codingPath, debugDescription: ""))
      }
      let path = try object.decodeIfPresent(String.self, forKey: .path)
      name = (path.map { $0 + "." } ?? "") + (try object.decode(String.self, forKey: .name))
    }
  }
}
