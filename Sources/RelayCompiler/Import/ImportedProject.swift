import GraphQLLanguage

/// An Apollo project translated to one of RelayStore, in memory.
struct ImportedProject {
  /// The number of times that names are given in order to be free of clashes.
  private static let roundLimit = 8

  private let project: ApolloProject
  private let places: ImportPlaces
  private let apollo: ApolloSchema
  private var rewriter: DocumentRewriter
  private var options: EmissionOptions
  private var policies: FieldPolicyFile
  private var scalars = ApolloScalars([], files: [:])
  /// The paths of the documents in the output folder.
  private let documentNames: [String]
  private var notes: [MigrationNote] = []
  private(set) var compilation: Compilation

  init(_ project: ApolloProject) {
    self.project = project
    let workspace = project.workspace
    places = ImportPlaces(workspace, prefix: project.prefix)
    apollo = ApolloSchema(
      project.schemas, uses: FieldUses(project.documents, symbols: workspace.symbols),
      symbols: workspace.symbols, places: places)
    let schema = Schema.build(from: project.schemas.map(\.document), in: workspace)
    rewriter = DocumentRewriter(
      project.documents, schema: schema, workspace: workspace, places: places)
    let folder = project.documentFolder
    documentNames = project.documentPaths.map {
      let path = "graphql/" + ApolloProject.relative($0, to: folder)
      return path.hasSuffix(".graphql") || path.hasSuffix(".gql") ? path : path + ".graphql"
    }
    options = EmissionOptions(
      access: project.configuration.accessLevel == "public" ? "public" : "")
    policies = FieldPolicyFile([], schema: schema, keyFields: [:])
    compilation = Compiler.compile(CompilationInput(sources: [], schema: []))
    setKeyFields(in: schema)
    policies = FieldPolicyFile(
      apollo.fieldPolicies, schema: schema, keyFields: options.keyFields)
    setSchemaName()
    compilation = compiled()
    renameClashes()
    scalars = ApolloScalars(usedScalars, files: project.scalarFiles())
  }

  /// The names of the custom scalars that documents use; of all of them, if the documents have errors.
  private var usedScalars: [String] {
    let schema = compilation.stages.validated.schema
    if let types = compilation.stages.types {
      return types.used.customScalars.map { schema.name(of: $0.id) }
    }
    let all = schema.types.filter { $0.kind == .scalar }.map { schema.name(of: $0.id) }
    return all.filter { SwiftTypes.builtIn[$0] == nil }
  }

  // MARK: Configuration

  /// Takes over key fields that the schema has.
  private mutating func setKeyFields(in schema: Schema) {
    for (name, fields, place) in apollo.keyFields {
      let subject = "@typePolicy(keyFields: \"\(fields.joined(separator: " "))\") on \(name)"
      let type = schema.type(named: name)
      let missing = fields.first { field in
        guard let found = type?.fields[named: schema.symbols.intern(field)] else { return true }
        return !schema[found.type.named].isLeaf || found.type.isList
          || found.arguments.contains(where: \.isRequired)
      }
      if let missing {
        notes.append(
          MigrationNote(
            .manual, at: place, subject,
            "Left out: \(MigrationNote.code(missing)) is no scalar field of it."))
        continue
      }
      options.keyFields[name] = fields
      notes.append(
        MigrationNote(
          .mapped, at: place, subject,
          "\"keyFields\" in relay.config.json. The fields are added to operations by the compiler.")
      )
    }
    notes.append(
      MigrationNote(
        .manual, at: "", "cache keys",
        "Objects of other types are identified by `id`, which has to be unique over all types; Apollo's keys begin with the type's name. Where ids of two types can be equal, name `id` in \"keyFields\" for them."
      ))
  }

  /// Takes over the namespace as the name of the enum of scalars, unless it is that of a module.
  private mutating func setSchemaName() {
    let namespace = project.configuration.namespace
    let name = SwiftName.upperFirst(namespace.value)
    let place = "\(project.configuration.file):\(namespace.line)"
    let subject = "schemaNamespace: \(namespace.value)"
    if project.configuration.moduleType == .embeddedInTarget, name.isGraphQLName,
      !SwiftName.belongsToSchema(name)
    {
      options.schemaName = name
      return notes.append(
        MigrationNote(
          .mapped, at: place, subject,
          "\"schemaName\": the enum of the scalars. Enums and inputs are at file scope: `\(name).Episode` is `Episode`."
        ))
    }
    notes.append(
      MigrationNote(
        .manual, at: place, subject,
        "It was the name of a module, and there is none: scalars are in the enum `Schema`, other types at file scope. Remove `import \(name)` and `\(name).` in Swift."
      ))
  }

  // MARK: Compilation

  private var sources: [CompilationInput.SourceFile] {
    zip(documentNames, project.documents).map { name, document in
      CompilationInput.SourceFile(
        path: name, bytes: ContiguousArray(rewriter.text(of: document.source).utf8), output: name)
    }
  }

  private func compiled() -> Compilation {
    let client =
      apollo.clientText.isEmpty
      ? [] : [Source(path: "client.graphql", apollo.clientText)]
    return Compiler.compile(
      CompilationInput(
        sources: sources, schema: [Source(path: "schema.graphql", apollo.serverText)],
        extensions: client, options: options, makesFiles: false))
  }

  /// Renames definitions until no two have the same Swift type.
  private mutating func renameClashes() {
    for _ in 0..<Self.roundLimit {
      let clashes = compilation.diagnostics.filter { $0.rule == "swift-names" }
      var renamed = false
      for clash in clashes {
        // Fragments rather than operations: servers log the names of operations.
        let definitions = clash.locations.compactMap(definition(at:))
        guard let one = definitions.first(where: \.isFragment) ?? definitions.first,
          rewriter.rename(
            one.name, isFragment: one.isFragment,
            because: "its Swift type would have the name of another one") != nil
        else { continue }
        renamed = true
      }
      if !renamed { return }
      compilation = compiled()
    }
  }

  /// The operation or fragment whose name is at a span.
  private func definition(at span: Span) -> (name: String, isFragment: Bool)? {
    guard let source = compilation.workspace[span.source], source.path != "schema.graphql",
      source.path != "client.graphql"
    else { return nil }
    let head = String(decoding: source.bytes[..<Int(span.start)], as: UTF8.self)
    let name = source.bytes[Int(span.start)..<Int(span.end)]
    return (
      String(decoding: name, as: UTF8.self),
      head.split(whereSeparator: \.isWhitespace).last == "fragment"
    )
  }

  // MARK: Results

  /// The files to write, by their paths in the output folder, without the report.
  var files: [(path: String, text: String)] {
    var result = [("relay.config.json", configurationText), ("schema.graphql", apollo.serverText)]
    if !apollo.clientText.isEmpty { result.append(("client.graphql", apollo.clientText)) }
    if !policies.handlers.isEmpty {
      result.append(
        (FieldPolicyFile.fileName, policies.text(access: project.configuration.accessLevel)))
    }
    result += sources.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) }
    return result
  }

  private var configurationText: String {
    var members: [(String, InputValue)] = [("schema", .string("schema.graphql"))]
    if !apollo.clientText.isEmpty {
      members.append(("schemaExtensions", .list([.string("client.graphql")])))
    }
    members += [("src", .string(".")), ("artifactDirectory", .string("__generated__"))]
    if options.schemaName != "Schema" {
      members.append(("schemaName", .string(options.schemaName)))
    }
    members.append(("accessLevel", .string(project.configuration.accessLevel)))
    if !scalars.types.isEmpty {
      let types = scalars.types.sorted { $0.key < $1.key }
      members.append(
        ("customScalarTypes", .object(types.map { .init($0.key, .string($0.value)) })))
    }
    if !options.keyFields.isEmpty {
      let keys = options.keyFields.sorted { $0.key < $1.key }.map { name, fields in
        InputValue.Member(
          name, fields.count == 1 ? .string(fields[0]) : .list(fields.map { .string($0) }))
      }
      members.append(("keyFields", .object(keys)))
    }
    let format = project.configuration.documentFormat
    if format.hasIDs {
      members.append(
        (
          "persistConfig",
          .object([
            .init("file", .string("operations.json")),
            .init("includeQueryText", .boolean(format.hasTexts)),
          ])
        ))
    }
    let lines = members.map { "  \"\($0)\": \($1)" }.joined(separator: ",\n")
    return "{\n\(lines)\n}\n"
  }

  /// The report, without the paths of the files.
  var report: MigrationReport {
    var report = MigrationReport()
    var code = ApolloSwiftCode()
    for file in project.swiftFiles { code.scan(file.bytes, at: file.path) }
    report.notes =
      project.configuration.notes + project.notes + notes + apollo.notes + policies.notes
      + scalars.notes + rewriter.notes + code.notes
    report.typeNames = typeNames
    report.diagnostics = DiagnosticRenderer(compilation.workspace).text(compilation.diagnostics)
    return report
  }

  /// The definitions whose Swift types are called otherwise than Apollo's.
  private var typeNames: [MigrationReport.TypeName] {
    let symbols = project.workspace.symbols
    return project.documents.flatMap(\.definitions).compactMap { definition in
      switch definition {
      case .operation(let operation):
        guard let name = operation.name else { return nil }
        let text = symbols[name.symbol]
        let kind = operation.operation.rawValue
        let isLocal = operation.directives.isLocal(in: symbols)
        if isLocal, operation.operation != .query { return nil }
        return typeName(
          SwiftName.apollo(
            text, suffix: isLocal ? "LocalCacheMutation" : SwiftName.upperFirst(kind)),
          SwiftName.operation(rewriter.newName(of: text, isFragment: false), kind: kind),
          at: name.span)
      case .fragment(let fragment):
        let text = symbols[fragment.name.symbol]
        return typeName(
          SwiftName.upperFirst(text),
          SwiftName.definition(rewriter.newName(of: text, isFragment: true)),
          at: fragment.name.span)
      default: return nil
      }
    }
  }

  private func typeName(_ apollo: String, _ own: String, at span: Span)
    -> MigrationReport.TypeName?
  {
    apollo == own
      ? nil : MigrationReport.TypeName(place: places.place(of: span), apollo: apollo, own: own)
  }
}

extension SwiftName {
  /// The name of an operation's type in Apollo's generated code.
  fileprivate static func apollo(_ name: String, suffix: String) -> String {
    upperFirst(name.hasSuffix(suffix) ? name : name + suffix)
  }
}
