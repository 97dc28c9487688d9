import GraphQLLanguage

/// The sources and options of one compilation.
package struct CompilationInput {
  /// A source file to compile and the name of its generated file.
  package struct SourceFile: Equatable {
    /// The path shown in diagnostics.
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

  /// The module's Swift and GraphQL files.
  package var sources: [SourceFile]
  /// The modules whose fragments and types the sources may use, dependencies first.
  package var modules: [ImportedModule]
  /// The imported modules that use another server's schema. Their fragments and types are
  /// unavailable to this module and appear only in errors.
  var foreignModules: [ImportedModule] = []
  /// The server's schema, in one or more sources.
  package var schema: [Source]
  /// The client schema extensions.
  package var extensions: [Source]
  package var options: EmissionOptions
  /// The configuration file behind the options, for locating diagnostics.
  package var configuration: Source?
  /// An index of the schema. If set, only the subset of the schema that the sources refer to is
  /// parsed.
  ///
  /// A diagnostic from such a compilation only means that it must be repeated without the index,
  /// because it may depend on the rest of the schema.
  package var index: SchemaIndex?
  /// Whether to generate ``Compilation/manifest``.
  package var makesManifest: Bool
  /// Whether to generate ``Compilation/files``; the checks run either way.
  package var makesFiles: Bool
  /// The warnings from reading the source files.
  package var warnings: [Diagnostic]

  package init(
    sources: [SourceFile], modules: [ImportedModule] = [], schema: [Source],
    extensions: [Source] = [], options: EmissionOptions = .init(), configuration: Source? = nil,
    index: SchemaIndex? = nil,
    makesManifest: Bool = false, makesFiles: Bool = true, warnings: [Diagnostic] = []
  ) {
    self.sources = sources
    self.modules = modules
    self.schema = schema
    self.extensions = extensions
    self.options = options
    self.configuration = configuration
    self.index = index
    self.makesManifest = makesManifest
    self.makesFiles = makesFiles
    self.warnings = warnings
  }
}
