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
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
  }

  package let workspace = Workspace()
  /// What is wrong, by file and place.
  package private(set) var diagnostics: [Diagnostic] = []
  /// The generated files in the order of the sources; empty when there are errors.
  package private(set) var files: [GeneratedFile] = []

  /// The sources of the schema's client extensions.
  private var clientSources: Set<SourceID> = []
  /// By source: the file its definitions are generated into.
  private var origins: [SourceID: Int] = [:]

  /// Compiles sources against a schema.
  ///
  /// - Parameter extensions: Types and fields that only the client knows.
  package init(
    sources: [SourceFile], schema schemaTexts: [Source], extensions: [Source] = [],
    options: EmissionOptions = .init()
  ) {
    let schema = readSchema(schemaTexts, extensions: extensions)
    let documents = sources.indices.flatMap { read(sources[$0], index: $0) }
    if !diagnostics.hasErrors { diagnostics += schema.validate(documents, mode: .relay) }
    if !diagnostics.hasErrors { diagnostics += Checks.diagnostics(for: documents, schema: schema) }
    if !diagnostics.hasErrors {
      let program = Lowering.program(
        of: documents, schema: schema, clientSources: clientSources)
      emit(program, sources: sources, options: options)
    }
    diagnostics = diagnostics.sortedByPlace()
    if diagnostics.hasErrors { files = [] }
  }

  // MARK: Reading

  private mutating func readSchema(_ texts: [Source], extensions: [Source]) -> Schema {
    var documents: [Document] = []
    for (index, text) in (texts + extensions).enumerated() {
      let parsed = workspace.parse(text)
      diagnostics += parsed.diagnostics
      documents.append(parsed.document)
      if index >= texts.count { clientSources.insert(parsed.document.source) }
    }
    if diagnostics.hasErrors { return Schema.build(from: documents, in: workspace) }
    let validated = Schema.validated(from: documents, in: workspace, mode: .relay)
    diagnostics += validated.diagnostics
    return validated.schema
  }

  private mutating func read(_ file: SourceFile, index: Int) -> [Document] {
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

  private mutating func parse(_ source: Source, index: Int) -> Document {
    let parsed = workspace.parse(source)
    diagnostics += parsed.diagnostics
    origins[parsed.document.source] = index
    return parsed.document
  }

  // MARK: Emitting

  private mutating func emit(
    _ program: IR.Program, sources: [SourceFile], options: EmissionOptions
  ) {
    let pipeline = Pipeline(program, diagnostics: &diagnostics)
    if diagnostics.hasErrors { return }
    var used = UsedTypes(schema: program.schema)
    used.add(pipeline.reader)
    used.add(pipeline.normalization)
    let types = SwiftTypes(program: program, used: used, options: options)
    diagnostics += NameClashes.diagnostics(in: program, types: types)
    if diagnostics.hasErrors { return }
    let definitions = DefinitionEmitter(types: types, pipeline: pipeline)
    var printers = sources.map { GeneratedText(sourceName: $0.name, access: options.access) }
    for fragment in pipeline.reader.fragments {
      guard let index = origins[fragment.definition.span.source] else { continue }
      printers[index].add(at: fragment.definition.span) { definitions.emit(fragment, to: &$0) }
    }
    for operation in pipeline.reader.operations {
      guard let index = origins[operation.definition.span.source] else { continue }
      printers[index].add(at: operation.definition.span) { definitions.emit(operation, to: &$0) }
    }
    files = zip(sources, printers).map { GeneratedFile(name: $0.output, text: $1.text) }
    var shared = GeneratedText(sourceName: "the schema", access: options.access)
    let emitter = SharedTypesEmitter(types: types)
    // An import that nothing needs is a warning.
    shared.imports = (emitter.needsRuntime ? ["RelayStore"] : []) + types.importedModules
    shared.add(at: .none) { emitter.emit(to: &$0) }
    files.append(GeneratedFile(name: OutputNames.shared, text: shared.text))
  }
}
