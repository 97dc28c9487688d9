import RelayCompiler

extension ApolloConfiguration {
  /// A key's value, or a key that can be set, with the note about it.
  private struct Outcome {
    let name: String
    let kind: MigrationNote.Kind
    let text: String

    /// Reads a line with the name, the kind and the note.
    init?(_ line: String) {
      let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
      guard parts.count == 3, let kind = MigrationNote.Kind(rawValue: parts[1]) else { return nil }
      (name, self.kind, text) = (parts[0], kind, parts[2])
    }
  }

  /// The keys of `options` with a note for each value. Keys of inner objects are separated by
  /// periods. The first value is the default of Apollo iOS.
  private static let choices = LiteralTable.sections(
    """
    queryStringLiteralFormat
      singleLine mapped Operation documents are compact, on one line.
      multiline mapped Operation documents are compact, on one line.
    deprecatedEnumCases
      include mapped Deprecated cases are generated, with `@available(*, deprecated)`.
      exclude manual Deprecated cases are generated, with `@available(*, deprecated)`; remove the values from the schema to get rid of them.
    schemaDocumentation
      include mapped Descriptions of the schema are doc comments.
      exclude manual Descriptions of the schema are always doc comments; a schema without descriptions has none.
    warningsOnDeprecatedUsage
      include mapped Deprecated fields are `@available(*, deprecated)` in Swift.
      exclude manual Deprecated fields are always `@available(*, deprecated)` in Swift, so their use warns.
    conversionStrategies.enumCases
      camelCase mapped `IN_PROGRESS` is `inProgress`.
      none manual Enum cases are always in camel case: `IN_PROGRESS` is `inProgress`.
    conversionStrategies.fieldAccessors
      idiomatic mapped Properties have the response keys as their names.
      default mapped Properties have the response keys as their names.
      camelCase manual Properties have the response keys as their names: `first_name` is `first_name`. An alias in the document gives another one: `firstName: first_name`.
    conversionStrategies.inputObjects
      camelCase manual Properties of input objects have the names of the schema: `first_name` is `first_name`.
      none mapped Properties of input objects have the names of the schema.
    apqs
      disabled mapped Operations have their documents.
      automaticallyPersist mapped \(automatic)
      persistedOperationsOnly mapped \(idsOnly)
    """
  ).map { key, lines in (key: key, outcomes: lines.compactMap(Outcome.init)) }

  /// The Boolean keys, with the note for a key that is true.
  private static let flags = LiteralTable.sections(
    """
    cocoapodsCompatibleImportStatements manual CocoaPods is not supported: RelayStore is a Swift package.
    pruneGeneratedFiles mapped Generated files that are no longer needed are always removed.
    markOperationDefinitionsAsFinal mapped Operations are structs.
    appendSchemaTypeFilenameSuffix mapped All types of the schema are in one file, Schema.graphql.swift.
    reduceGeneratedSchemaTypes mapped Only types that documents use are generated.
    markTypesNonisolated mapped Generated types are always nonisolated.
    """
  ).compactMap { Outcome($0.heading) }

  private static let automatic =
    "\"persistConfig\" with \"includeQueryText\": generated operations have an id and a document. Send ids with `HTTPTransport(url: url).persistingQueries()` of RelayNetwork."
  private static let idsOnly =
    "\"persistConfig\" without documents: generated operations have an id only. Register the manifest of `relay-compiler operations --format apollo` with the server."

  /// Reads `options`, and adds a note about each outcome.
  mutating func read(options: LocatedJSON) throws(ConfigurationError) {
    _ = try options.members()
    try read(choices: options)
    try read(flags: options)
    if let format = options["operationDocumentFormat"] { try read(documentFormat: format) }
    if let initializers = options["selectionSetInitializers"] {
      try initializers.checkBooleans("operations", "namedFragments", "localCacheMutations")
      for name in try initializers["definitionsNamed"]?.elements() ?? [] { _ = try name.string() }
      note(
        .mapped, of: initializers,
        "Every generated struct has a memberwise initializer; it has no cost where it is not called."
      )
    }
    try read(customization: options)
    try read(namingRules: options)
    let known = Self.choices.map { $0.key.prefix { $0 != "." } }.map(String.init)
    try noteUnknown(
      in: options,
      known: Set(
        known + Self.flags.map(\.name) + [
          "operationDocumentFormat", "selectionSetInitializers", "schemaCustomization",
          "additionalInflectionRules", "additionalCapitalizationRules",
        ]))
  }

  private mutating func read(choices options: LocatedJSON) throws(ConfigurationError) {
    for (key, outcomes) in Self.choices {
      var place: LocatedJSON? = options
      for part in key.split(separator: ".") { place = try place?.member(String(part)) }
      guard let place else { continue }
      let value = try place.string(among: outcomes.map(\.name))
      for outcome in outcomes where outcome.name == value {
        note(outcome.kind, of: place, outcome.text)
      }
      if key == "apqs", value != "disabled" {
        documentFormat = (true, value == "automaticallyPersist")
      }
    }
  }

  private mutating func read(namingRules options: LocatedJSON) throws(ConfigurationError) {
    if let rules = options["additionalInflectionRules"] {
      for rule in try rules.elements() { _ = try rule.members() }
      note(.mapped, of: rules, "Names are not singularized, so no rule is needed.")
    }
    if let rules = options["additionalCapitalizationRules"] {
      for rule in try rules.elements() { _ = try rule.members() }
      note(
        try rules.elements().isEmpty ? .mapped : .manual, of: rules,
        "Names keep the capital letters that they have in the schema and the documents.")
    }
  }

  private mutating func read(flags options: LocatedJSON) throws(ConfigurationError) {
    for flag in Self.flags {
      guard let place = options[flag.name] else { continue }
      note(try place.boolean() ? flag.kind : .mapped, of: place, flag.text)
    }
  }

  private mutating func read(documentFormat: LocatedJSON) throws(ConfigurationError) {
    var formats: Set<String> = []
    for element in try documentFormat.elements() {
      formats.insert(try element.string(among: ["definition", "operationId"]))
    }
    if formats.isEmpty { throw documentFormat.error("has no format.") }
    let hasIDs = formats.contains("operationId")
    self.documentFormat = (hasIDs, formats.contains("definition"))
    let text =
      !hasIDs
      ? "Operations have their documents." : formats.count == 2 ? Self.automatic : Self.idsOnly
    note(.mapped, of: documentFormat, text)
  }

  private mutating func read(customization options: LocatedJSON) throws(ConfigurationError) {
    guard let names = try options.member("schemaCustomization")?.member("customTypeNames") else {
      return
    }
    for (name, place) in try names.members() {
      note(
        .manual, of: place,
        "Types of the schema keep their names. `typealias` gives \(MigrationNote.code(name)) a second name."
      )
    }
  }

  /// Reads `experimentalFeatures`.
  mutating func read(features: LocatedJSON) throws(ConfigurationError) {
    if let merging = features["fieldMerging"] {
      for kind in try merging.elements() { _ = try kind.string() }
      note(
        .manual, of: merging,
        "Fields of spread fragments are never merged into the object around them, except with `@relay(mask: false)` on the spread."
      )
    }
    if let legacy = features["legacySafelistingCompatibleOperations"] {
      let isSet = try legacy.boolean()
      note(
        isSet ? .manual : .mapped, of: legacy,
        "Operation documents have one form, without a compatible one for safelists.")
    }
    if let nullability = features["clientControlledNullability"] {
      let isSet = try nullability.boolean()
      allowsNullabilityOperators = isSet
      note(
        isSet ? .manual : .mapped, of: nullability,
        "`field!` and `field?` are not part of GraphQL: write `field @required(action: THROW)` or `@catch`."
      )
    }
    try noteUnknown(
      in: features,
      known: [
        "fieldMerging", "legacySafelistingCompatibleOperations", "clientControlledNullability",
      ])
  }
}

extension LocatedJSON {
  /// Returns a member of an object; `nil` if it is absent or null.
  func member(_ name: String) throws(ConfigurationError) -> LocatedJSON? {
    _ = try members()
    return self[name]
  }
}
