import RelayCompiler

extension ApolloConfiguration {
  /// A key of `options` with a fixed answer for each value.
  private struct Option {
    /// The keys from `options`, separated by periods.
    let key: String
    /// The note on each value. The first value is the default of Apollo iOS.
    let answers: [(value: String, kind: MigrationNote.Kind, text: String)]
  }

  private static let choices: [Option] = [
    Option(
      key: "queryStringLiteralFormat",
      answers: [
        ("singleLine", .mapped, "Operation texts are compact, in one line."),
        ("multiline", .mapped, "Operation texts are compact, in one line."),
      ]),
    Option(
      key: "deprecatedEnumCases",
      answers: [
        ("include", .mapped, "Deprecated cases are generated, with `@available(*, deprecated)`."),
        (
          "exclude", .manual,
          "Deprecated cases are generated, with `@available(*, deprecated)`; remove the values from the schema to be rid of them."
        ),
      ]),
    Option(
      key: "schemaDocumentation",
      answers: [
        ("include", .mapped, "Descriptions of the schema are doc comments."),
        (
          "exclude", .manual,
          "Descriptions of the schema are always doc comments; a schema without descriptions has none."
        ),
      ]),
    Option(
      key: "warningsOnDeprecatedUsage",
      answers: [
        ("include", .mapped, "Deprecated fields are `@available(*, deprecated)` in Swift."),
        (
          "exclude", .manual,
          "Deprecated fields are always `@available(*, deprecated)` in Swift, so their use warns."
        ),
      ]),
    Option(
      key: "conversionStrategies.enumCases",
      answers: [
        ("camelCase", .mapped, "`IN_PROGRESS` is `inProgress`."),
        ("none", .manual, "Enum cases are always in camel case: `IN_PROGRESS` is `inProgress`."),
      ]),
    Option(
      key: "conversionStrategies.fieldAccessors",
      answers: [
        ("idiomatic", .mapped, "Properties have the response keys as their names."),
        ("default", .mapped, "Properties have the response keys as their names."),
        (
          "camelCase", .manual,
          "Properties have the response keys as their names: `first_name` is `first_name`. An alias in the document gives another one: `firstName: first_name`."
        ),
      ]),
    Option(
      key: "conversionStrategies.inputObjects",
      answers: [
        (
          "camelCase", .manual,
          "Properties of input objects have the names of the schema: `first_name` stays `first_name`."
        ),
        ("none", .mapped, "Properties of input objects have the names of the schema."),
      ]),
    Option(
      key: "apqs",
      answers: [
        ("disabled", .mapped, "Operations have their texts."),
        ("automaticallyPersist", .mapped, Self.automatic),
        ("persistedOperationsOnly", .mapped, Self.idsOnly),
      ]),
  ]

  private static let flags: [(key: String, whenSet: MigrationNote.Kind, text: String)] = [
    (
      "cocoapodsCompatibleImportStatements", .manual,
      "There is no set-up for CocoaPods: RelayStore is a Swift package."
    ),
    (
      "pruneGeneratedFiles", .mapped,
      "Generated files that are no longer needed are always removed."
    ),
    ("markOperationDefinitionsAsFinal", .mapped, "Operations are structs."),
    (
      "appendSchemaTypeFilenameSuffix", .mapped,
      "All types of the schema are in one file, Schema.graphql.swift."
    ),
    ("reduceGeneratedSchemaTypes", .mapped, "Only types that documents use are generated."),
    ("markTypesNonisolated", .mapped, "Generated types are always nonisolated."),
  ]

  private static let automatic =
    "\"persistConfig\" with \"includeQueryText\": generated operations have an id and a text. Send ids by `HTTPTransport(url: url).persistingQueries()` of RelayNetwork."
  private static let idsOnly =
    "\"persistConfig\" without texts: generated operations have an id only. Register the manifest of `relay-compiler operations --format apollo` with the server."

  /// Reads `options`, and notes what becomes of each.
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
        "Every generated struct has a memberwise initializer; it costs nothing where it is not called."
      )
    }
    try read(customization: options)
    try read(namingRules: options)
    let known = Self.choices.map { $0.key.prefix { $0 != "." } }.map(String.init)
    try noteUnknown(
      in: options,
      known: Set(
        known + Self.flags.map(\.key) + [
          "operationDocumentFormat", "selectionSetInitializers", "schemaCustomization",
          "additionalInflectionRules", "additionalCapitalizationRules",
        ]))
  }

  private mutating func read(choices options: LocatedJSON) throws(ConfigurationError) {
    for option in Self.choices {
      var place: LocatedJSON? = options
      for key in option.key.split(separator: ".") { place = try place?.member(String(key)) }
      guard let place else { continue }
      let value = try place.string(among: option.answers.map(\.value))
      for answer in option.answers where answer.value == value {
        note(answer.kind, of: place, answer.text)
      }
      if option.key == "apqs", value != "disabled" {
        setDocumentFormat(hasIDs: true, hasTexts: value == "automaticallyPersist")
      }
    }
  }

  private mutating func read(namingRules options: LocatedJSON) throws(ConfigurationError) {
    if let rules = options["additionalInflectionRules"] {
      for rule in try rules.elements() { _ = try rule.members() }
      note(.mapped, of: rules, "Names are not put into the singular, so no rule is needed.")
    }
    if let rules = options["additionalCapitalizationRules"] {
      for rule in try rules.elements() { _ = try rule.members() }
      note(
        try rules.elements().isEmpty ? .mapped : .manual, of: rules,
        "Names keep the capital letters that they have in the schema and the documents.")
    }
  }

  private mutating func read(flags options: LocatedJSON) throws(ConfigurationError) {
    for (key, kind, text) in Self.flags {
      guard let place = options[key] else { continue }
      note(try place.boolean() ? kind : .mapped, of: place, text)
    }
  }

  private mutating func read(documentFormat: LocatedJSON) throws(ConfigurationError) {
    var formats: Set<String> = []
    for element in try documentFormat.elements() {
      formats.insert(try element.string(among: ["definition", "operationId"]))
    }
    if formats.isEmpty { throw documentFormat.error("has no format.") }
    let hasIDs = formats.contains("operationId")
    setDocumentFormat(hasIDs: hasIDs, hasTexts: formats.contains("definition"))
    let text =
      !hasIDs
      ? "Operations have their texts." : formats.count == 2 ? Self.automatic : Self.idsOnly
    note(.mapped, of: documentFormat, text)
  }

  private mutating func read(customization options: LocatedJSON) throws(ConfigurationError) {
    guard let names = try options.member("schemaCustomization")?.member("customTypeNames") else {
      return
    }
    for (name, place) in try names.members() {
      note(
        .manual, of: place,
        "Types of the schema keep their names. `typealias` gives \(MigrationNote.code(name)) a second one."
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
        "Operation texts have one form, without a compatible one for safelists.")
    }
    if let nullability = features["clientControlledNullability"] {
      let isSet = try nullability.boolean()
      if isSet { allowNullabilityOperators() }
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
