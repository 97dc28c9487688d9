import GraphQLLanguage

/// One run of the compiler over texts in memory: no files are read or written.
package struct Compilation {
  /// A text to compile and the generated file it belongs to.
  package struct SourceFile {
    /// What diagnostics call it.
    package let path: String
    package let bytes: ContiguousArray<UInt8>
    /// The generated file's name.
    package let output: String

    package init(path: String, bytes: ContiguousArray<UInt8>, output: String) {
      self.path = path
      self.bytes = bytes
      self.output = output
    }

    /// The file's name without its folders.
    var name: String { OutputNames.fileName(of: path) }
  }

  package let workspace = Workspace()
  /// What is wrong, by file and place.
  package private(set) var diagnostics: [Diagnostic] = []
  /// The generated files in the order of the sources; empty when there are errors.
  package private(set) var files: [GeneratedFile] = []
  /// What is sent, by the operations' names.
  package private(set) var manifest: [PersistedOperation] = []
  /// Files of the project's own that declare its scalars, for those that have none yet.
  package private(set) var scalarFiles: [GeneratedFile] = []

  /// The schema and its document, where it is one text in which nothing is wrong.
  package private(set) var validSchema: (schema: Schema, document: Document)?

  /// The sources of the schema's client extensions.
  private var clientSources: Set<SourceID> = []
  /// By source: the file its definitions are generated into; other modules' have none.
  private var origins: [SourceID: Int] = [:]
  private let options: EmissionOptions
  private let makesFiles: Bool
  /// What was made on the way. It lives as long as the compilation, so that a process that ends with one need not take it
  /// apart first: that is a million small objects.
  private var intermediate: [any Sendable] = []

  /// Compiles sources against a schema.
  ///
  /// - Parameters:
  ///   - modules: Those whose fragments and types the sources may use, dependencies first.
  ///   - extensions: Types and fields that only the client knows.
  ///   - index: An index of the schema, by which only a part of it is read. With it any diagnostic means that
  ///     the whole schema must be used to find out what is wrong.
  ///   - makesManifest: Whether ``manifest`` is wanted.
  ///   - makesFiles: Whether ``files`` are wanted; without them everything is checked that is checked otherwise.
  ///   - warnings: What was noticed when the sources were read.
  package init(
    sources: [SourceFile], modules: [ImportedModule] = [], schema schemaTexts: [Source],
    extensions: [Source] = [], options: EmissionOptions = .init(), index: SchemaIndex? = nil,
    makesManifest: Bool = false, makesFiles: Bool = true, warnings: [Diagnostic] = []
  ) {
    diagnostics = warnings
    self.options = options
    self.makesFiles = makesFiles
    // Documents come first: an index is asked for the names in them.
    let documents = readDocuments(sources)
    let imported = ImportedDocuments(
      modules.map { module in
        (module, module.sources.flatMap { read($0, index: nil) })
      })
    let schema = readSchema(schemaTexts, extensions: extensions, index: index)
    validate(documents + imported.fragments, schema)
    if let whole = program(of: documents, imported.fragments, schema) {
      let program = imported.isEmpty ? whole : imported.used(of: whole) { origins[$0] != nil }
      emit(
        program, sources: sources,
        shared: imported.shared(
          with: program, module: options.module, schema: options.schemaModule),
        makesManifest: makesManifest)
    }
    diagnostics = diagnostics.sortedByPlace()
    if diagnostics.hasErrors { (files, manifest, scalarFiles) = ([], [], []) }
  }

  // MARK: Reading

  private mutating func readDocuments(_ sources: [SourceFile]) -> [Document] {
    var documents: [Document] = []
    for (index, source) in sources.enumerated() {
      let parsed = read(source, index: index)
      if options.requiresFileNamePrefix {
        diagnostics += FileNamePrefix.diagnostics(
          for: parsed, file: source.name, symbols: workspace.symbols)
      }
      documents += parsed
    }
    return documents
  }

  private mutating func readSchema(
    _ texts: [Source], extensions: [Source], index: SchemaIndex?
  ) -> Schema {
    let client = extensions.map { workspace.parse($0) }
    clientSources = Set(client.map(\.document.source))
    let server = schemaTexts(texts, index: index).map { workspace.parseSchema($0) }
    let documents = (server + client).map(\.document)
    let found = (server + client).flatMap(\.diagnostics)
    diagnostics += found
    if found.hasErrors || index != nil { return Schema.build(from: documents, in: workspace) }
    let validated = Schema.validated(
      from: documents, in: workspace, mode: .relay,
      servers: options.isSchemaStrict ? [] : Set(server.map(\.document.source)))
    diagnostics += validated.diagnostics
    // An index is of text: what was read from introspection stands nowhere.
    if found.isEmpty, validated.diagnostics.isEmpty, server.count == 1,
      validated.schema.queryType?.definition.span.isKnown == true
    {
      validSchema = (validated.schema, server[0].document)
    }
    return validated.schema
  }

  /// The schema's texts, or the part of them that all names read so far can touch.
  private func schemaTexts(_ texts: [Source], index: SchemaIndex?) -> [Source] {
    guard let index else { return texts }
    let symbols = workspace.symbols
    var names = (0..<symbols.count).map { symbols[Symbol(index: UInt32($0))] }
    names += options.keyFields.flatMap { [$0.key] + $0.value }
    return [Source(path: texts.first?.path ?? "", bytes: index.part(for: names))]
  }

  /// - Parameter index: The generated file; `nil` for another module's sources.
  private mutating func read(_ file: SourceFile, index: Int?) -> [Document] {
    if !file.path.hasSuffix(".swift") {
      return [parse(Source(path: file.path, bytes: file.bytes), index: index)]
    }
    let scanned = TagScanner.scan(file.bytes)
    if !scanned.errors.isEmpty {
      let source = workspace.add(Source(path: file.path, bytes: file.bytes))
      diagnostics += scanned.errors.map { error in
        let offset = UInt32(truncatingIfNeeded: error.offset)
        return Diagnostic(
          rule: "graphql-tag", message: error.message,
          at: Span(start: offset, end: offset + 1, source: source))
      }
    }
    return scanned.tags.map { tag in
      parse(
        Source(
          path: file.path, bytes: tag.document, origin: .init(bytes: file.bytes, map: tag.places)),
        index: index)
    }
  }

  private mutating func parse(_ source: Source, index: Int?) -> Document {
    let parsed = workspace.parse(source)
    diagnostics += parsed.diagnostics
    if let index { origins[parsed.document.source] = index }
    return parsed.document
  }

  // MARK: Understanding

  private mutating func validate(_ documents: [Document], _ schema: Schema) {
    intermediate += [documents, schema]
    if diagnostics.hasErrors { return }
    // Warnings about another module's sources are that module's.
    diagnostics += schema.validate(documents, mode: .relay).filter {
      $0.severity == .error || origins[$0.primary.source] != nil
    }
    if !diagnostics.hasErrors { diagnostics += Checks.diagnostics(for: documents, schema: schema) }
  }

  /// What the documents mean; `nil` where there are errors.
  private mutating func program(
    of documents: [Document], _ imported: [Document], _ schema: Schema
  ) -> IR.Program? {
    if diagnostics.hasErrors { return nil }
    let refetch = refetchQueries(documents, imported, schema: schema)
    var program = Lowering.program(
      of: documents + imported + refetch, schema: schema, clientSources: clientSources)
    program.keyFields = KeyFields(options.keyFields, schema: schema, diagnostics: &diagnostics)
    diagnostics += KeyAliasChecks.diagnostics(
      for: documents, schema: schema, keys: program.keyFields)
    if !clientSources.isEmpty { diagnostics += DerivedChecks.diagnostics(in: program) }
    return diagnostics.hasErrors ? nil : program
  }

  /// The queries that `@refetchable` asks for, generated into the files of their fragments.
  private mutating func refetchQueries(
    _ documents: [Document], _ imported: [Document], schema: Schema
  ) -> [Document] {
    let made = RefetchQueries(documents, imported: imported, schema: schema)
    diagnostics += made.diagnostics
    return made.queries.map { $0.document(in: workspace) }
  }

  // MARK: Emitting

  private mutating func emit(
    _ program: IR.Program, sources: [SourceFile], shared modules: SharedModules,
    makesManifest: Bool
  ) {
    let pipeline = Pipeline(program, diagnostics: &diagnostics)
    intermediate.append(pipeline)
    if diagnostics.hasErrors { return }
    var used = UsedTypes(schema: program.schema)
    used.add(pipeline.reader)
    used.add(pipeline.normalization)
    if !modules.isEmpty || options.module != nil { used.addLeaves(of: program) }
    if let module = options.schemaModule, module == options.module { used.addAll() }
    let types = SwiftTypes(program: program, used: used, options: options, modules: modules)
    diagnostics += NameClashes.diagnostics(in: program, types: types)
    if diagnostics.hasErrors || !makesFiles { return }
    let definitions = DefinitionEmitter(types: types, pipeline: pipeline)
    files = print(definitions, pipeline, sources) + [sharedTypes(types)]
    if makesManifest { manifest = definitions.manifest }
    scalarFiles = types.used.customScalars
      .filter { types.declaredScalars.contains($0.id) }
      .filter { !options.declaredScalars.contains(program.schema.name(of: $0.id)) }
      .map { ScalarFile.file(for: $0, types: types) }
  }

  /// Each source's file.
  private func print(
    _ definitions: DefinitionEmitter, _ pipeline: Pipeline, _ sources: [SourceFile]
  ) -> [GeneratedFile] {
    var printers = sources.map { GeneratedText(sourceName: $0.name, access: options.access) }
    for fragment in pipeline.reader.fragments {
      guard let index = origins[fragment.definition.span.source] else { continue }
      printers[index].add(
        at: fragment.definition.span, modules: definitions.modules(of: fragment)
      ) { definitions.emit(fragment, to: &$0) }
    }
    for operation in pipeline.reader.operations {
      guard let index = origins[operation.definition.span.source] else { continue }
      printers[index].add(
        at: operation.definition.span, modules: definitions.modules(of: operation)
      ) { definitions.emit(operation, to: &$0) }
    }
    return zip(sources, printers).compactMap { source, text in
      // The command makes files of scalars itself: what it generates must not depend on whether they are there already.
      let isOfScalar = options.makesScalarFiles && ScalarFile.scalar(ofFile: source.path) != nil
      return isOfScalar && text.isEmpty
        ? nil : GeneratedFile(name: source.output, content: text.text)
    }
  }

  /// The file of the types that all sources share.
  private func sharedTypes(_ types: SwiftTypes) -> GeneratedFile {
    var shared = GeneratedText(sourceName: "the schema", access: options.access)
    let emitter = SharedTypesEmitter(types: types)
    // An import that nothing needs is a warning.
    shared.importsSPI = false
    shared.imports = (emitter.needsRuntime ? ["RelayStore"] : []) + types.importedModules
    shared.add(at: .none) { emitter.emit(to: &$0) }
    return GeneratedFile(name: OutputNames.shared, content: shared.text)
  }
}
