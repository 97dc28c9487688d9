import Foundation
import GraphQLLanguage

/// A project's configuration, with the files named by it and by the arguments read into memory.
package struct Project {
  package let configuration: Configuration
  /// The sources to compile, with the configuration's options.
  package let input: CompilationInput
  /// All files of the configuration, when ``input`` has only the files of one module.
  private let allSources: SourceTree?

  /// Reads the project whose configuration ``configuration(_:or:)`` finds for the arguments.
  ///
  /// - Throws: ``FileError`` or ``ConfigurationError``.
  package init(_ options: CompileOptions, or alternative: String? = nil) throws {
    let configuration = try Self.configuration(options, or: alternative)
    try self.init(options, configuration, output: configuration.artifactDirectory)
  }

  /// Reads the schema, the sources, and the sources of other modules.
  ///
  /// - Parameters:
  ///   - output: The directory of the generated files.
  ///   - files: The access to the project's files.
  /// - Throws: ``FileError`` or ``ConfigurationError``.
  package init(
    _ options: CompileOptions, _ configuration: Configuration, output: URL?,
    files: FileAccess = .disk
  ) throws {
    var configuration = configuration
    configuration.findModules(options, files)
    configuration.emission.module = options.module ?? configuration.emission.module
    configuration.emission.isSchemaStrict = options.isSchemaStrict
    let schema = try files.source(configuration.schema)
    let extensions = try configuration.schemaExtensions.map(files.source)
    var sources: [CompilationInput.SourceFile] = []
    var warnings: [Diagnostic] = []
    if options.files.isEmpty {
      (sources, warnings) = try SourceTree(configuration, output: output).sources(files)
    } else {
      sources = try options.files.map {
        CompilationInput.SourceFile(
          path: $0.path, bytes: try files.read($0.path), output: $0.name)
      }
    }
    let modules = try Self.modules(options, configuration, files: files, warnings: &warnings)
    let isForeign = Self.foreignModules(of: modules, configuration, files)
    configuration.emission.declaredScalars = Self.declaredScalars(in: sources, output: output)
    try Self.checkScalars(configuration.emission)
    self.configuration = configuration
    allSources = options.files.isEmpty ? nil : SourceTree(configuration, output: output)
    var input = CompilationInput(
      sources: sources, modules: modules.map(\.module).filter { !isForeign.contains($0.name) },
      schema: [schema], extensions: extensions,
      options: configuration.emission,
      configuration: configuration.file.map {
        Source(path: files.shownPath($0.url), bytes: $0.bytes)
      }, warnings: warnings)
    input.foreignModules = modules.map(\.module).filter { isForeign.contains($0.name) }
    self.input = input
  }

  /// The module's Swift and GraphQL files.
  package var sources: [CompilationInput.SourceFile] { input.sources }

  /// Compiles the sources against the entire schema.
  package func compilation(makesManifest: Bool = false, makesFiles: Bool = true) -> Compilation {
    var input = input
    input.makesManifest = makesManifest
    input.makesFiles = makesFiles
    return withProgress("Compiling") { Compiler.compile(input) }
  }

  /// Compiles the sources against the schema subset selected by the cached index.
  ///
  /// If any diagnostic may depend on the schema, compiles again against the entire schema, because
  /// only that gives exact messages. Without a cached index, it compiles against the entire schema
  /// right away and caches an index if the schema is valid.
  func compilation(cache: SchemaCache?) -> Compilation {
    let compilation = withProgress("Compiling") {
      Self.compilation(input, cache: indexCache(cache))
    }
    guard let input = withoutAgesOfOtherModules(compilation.diagnostics) else { return compilation }
    return Self.compilation(input, cache: indexCache(cache))
  }

  /// Returns the cache, unless the module declares all shared types, which requires the entire
  /// schema.
  private func indexCache(_ cache: SchemaCache?) -> SchemaCache? {
    let schemaModule = configuration.emission.schemaModule
    return schemaModule == nil || configuration.emission.module != schemaModule ? cache : nil
  }

  private static func compilation(_ input: CompilationInput, cache: SchemaCache?) -> Compilation {
    guard let cache, let schema = input.schema.first else { return Compiler.compile(input) }
    if let index = cache.index(of: schema) {
      var indexed = input
      indexed.index = index
      let compilation = Compiler.compile(indexed)
      let isExact = compilation.diagnostics.allSatisfy { $0.rule == TagNames.rule }
      return isExact ? compilation : Compiler.compile(input)
    }
    let compilation = Compiler.compile(input)
    if let indexable = compilation.indexableSchema {
      cache.keep(
        SchemaIndex.bytes(
          of: schema.bytes, document: indexable.document, schema: indexable.schema))
    }
    return compilation
  }

  /// Returns the input without ages for operations of other modules that share this configuration,
  /// if the diagnostics report any of them as unknown; `nil` otherwise.
  private func withoutAgesOfOtherModules(_ diagnostics: [Diagnostic]) -> CompilationInput? {
    guard let allSources, diagnostics.contains(where: { $0.rule == MaxAgeLimits.rule }),
      let all = try? allSources.sources().files
    else { return nil }
    let names = Self.operations(in: all).subtracting(Self.operations(in: input.sources))
    var input = input
    input.options.maxAges = input.options.maxAges.filter { !names.contains($0.key) }
    return input.options.maxAges == self.input.options.maxAges ? nil : input
  }

  private static func operations(in sources: [CompilationInput.SourceFile]) -> Set<String> {
    let workspace = Workspace()
    return sources.reduce(into: []) { names, source in
      let operations = ParsedFile(source, in: workspace).names.operations
      names.formUnion(operations.map { workspace.symbols[$0] })
    }
  }

  // MARK: Other modules

  package static let configurationName = "relay.config.json"
  /// The name of the schema file in a module without a configuration.
  static let schemaName = "schema.graphql"

  /// Another module and its server's schema file, if known.
  private typealias FoundModule = (module: ImportedModule, schema: URL?)

  /// Returns the names of the modules with another server's schema.
  private static func foreignModules(
    of modules: [FoundModule], _ configuration: Configuration, _ files: FileAccess
  ) -> Set<String> {
    var comparison = SchemaComparison(configuration.schema, files)
    let foreign = modules.filter { found in
      if let isSame = configuration.sameSchema[found.module.name] { return !isSame }
      return found.schema.map { !comparison.isSame($0) } ?? false
    }
    return Set(foreign.map(\.module.name))
  }

  private static func modules(
    _ options: CompileOptions, _ configuration: Configuration, files access: FileAccess,
    warnings: inout [Diagnostic]
  ) throws -> [FoundModule] {
    if options.imports.isEmpty {
      return try configuration.modules.map { module in
        let own = try module.setting(configurationName).map(access.configuration)
        let tree = SourceTree(
          configuration, folder: module.folder,
          schemas: own?.schemaFiles ?? [module.setting(schemaName)].compactMap(\.self),
          skipped: module.excluded, output: nil)
        let (sources, found) = try tree.sources(access)
        warnings += found
        let imported = ImportedModule(
          name: module.name, sources: sources, schemaModule: own?.emission.schemaModule)
        return (imported, own?.schema ?? module.setting(schemaName))
      }
    }
    var names: [String] = []
    var files: [String: [CompilationInput.SourceFile]] = [:]
    var schemaModules: [String: String] = [:]
    var schemas = options.importedSchemas.mapValues(url)
    for (module, path) in options.imports {
      if path.hasSuffix("/" + configurationName) {
        let own = try access.configuration(url(path))
        schemaModules[module] = own.emission.schemaModule
        schemas[module] = own.schema
        continue
      }
      if files[module] == nil { names.append(module) }
      let file = CompilationInput.SourceFile(path: path, bytes: try access.read(path), output: "")
      files[module, default: []].append(file)
    }
    return names.map {
      let module = ImportedModule(
        name: $0, sources: files[$0] ?? [], schemaModule: schemaModules[$0])
      return (module, schemas[$0])
    }
  }

  // MARK: Scalars

  /// Returns the names of the scalars that have a file, either in the sources or next to the
  /// artifact directory.
  private static func declaredScalars(
    in sources: [CompilationInput.SourceFile], output: URL?
  ) -> Set<String> {
    var names = Set(sources.compactMap { ScalarFile.scalar(ofFile: $0.path) })
    if let folder = output.map(ScalarFile.folder(nextTo:)) {
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      names.formUnion(
        files.compactMap { ScalarFile.scalar(ofFile: ScalarFile.folder + "/" + $0) })
    }
    return names
  }

  /// Throws a ``ConfigurationError`` if a scalar has both a file and an entry in the configuration.
  private static func checkScalars(_ options: EmissionOptions) throws {
    let both = options.declaredScalars.intersection(options.customScalarTypes.keys).sorted()
    guard let name = both.first else { return }
    throw ConfigurationError(
      "The scalar \"\(name)\" is declared in \(ScalarFile.folder)/\(name).swift and has an entry in "
        + "\"customScalarTypes\". Remove one of them.")
  }

  // MARK: Paths

  /// Reads the configuration named by the arguments, or `relay.config.json` in the current
  /// directory.
  ///
  /// - Parameter alternative: The arguments that a command accepts instead of a configuration,
  ///   mentioned in the error for a missing one; `nil` if there are none.
  /// - Throws: ``ConfigurationError``.
  package static func configuration(
    _ options: CompileOptions, or alternative: String? = nil
  ) throws -> Configuration {
    if let file = options.config { return try Configuration(file: url(file)) }
    if let schema = options.schema {
      return Configuration(schema: url(schema), src: url("."))
    }
    let file = url("relay.config.json")
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw ConfigurationError(
        "No relay.config.json found here. Name one with --config"
          + (alternative.map { ", or \($0)" } ?? "") + ".")
    }
    return try Configuration(file: file)
  }

  package static func url(_ path: String) -> URL { URL(fileURLWithPath: path).standardizedFileURL }

  /// Returns the path of a file in messages: relative to the current directory if the file is
  /// inside it, unless that directory is the root.
  package static func shownPath(_ url: URL) -> String {
    let here = FileManager.default.currentDirectoryPath
    return here == "/" ? url.standardizedFileURL.path : shownPath(url, in: here)
  }

  /// Returns the path of a file, relative to a folder if the file is inside it.
  package static func shownPath(_ url: URL, in folder: String) -> String {
    let path = url.standardizedFileURL.path
    let prefix = folder == "/" ? "/" : folder + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }
}
