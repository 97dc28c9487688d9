import GraphQLLanguage
import RelayCompiler

/// The contents of an `apollo-codegen-config.json`.
struct ApolloConfiguration {
  /// A value, and the line of its key.
  struct Setting {
    let value: String
    let line: Int
  }

  /// The way an Apollo project links its schema types.
  enum ModuleType: Equatable {
    case embeddedInTarget
    case swiftPackage
    case other
  }

  /// The manifest of persisted operations.
  struct Manifest {
    let path: String?
    let isLegacy: Bool
    let line: Int
  }

  /// The name of the configuration file, for notes.
  let file: String
  private(set) var namespace = Setting(value: "", line: 1)
  private(set) var schemaPaths: [Setting] = []
  private(set) var operationPaths: [Setting] = []
  /// The folder of the generated schema types, as written in the file.
  private(set) var schemaTypesPath = "."
  private(set) var moduleType = ModuleType.other
  private(set) var accessLevel = "public"
  /// Whether generated operations have ids, and whether they have documents.
  var documentFormat = (hasIDs: false, hasTexts: true)
  private(set) var manifest: Manifest?
  var allowsNullabilityOperators = false
  /// The notes on the keys, in reading order.
  private(set) var notes: [MigrationNote] = []

  /// Reads a configuration.
  ///
  /// - Throws: ``ConfigurationError`` with the file, the line and the key.
  init(_ source: Source, named file: String) throws(ConfigurationError) {
    self.file = file
    let root = try LocatedJSON(source)
    _ = try root.members()
    guard let name = root["schemaNamespace"] ?? root["schemaName"] else {
      throw root.error("has no \"schemaNamespace\".")
    }
    namespace = Setting(value: try name.string(), line: name.line)
    guard let input = root["input"] else { throw root.error("has no \"input\".") }
    try read(input: input)
    if let options = root["options"] { try read(options: options) }
    if let output = root["output"] { try read(output: output) }
    if let features = root["experimentalFeatures"] { try read(features: features) }
    for key in ["schemaDownload", "schemaDownloadConfiguration"] {
      if let download = root[key] { try read(download: download) }
    }
    if let manifest = root["operationManifest"] { try read(manifest: manifest) }
    try noteUnknown(
      in: root,
      known: [
        "schemaNamespace", "schemaName", "input", "output", "options", "experimentalFeatures",
        "schemaDownload", "schemaDownloadConfiguration", "operationManifest",
      ])
  }

  // MARK: Notes

  /// Adds a note about the outcome for a key.
  mutating func note(_ kind: MigrationNote.Kind, of key: LocatedJSON, _ text: String) {
    var value = key.value.description
    if value.utf8.count > 60 { value = "…" }
    notes.add(kind, at: "\(file):\(key.line)", of: "\(key.path): \(value)", text)
  }

  /// Adds a note for every member of an object that neither Apollo iOS 1 nor 2 documents.
  mutating func noteUnknown(in object: LocatedJSON, known: Set<String>)
    throws(ConfigurationError)
  {
    for (name, value) in try object.members() where !known.contains(name) {
      note(.manual, of: value, "This key is not one of Apollo iOS 1 or 2, and was ignored.")
    }
  }

  // MARK: Sections

  private mutating func read(input: LocatedJSON) throws(ConfigurationError) {
    func paths(_ key: String, default pattern: String) throws(ConfigurationError)
      -> [Setting]
    {
      guard let list = input[key] else { return [Setting(value: pattern, line: input.line)] }
      var result: [Setting] = []
      for element in try list.elements() {
        let text = try element.string()
        if text.isEmpty { throw element.error("is empty.") }
        result.append(Setting(value: text, line: element.line))
      }
      if result.isEmpty { throw list.error("has no pattern.") }
      return result
    }
    schemaPaths = try paths("schemaSearchPaths", default: "**/*.graphqls")
    operationPaths = try paths("operationSearchPaths", default: "**/*.graphql")
    try noteUnknown(in: input, known: ["schemaSearchPaths", "operationSearchPaths"])
  }

  private mutating func read(output: LocatedJSON) throws(ConfigurationError) {
    var modifiers: [String] = []
    if let types = output["schemaTypes"] { modifiers += try read(schemaTypes: types) }
    if let operations = output["operations"] {
      for (name, place) in try operations.members() {
        try place.checkStrings("path", "subpath")
        if name != "inSchemaModule" {
          modifiers.append(try modifier(of: place, default: "public"))
        }
        note(
          .mapped, of: place,
          "All generated files are in \"artifactDirectory\", one for each file with documents; the build plugin keeps them out of the sources."
        )
      }
    }
    // The operations refer to the schema types, so the wider access is right for both.
    if !modifiers.isEmpty { accessLevel = modifiers.contains("public") ? "public" : "internal" }
    if let mocks = output["testMocks"] {
      for (name, place) in try mocks.members() where name != "none" {
        try place.checkStrings("path", "targetName", "accessModifier")
        note(
          .manual, of: place,
          "No mocks are generated. In tests, create values with the initializers of the generated structs, or let `SchemaServer(schema:generating:)` of RelayStoreTesting respond: `Docs/Testing.md`."
        )
      }
    }
    for key in ["operationManifest", "operationIdentifiersPath"] {
      if let manifest = output[key] { try read(manifest: manifest) }
    }
    try noteUnknown(
      in: output,
      known: [
        "schemaTypes", "operations", "testMocks", "operationManifest", "operationIdentifiersPath",
      ])
  }

  /// Returns the access modifiers in the section.
  private mutating func read(schemaTypes: LocatedJSON) throws(ConfigurationError) -> [String] {
    var modifiers: [String] = []
    if let path = schemaTypes["path"] {
      schemaTypesPath = try path.string()
      note(
        .mapped, of: path,
        "Types of the schema are in \"artifactDirectory\" too; those that no document uses are not generated."
      )
    }
    for (name, place) in try schemaTypes["moduleType"]?.members() ?? [] {
      try place.checkStrings("name")
      switch name {
      case "embeddedInTarget":
        moduleType = .embeddedInTarget
        modifiers.append(try modifier(of: place, default: "internal"))
        note(.mapped, of: place, "Put the output folder into this target, or its contents.")
      case "swiftPackageManager", "swiftPackage":
        moduleType = .swiftPackage
        modifiers.append("public")
        note(
          .manual, of: place,
          "No package is generated. Put the output folder into a target of your own package that depends on RelayStore; where several targets share types, see \"schemaModule\" in `Docs/Modules.md`."
        )
      default:
        modifiers.append("public")
        note(.mapped, of: place, "Put the output folder into a target of your own.")
      }
    }
    try noteUnknown(in: schemaTypes, known: ["path", "moduleType"])
    return modifiers
  }

  private func modifier(of object: LocatedJSON, default modifier: String)
    throws(ConfigurationError) -> String
  {
    _ = try object.members()
    guard let value = object["accessModifier"] else { return modifier }
    return try value.string(among: ["public", "internal"])
  }

  private mutating func read(manifest: LocatedJSON) throws(ConfigurationError) {
    if case .string(let path) = manifest.value {
      self.manifest = Manifest(path: path, isLegacy: true, line: manifest.line)
      return noteManifest(manifest)
    }
    try manifest.checkBooleans("generateManifestOnCodeGeneration")
    let version = try manifest["version"]?
      .string(among: ["persistedQueries", "legacyAPQ", "legacy"])
    self.manifest = Manifest(
      path: try manifest["path"]?.string(), isLegacy: version?.hasPrefix("legacy") ?? false,
      line: manifest.line)
    noteManifest(manifest)
  }

  private mutating func noteManifest(_ key: LocatedJSON) {
    let isLegacy = manifest?.isLegacy ?? false
    let format = isLegacy ? "" : " --format apollo"
    let target = documentFormat.hasIDs ? "" : " --output FILE"
    note(
      isLegacy ? .manual : .mapped, of: key,
      "`relay-compiler operations\(format)\(target)` writes the manifest"
        + (isLegacy ? ", with the documents by id; the legacy format is not supported" : "")
        + ". The ids differ, because the documents differ: register the new manifest with the server before the app is released."
    )
  }
}
