import GraphQLLanguage
import RelayCompiler

extension Session {
  /// Returns the Swift type of the definition whose name is at a position, and the name of the
  /// generated file that declares it; `nil` elsewhere.
  package func generatedType(at position: FilePosition) -> (name: String, file: String)? {
    guard let occurrence = occurrence(at: position, languageContext), occurrence.isDefinition,
      let entry = entries[FileKey(path: position.path)]
    else { return nil }
    let symbols = workspace.symbols
    let name: String
    switch occurrence.element {
    case .fragment(let symbol): name = SwiftName.definition(symbols[symbol])
    case .operation(let symbol):
      guard let operation = operation(named: symbol) else { return nil }
      name = SwiftName.operation(symbols[symbol], kind: operation.operation.rawValue)
    default: return nil
    }
    return (name, entry.parsed.file.output)
  }

  /// Returns the places of the definitions whose Swift type has a name.
  package func definitions(ofSwiftType name: String) -> [FileRange] {
    let symbols = workspace.symbols
    return names.files.filter {
      entries[FileKey(path: $0.file.path)]?.swiftNames.contains(name) == true
    }
    .flatMap(\.documents).flatMap(\.definitions).compactMap { definition in
      switch definition {
      case .fragment(let fragment)
      where SwiftName.definition(symbols[fragment.name.symbol]) == name:
        return fileRange(of: fragment.name.span)
      case .operation(let operation):
        guard let symbol = operation.name,
          SwiftName.operation(
            symbols[symbol.symbol], kind: operation.operation.rawValue) == name
        else { return nil }
        return fileRange(of: symbol.span)
      default: return nil
      }
    }
  }
}
