import GraphQLLanguage
import RelayCompiler

/// An Apollo project translated into a RelayStore project, in memory.
struct ImportedProject {
  /// The largest number of rounds of renaming to resolve clashes.
  private static let roundLimit = 8
  private let project: ApolloProject
  private let places: ImportPlaces
  private let apollo: ApolloSchema
  private let policies: FieldPolicyFile
  private var configuration: ImportedConfiguration
  private var rewriter: DocumentRewriter
  /// The paths of the documents in the output folder.
  private let documentNames: [String]
  /// The compilation of the imported files, without generated code.
  private(set) var compilation: Compilation

  init(_ project: ApolloProject) {
    self.project = project
    let workspace = project.workspace
    places = ImportPlaces(workspace, prefix: project.prefix)
    let documents = project.documents.filter { project.syntaxErrors[$0.source] == nil }
    let uses = FieldUses(documents, symbols: workspace.symbols)
    apollo = ApolloSchema(
      project.schemas, uses: uses, symbols: workspace.symbols, places: places)
    let schema = Schema.build(from: project.schemas.map(\.document), in: workspace)
    configuration = ImportedConfiguration(project.configuration, apollo, schema: schema)
    policies = FieldPolicyFile(
      apollo.fieldPolicies, schema: schema, keyFields: configuration.options.keyFields)
    rewriter = DocumentRewriter(
      documents, schema: schema, workspace: workspace, places: places)
    let folder = project.documentFolder
    documentNames = project.documentPaths.map {
      let path = ImportedConfiguration.documentFolder + "/" + relativePath($0, from: folder)
      return path.hasSuffix(".graphql") || path.hasSuffix(".gql") ? path : path + ".graphql"
    }
    let sources = Self.sources(named: documentNames, project, rewriter)
    compilation = Self.compile(sources, apollo, options: configuration.options)
    renameClashes()
    configuration.setScalars(ApolloScalars(usedScalars, files: project.scalarFiles()))
  }

  // MARK: Compilation

  private var sources: [CompilationInput.SourceFile] {
    Self.sources(named: documentNames, project, rewriter)
  }

  /// The rewritten documents. A document with a syntax error is left unchanged.
  private static func sources(
    named names: [String], _ project: ApolloProject, _ rewriter: DocumentRewriter
  ) -> [CompilationInput.SourceFile] {
    zip(names, project.documents).map { name, document in
      let bytes =
        project.syntaxErrors[document.source] == nil
        ? ContiguousArray(rewriter.text(of: document.source).utf8)
        : project.workspace[document.source]?.fileBytes ?? []
      return CompilationInput.SourceFile(path: name, bytes: bytes, output: name)
    }
  }

  private static func compile(
    _ sources: [CompilationInput.SourceFile], _ schema: ApolloSchema, options: EmissionOptions
  ) -> Compilation {
    let client =
      schema.clientText.isEmpty ? [] : [Source(path: "client.graphql", schema.clientText)]
    return Compiler.compile(
      CompilationInput(
        sources: sources, schema: [Source(path: "schema.graphql", schema.serverText)],
        extensions: client, options: options, makesFiles: false))
  }

  /// The names of the custom scalars that documents use; all custom scalars if the documents have
  /// errors.
  private var usedScalars: [String] {
    let schema = compilation.stages.validated.schema.schema
    if let types = compilation.stages.types {
      return types.used.customScalars.map { schema.name(of: $0.id) }
    }
    let all = schema.types.filter { $0.kind == .scalar }.map { schema.name(of: $0.id) }
    return all.filter { SwiftTypes.builtIn[$0] == nil }
  }

  /// Renames definitions until no two have the same Swift type.
  private mutating func renameClashes() {
    for _ in 0..<Self.roundLimit {
      let clashes = compilation.diagnostics.filter { $0.rule == "swift-names" }
      var isRenamed = false
      for clash in clashes {
        // Prefer to rename fragments: servers log the names of operations.
        let definitions = clash.locations.compactMap(definition(at:))
        guard let one = definitions.first(where: \.isFragment) ?? definitions.first,
          rewriter.rename(
            one.name, isFragment: one.isFragment,
            because: "its Swift type would have the same name as another") != nil
        else { continue }
        isRenamed = true
      }
      if !isRenamed { return }
      compilation = Self.compile(sources, apollo, options: configuration.options)
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

  /// The files to write, by path in the output folder, without the report.
  var files: [(path: String, text: String)] {
    var result = [
      ("relay.config.json", configuration.text(documents: documentNames)),
      ("schema.graphql", apollo.serverText),
    ]
    if !apollo.clientText.isEmpty { result.append(("client.graphql", apollo.clientText)) }
    if !policies.handlers.isEmpty {
      result.append(
        (FieldPolicyFile.fileName, policies.text(access: project.configuration.accessLevel)))
    }
    result += sources.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) }
    return result
  }

  /// Returns the report about the files written to a folder.
  func report(on files: [String], in output: String) -> MigrationReport {
    var report = MigrationReport()
    let paths = files.map { output + "/" + $0 }
    report.files = files + [MigrationReport.fileName]
    report.notes =
      syntaxNotes + project.configuration.notes
      + project.searchPathNotes(writing: paths, to: output) + project.notes + configuration.notes
      + apollo.notes + policies.notes + rewriter.notes + project.swiftCode.notes
    report.typeNames = typeNames
    report.diagnostics = DiagnosticRenderer(compilation.workspace).text(compilation.diagnostics)
    return report
  }

  /// The notes on the documents with syntax errors.
  private var syntaxNotes: [MigrationNote] {
    project.documents.compactMap { document in
      guard let error = project.syntaxErrors[document.source] else { return nil }
      let help =
        project.configuration.allowsNullabilityOperators
        ? " The configuration allows `field!` and `field?`, which are not part of GraphQL." : ""
      return MigrationNote(
        kind: .manual, place: places.place(of: error.primarySpan), subject: "syntax error",
        text:
          "\(error.message) The document was copied unchanged, without translation. Correct it, and import again to another folder.\(help)"
      )
    }
  }

  /// The definitions whose Swift types have different names than Apollo's.
  private var typeNames: [MigrationReport.TypeName] {
    let symbols = project.workspace.symbols
    let documents = project.documents.filter { project.syntaxErrors[$0.source] == nil }
    return documents.flatMap(\.definitions).compactMap { definition in
      switch definition {
      case .operation(let operation):
        guard let name = operation.name else { return nil }
        let text = symbols[name.symbol]
        let kind = operation.operation.rawValue
        let isLocal = operation.directives.isLocal(in: symbols)
        if isLocal, operation.operation != .query { return nil }
        return typeName(
          operation.apolloTypeName(in: symbols) ?? text,
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

extension OperationDefinition {
  /// The name of the operation's type in Apollo's generated code; `nil` without a name.
  func apolloTypeName(in symbols: SymbolTable) -> String? {
    guard let name else { return nil }
    let text = symbols[name.symbol]
    let suffix =
      directives.isLocal(in: symbols)
      ? "LocalCacheMutation" : SwiftName.upperFirst(operation.rawValue)
    return SwiftName.upperFirst(text.hasSuffix(suffix) ? text : text + suffix)
  }
}
