import GraphQLLanguage

/// The generated Swift files and the manifest of operations: the last stage.
package struct EmittedFiles {
  /// The files in the order of the sources, followed by the shared types file.
  package private(set) var files: [GeneratedFile] = []
  private(set) var manifest: [PersistedOperation] = []
  package private(set) var scalarFiles: [GeneratedFile] = []
  private let parsed: ParsedSources
  private let options: EmissionOptions
  private let shared: SharedModules

  /// - Parameter used: The types used by the entire module, if only some of its files are compiled.
  package init(
    _ lowered: LoweredProgram, transformed: TransformedPrograms, input: CompilationInput,
    used: UsedTypes? = nil, diagnostics: inout [Diagnostic]
  ) {
    parsed = lowered.validated.parsed
    options = input.options
    shared = lowered.shared
    let types = types(of: transformed, lowered, used: used)
    diagnostics += NameClashes.diagnostics(in: lowered.program, types: types)
    if diagnostics.hasErrors || !input.makesFiles { return }
    let definitions = DefinitionEmitter(types: types, programs: transformed)
    files = print(definitions, of: transformed) + [sharedTypes(types)]
    if input.makesManifest { manifest = definitions.manifest }
    scalarFiles = types.used.customScalars
      .filter { types.declaredScalars.contains($0.id) }
      .filter { !options.declaredScalars.contains(types.schema.name(of: $0.id)) }
      .map { ScalarFile.file(for: $0, types: types) }
  }

  /// Returns the Swift names of a program's types and definitions.
  ///
  /// - Parameter used: The types used by the entire module, if the program covers only some of its
  ///   files.
  func types(
    of transformed: TransformedPrograms, _ lowered: LoweredProgram, used: UsedTypes? = nil
  ) -> SwiftTypes {
    let used = used ?? lowered.usedTypes(of: transformed, options)
    return SwiftTypes(
      program: lowered.program, used: used, options: options, modules: shared)
  }

  /// Returns the generated file of each source.
  private func print(_ definitions: DefinitionEmitter, of programs: TransformedPrograms)
    -> [GeneratedFile]
  {
    var printers = parsed.files.map {
      GeneratedFileBuilder(sourceName: $0.file.name, access: options.access)
    }
    for fragment in programs.reader.fragments {
      guard let index = parsed.origins[fragment.definition.span.source] else { continue }
      printers[index].add(
        at: fragment.definition.span, modules: definitions.modules(of: fragment)
      ) { definitions.emit(fragment, to: &$0) }
    }
    for operation in programs.reader.operations {
      guard let index = parsed.origins[operation.definition.span.source] else { continue }
      printers[index].add(
        at: operation.definition.span, modules: definitions.modules(of: operation)
      ) { definitions.emit(operation, to: &$0) }
    }
    return zip(parsed.files, printers).compactMap { parsed, text in
      let source = parsed.file
      // The command creates a scalar file once and never overwrites it. Without documents it gets
      // no generated file, so that creating it does not change the output.
      let isOfScalar =
        options.makesScalarFiles && ScalarFile.scalar(ofFile: source.path) != nil
      return isOfScalar && text.isEmpty
        ? nil : GeneratedFile(name: source.output, content: text.text)
    }
  }

  /// Returns the file with the types shared by all sources.
  private func sharedTypes(_ types: SwiftTypes) -> GeneratedFile {
    var shared = GeneratedFileBuilder(sourceName: "the schema", access: options.access)
    let emitter = SharedTypesEmitter(types: types)
    shared.imports = types.importedModules
    shared.privateImports = types.modulesOfLeaves
    switch emitter.runtimeUse {
    case .none: break
    case .format: shared.privateImports = ["RelayStore"]
    case .types: shared.imports.insert("RelayStore", at: 0)
    }
    shared.add(at: .none) { emitter.emit(to: &$0) }
    return GeneratedFile(name: OutputNames.shared, content: shared.text)
  }
}
