import Foundation
import GraphQLLanguage

/// The contents of `relay.config.json`, with paths resolved against the file's directory.
package struct Configuration: Sendable {
  /// The schema file, in SDL or introspection JSON.
  package var schema: URL
  /// SDL files that extend the schema on the client.
  package var schemaExtensions: [URL] = []
  /// The files of the schema and its extensions.
  package var schemaFiles: [URL] { [schema] + schemaExtensions }
  /// The source folder.
  package var src: URL
  /// Patterns of the paths under `src` to skip; `*`, `?` and `**` work as in a shell.
  package var excludes: [String] = Configuration.defaultExcludes
  /// The directory for generated files; `nil` when only the build-tool plugin compiles.
  package var artifactDirectory: URL?
  package var emission = EmissionOptions()
  /// The configuration file and its contents; `nil` without one.
  package private(set) var file: (url: URL, bytes: ContiguousArray<UInt8>)?
  /// The manifest file written by `relay-compiler operations`.
  package var manifest: URL?
  /// The modules whose fragments and shared types the documents use: either from the file, sorted
  /// by name, or from the package, dependencies first.
  package var modules: [ModuleFolder] = []
  /// The absolute paths of sources excluded by the package's targets. The build plugin does not
  /// compile them.
  var excludedByTargets: Set<String> = []
  /// Whether modules use the same server's schema, by module name. Overrides the comparison of
  /// their schema files.
  package var sameSchema: [String: Bool] = [:]
  /// The package manifests that determine the modules; `nil` until they have been looked up.
  package var manifests: [URL]?

  package static let defaultExcludes = [
    "**/.build/**", "**/node_modules/**", generatedPattern,
  ]
  /// The usual name of the folder for generated files, and the pattern that excludes it.
  static let generatedFolder = "__generated__"
  static let generatedPattern = "**/\(generatedFolder)/**"

  /// Creates a configuration with default values for everything else.
  package init(schema: URL, src: URL) {
    self.schema = schema
    self.src = src
  }

  /// Reads a configuration file.
  ///
  /// - Throws: ``FileError``, or a ``ConfigurationError`` that names the file and the mistake in
  ///   it.
  package init(file: URL) throws {
    try self.init(file: file, bytes: readFile(file.path))
  }

  /// Reads the contents of a configuration file.
  ///
  /// - Throws: A ``ConfigurationError`` that names the file and the mistake in it.
  package init(file: URL, bytes: ContiguousArray<UInt8>) throws {
    let json = try LocatedJSON(Source(path: file.path, bytes: bytes))
    try Self.checkKeys(of: json)
    func url(_ path: LocatedJSON, of key: LocatedJSON) throws -> URL {
      let text = try path.string()
      if text.isEmpty { throw key.error("is empty; it must be a path.") }
      return URL(fileURLWithPath: text, relativeTo: file.deletingLastPathComponent())
        .standardizedFileURL
    }
    func url(_ path: LocatedJSON) throws -> URL { try url(path, of: path) }
    self.init(
      schema: try url(json.required("schema")),
      src: try json["src"].map(url) ?? file.deletingLastPathComponent().standardizedFileURL)
    self.file = (file, bytes)
    if let extensions = json["schemaExtensions"] {
      schemaExtensions = try extensions.elements().map { try url($0, of: extensions) }
    }
    excludes = try json["excludes"]?.strings() ?? Self.defaultExcludes
    artifactDirectory = try json["artifactDirectory"].map(url)
    if let folders = json["modules"] {
      manifests = []
      modules = try folders.allMembers().sorted { $0.name < $1.name }.map { name, folder in
        try Self.checkTypeName(name, of: "modules", at: folder)
        return ModuleFolder(name: name, folder: try url(folder))
      }
    }
    for (module, isSame) in try json["sameSchema"]?.allMembers() ?? [] {
      sameSchema[module] = try isSame.boolean()
    }
    try setTypes(json)
    try setNames(json)
    if let persisted = json["persistConfig"] {
      emission.persistence = .ids(includesText: try Self.includesText(persisted))
      manifest = try persisted["file"].map(url)
    }
  }

  /// Rejects unknown keys. `$schema` is for editors.
  private static func checkKeys(of json: LocatedJSON) throws {
    let root = [
      "$schema", "accessLevel", "artifactDirectory", "customScalarTypes", "excludes",
      "fileNamePrefix", "idScalars", "keyFields", "maxAge", "module", "modules", "noPersist",
      "persistConfig", "rawResponses", "sameSchema", "schema", "schemaExtensions", "schemaModule",
      "schemaName", "src",
    ]
    let persisted = ["algorithm", "file", "includeQueryText", "include_query_text", "url"]
    let scalars = try json["customScalarTypes"]?.allMembers().map(\.value) ?? []
    let unknown =
      try json.unknownMembers(known: root)
      + (json["persistConfig"]?.unknownMembers(known: persisted) ?? [])
      + scalars.filter(\.isObject).flatMap { try $0.unknownMembers(known: ["name", "path"]) }
    if !unknown.isEmpty { throw ConfigurationError(unknown) }
  }

  /// Reads the settings for schema types.
  private mutating func setTypes(_ json: LocatedJSON) throws {
    for (name, type) in try json["customScalarTypes"]?.allMembers() ?? [] {
      let text = try Self.scalarType(type)
      try Self.checkTypeName(text, of: name, at: type)
      emission.customScalarTypes[name] = text
    }
    for (type, fields) in try json["keyFields"]?.allMembers() ?? [] {
      switch fields.value {
      case .null: emission.unidentifiedTypes.insert(type)
      case .string: emission.keyFields[type] = [try fields.string()]
      case .list: emission.keyFields[type] = try fields.strings()
      default: throw fields.typeError("a string or a list of strings")
      }
    }
    emission.idScalars = try json["idScalars"]?.strings() ?? []
    emission.privateElements = try json["noPersist"]?.strings() ?? []
    for (name, age) in try json["maxAge"]?.allMembers() ?? [] {
      let seconds = try age.number()
      guard (0...1e9).contains(seconds) else {
        throw age.mistake("\"maxAge\" gives \"\(name)\" \(seconds) seconds; use 0 to 1000000000.")
      }
      emission.maxAges[name] = seconds
    }
  }

  /// Reads a Swift type: `"Date"`, `"Foundation.Date"` or `{"name": "Date", "path": "Foundation"}`.
  private static func scalarType(_ json: LocatedJSON) throws -> String {
    if case .string = json.value { return try json.string() }
    guard json.isObject else { throw json.typeError("a string or an object") }
    let path = try json["path"].map { try $0.string() + "." }
    return (path ?? "") + (try json.required("name").string())
  }

  /// Reads the settings for generated code.
  private mutating func setNames(_ json: LocatedJSON) throws {
    let access = try json["accessLevel"]?.string(oneOf: ["public", "package", "internal"])
    emission.access = access == "internal" ? "" : access ?? "public"
    let raw = try json["rawResponses"]?.string(oneOf: ["mutations", "marked"])
    emission.rawResponses = raw.flatMap(EmissionOptions.RawResponses.init) ?? .mutations
    emission.requiresFileNamePrefix = try json["fileNamePrefix"]?.boolean() ?? false
    func typeName(_ key: String) throws -> String? {
      guard let value = json[key] else { return nil }
      let name = try value.string()
      try Self.checkTypeName(name, of: key, at: value)
      return name
    }
    emission.module = try typeName("module")
    emission.schemaModule = try typeName("schemaModule")
    emission.schemaName = try typeName("schemaName") ?? "Schema"
    let name = emission.schemaName
    if SwiftName.belongsToSchema(name) || name == emission.module || name.contains(".") {
      throw (json["schemaName"] ?? json).mistake(
        "\"schemaName\" cannot be \"\(name)\": no type of the module can have that name.")
    }
  }

  /// Reads `persistConfig`, which uses Relay's keys. The key `url` is an error.
  ///
  /// - Returns: Whether generated code includes operation texts in addition to ids.
  private static func includesText(_ json: LocatedJSON) throws -> Bool {
    _ = try json.members()
    if let url = json["url"] {
      throw url.mistake(
        "\"persistConfig\" has a \"url\", but the compiler does not call servers: it may "
          + "run without network access. Use \"file\", and upload what \"relay-compiler "
          + "operations\" writes."
      )
    }
    if let algorithm = json["algorithm"], try algorithm.string().uppercased() != "SHA256" {
      throw algorithm.error("is \"\(try algorithm.string())\"; the compiler only supports SHA256.")
    }
    return try (json["includeQueryText"] ?? json["include_query_text"])?.boolean() ?? false
  }

  /// Throws a ``ConfigurationError`` if a name cannot be used in generated code.
  private static func checkTypeName(
    _ name: String, of key: String, at json: LocatedJSON
  ) throws {
    if name.isTypeName { return }
    throw json.mistake("\"\(name)\", given for \"\(key)\", is not a Swift type name.")
  }
}
