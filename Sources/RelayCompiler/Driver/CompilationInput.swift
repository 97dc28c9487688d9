import GraphQLLanguage

/// The sources and options of one compilation.
package struct CompilationInput {
  /// A text to compile, and the name of its generated file.
  package struct SourceFile: Equatable {
    /// The path in diagnostics.
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
  /// The modules that are used and have another server's schema. Their fragments and types are not
  /// those of this module; they are only named in errors.
  var foreignModules: [ImportedModule] = []
  /// The server's schema, in one or several texts.
  package var schema: [Source]
  /// The client schema extensions.
  package var extensions: [Source]
  package var options: EmissionOptions
  /// The configuration file that gives the options, for the locations of diagnostics.
  package var configuration: Source?
  /// An index of the schema. If set, only the subset of the schema that the sources refer to is
  /// parsed.
  ///
  /// With an index, a diagnostic that may depend on the schema means only that the compilation must
  /// be repeated without it.
  package var index: SchemaIndex?
  /// Whether ``Compilation/manifest`` is generated.
  package var makesManifest: Bool
  /// Whether ``Compilation/files`` are generated; the same checks run without them.
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
