import GraphQLLanguage
import RelayCompiler

/// The `relay.config.json` of an imported project.
struct ImportedConfiguration {
  /// The folder of the documents, next to the configuration.
  static let documentFolder = "graphql"

  /// The configured options that matter for errors.
  private(set) var options: EmissionOptions
  private(set) var notes: [MigrationNote] = []
  private let apollo: ApolloConfiguration
  private let hasClientSchema: Bool

  /// Creates a configuration from Apollo's configuration and schema.
  ///
  /// - Parameter schema: The schema that must have the key fields.
  init(_ apollo: ApolloConfiguration, _ files: ApolloSchema, schema: Schema) {
    self.apollo = apollo
    hasClientSchema = !files.clientText.isEmpty
    options = EmissionOptions(access: apollo.accessLevel == "public" ? "public" : "")
    for (type, fields, place) in files.keyFields {
      setKeyFields(fields, of: type, at: place, in: schema)
    }
    setIDs(in: schema)
    notes.add(
      .manual, at: "", of: "cache keys",
      "Objects without \"keyFields\" are identified by `id` alone, so it must be unique across all types; Apollo's keys start with the type's name. Where ids of two types can be equal, name `id` in \"keyFields\" for them."
    )
    setSchemaName()
  }

  /// Copies the types of custom scalars.
  mutating func setScalars(_ scalars: ApolloScalars) {
    options.customScalarTypes = scalars.types
    notes += scalars.notes
  }

  private mutating func setKeyFields(
    _ fields: [String], of name: String, at place: String, in schema: Schema
  ) {
    let subject = "@typePolicy(keyFields: \"\(fields.joined(separator: " "))\") on \(name)"
    let type = schema.type(named: name)
    let missing = fields.first { field in
      guard let found = type?.fields[named: schema.symbols.intern(field)] else { return true }
      return !schema[found.type.named].isLeaf || found.type.isList
        || found.arguments.contains(where: \.isRequired)
    }
    if let missing {
      return notes.add(
        .manual, at: place, of: subject,
        "Left out: \(MigrationNote.code(missing)) is not a scalar field of it.")
    }
    options.keyFields[name] = fields
    notes.add(
      .mapped, at: place, of: subject,
      "\"keyFields\" in relay.config.json. The fields are added to operations by the compiler.")
  }

  /// Sets up ids for objects whose `id` is not of type `ID`, matching Apollo's keys.
  private mutating func setIDs(in schema: Schema) {
    let ids = IDSettings(schema, others: options.keyFields)
    options.idScalars = ids.idScalars
    options.keyFields.merge(ids.keyFields) { own, _ in own }
    for member in ids.members {
      notes.add(
        .mapped, at: "", of: "`id` of other types than `ID`",
        "\"\(member.key)\" in relay.config.json: \(MigrationNote.code("\(member.value)")). Remove entries that do not identify objects."
      )
    }
  }

  /// Reuses the namespace as the name of the enum of scalars, unless a module has that name.
  private mutating func setSchemaName() {
    let name = SwiftName.upperFirst(apollo.namespace.value)
    let place = "\(apollo.file):\(apollo.namespace.line)"
    let subject = "schemaNamespace: \(apollo.namespace.value)"
    if apollo.moduleType == .embeddedInTarget, name.isGraphQLName,
      !SwiftName.belongsToSchema(name)
    {
      options.schemaName = name
      return notes.add(
        .mapped, at: place, of: subject,
        "\"schemaName\": the enum of the scalars. Enums and inputs are at file scope: `\(name).Episode` is `Episode`."
      )
    }
    notes.add(
      .manual, at: place, of: subject,
      "No module or namespace has this name: scalars are in the enum `Schema`, other types at file scope. Remove its `import` and prefix in Swift."
    )
  }

  /// Returns the contents of the file. It sets no directory for generated files, because the
  /// build-tool plugin chooses one.
  ///
  /// - Parameter documents: The paths of the documents next to the configuration.
  func text(documents: [String]) -> String {
    var members: [(String, InputValue)] = [("schema", .string("schema.graphql"))]
    if hasClientSchema {
      members.append(("schemaExtensions", .list([.string("client.graphql")])))
    }
    members.append(("src", .string(".")))
    let excludes = Configuration.defaultExcludes.map(PathPattern.init)
    if documents.contains(where: { document in excludes.contains { $0.matches(document) } }) {
      members.append(("excludes", .list([])))
    }
    if options.schemaName != "Schema" {
      members.append(("schemaName", .string(options.schemaName)))
    }
    members.append(("accessLevel", .string(apollo.accessLevel)))
    func add(_ key: String, _ values: [String: InputValue]) {
      if values.isEmpty { return }
      let sorted = values.sorted { $0.key < $1.key }.map { InputValue.Member($0.key, $0.value) }
      members.append((key, .object(sorted)))
    }
    add("customScalarTypes", options.customScalarTypes.mapValues { .string($0) })
    if !options.idScalars.isEmpty {
      members.append(("idScalars", .list(options.idScalars.map { .string($0) })))
    }
    add(
      "keyFields",
      options.keyFields.mapValues { fields in
        fields.count == 1 ? .string(fields[0]) : .list(fields.map { .string($0) })
      })
    if apollo.documentFormat.hasIDs {
      let persisted: [InputValue.Member] = [
        .init("file", .string("operations.json")),
        .init("includeQueryText", .boolean(apollo.documentFormat.hasTexts)),
      ]
      members.append(("persistConfig", .object(persisted)))
    }
    let lines = members.map { "  \"\($0)\": \($1)" }.joined(separator: ",\n")
    return "{\n\(lines)\n}\n"
  }
}
