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

  /// Returns the locations of the definitions whose Swift type has the given name.
  package func definitions(ofSwiftType name: String) -> [FileRange] {
    names.files.filter {
      entries[FileKey(path: $0.file.path)]?.swiftNames.contains(name) == true
    }
    .flatMap(\.documents).flatMap(\.definitions).compactMap { definition in
      guard definition.swiftName(in: workspace.symbols) == name else { return nil }
      return definition.executableName.flatMap { fileRange(of: $0.span) }
    }
  }
}
