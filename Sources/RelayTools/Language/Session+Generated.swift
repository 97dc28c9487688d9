import GraphQLLanguage
import RelayCompiler

extension Session {
  /// Returns the Swift type of the definition whose name is at a position, and the name of the
  /// generated file that declares it; `nil` elsewhere.
  package func generatedType(at position: FilePosition) -> (name: String, file: String)? {
    guard let (document, offset) = document(at: position),
      let entry = entries[FileKey(path: position.path)],
      let definition = document.definitions.first(where: { definition in
        definition.executableName.map { $0.span.start <= offset && offset <= $0.span.end } ?? false
      })
    else { return nil }
    return definition.swiftName(in: document.symbols).map { ($0, entry.parsed.file.output) }
  }

  /// Returns the locations of the definitions whose Swift type has the given name, in all modules.
  package func definitions(ofSwiftType name: String) -> [FileRange] {
    entries.values.filter { $0.swiftNames.contains(name) }.map(\.parsed)
      .sorted { $0.file.path < $1.file.path }
      .flatMap(\.documents).flatMap(\.definitions).compactMap { definition in
        guard definition.swiftName(in: workspace.symbols) == name else { return nil }
        return definition.executableName.flatMap { fileRange(of: $0.span) }
      }
  }
}
