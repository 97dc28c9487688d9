import GraphQLLanguage
import RelayCompiler

extension CompilationInput {
  /// The schema, its extensions, and the configuration.
  var settings: [Source] { schema + extensions + [configuration].compactMap(\.self) }

  /// Replaces the bytes of each file for which the closure returns a value.
  mutating func replaceTexts(
    _ replacement: (_ path: String, _ bytes: ContiguousArray<UInt8>) -> ContiguousArray<UInt8>?
  ) {
    func replaced(_ file: SourceFile) -> SourceFile {
      replacement(file.path, file.bytes).map(file.with) ?? file
    }
    func replaced(_ source: Source) -> Source {
      replacement(source.path, source.bytes).map { Source(path: source.path, bytes: $0) } ?? source
    }
    sources = sources.map(replaced)
    modules = modules.map { module in
      ImportedModule(
        name: module.name, sources: module.sources.map(replaced), schemaModule: module.schemaModule)
    }
    schema = schema.map(replaced)
    extensions = extensions.map(replaced)
    configuration = configuration.map(replaced)
  }
}

extension CompilationInput.SourceFile {
  /// Returns the file with different contents.
  func with(_ bytes: ContiguousArray<UInt8>) -> Self {
    Self(path: path, bytes: bytes, output: output)
  }
}
