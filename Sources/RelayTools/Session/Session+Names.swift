import GraphQLLanguage
import RelayCompiler

extension Session {
  /// Returns the errors of definitions whose Swift types have the same name.
  ///
  /// Only a compilation of all files knows which schema types are declared. One runs only when a
  /// name equals the name of another definition, or of a type that may be declared.
  func nameClashes() -> [Diagnostic] {
    var taken = typeNames
    for entry in entries.values {
      for name in entry.swiftNames where !taken.insert(name).inserted {
        var diagnostics: [Diagnostic] = []
        var stages = stages(over: Set(entries.keys), diagnostics: &diagnostics)
        if diagnostics.hasErrors { return [] }
        stages.emit(input, diagnostics: &diagnostics)
        return diagnostics.filter { $0.rule == NameClashes.rule }
      }
    }
    return []
  }

  /// The names of the Swift types that may be declared for the schema.
  static func typeNames(of schema: Schema, schemaName: String) -> Set<String> {
    let declared = schema.types.filter { $0.kind == .enum || $0.kind == .inputObject }
    return Set(declared.map { schema.name(of: $0.id) }).union([schemaName])
  }
}

extension Definition {
  /// Returns the name of an operation's or a fragment's Swift type.
  func swiftName(in symbols: SymbolTable) -> String? {
    switch self {
    case .operation(let operation):
      operation.name.map {
        SwiftName.operation(symbols[$0.symbol], kind: operation.operation.rawValue)
      }
    case .fragment(let fragment): SwiftName.definition(symbols[fragment.name.symbol])
    case .schema, .type, .directive: nil
    }
  }
}

extension ParsedFile {
  /// The names of the Swift types for the definitions and for the queries of `@refetchable`
  /// fragments.
  var swiftNames: [String] {
    documents.flatMap { document in
      document.definitions.compactMap { $0.swiftName(in: document.symbols) }
    } + DefinedNames.refetchQueries(in: documents).map { SwiftName.operation($0, kind: "query") }
  }
}
