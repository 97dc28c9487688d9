import GraphQLLanguage
import RelayCompiler

/// The schema and the fragments by which names in documents are resolved.
struct LanguageContext {
  let schema: Schema
  /// The fields that identify objects.
  let keys: KeyFields
  let relay: RelayDefinitions
  /// Returns the fragment of a name.
  let fragment: (_ name: Symbol) -> FragmentDefinition?

  var symbols: SymbolTable { schema.symbols }

  /// Returns the field of a name on a type, those that Relay adds to every type included.
  func field(named symbol: Symbol, on type: NamedType) -> SchemaField? {
    schema.field(named: symbol, on: type) ?? relay.fields[named: symbol]
  }

  /// Returns a directive of the schema or of Relay.
  func directive(named symbol: Symbol) -> SchemaDirective? {
    schema.directives[named: symbol] ?? relay.directives.first { $0.symbol == symbol }
  }

  /// All directives that documents may use: those of the schema, then those of Relay.
  var directives: [SchemaDirective] {
    schema.directives.elements
      + relay.directives.filter { schema.directives[named: $0.symbol] == nil }
  }

  /// Returns the variables that a fragment declares.
  func fragmentVariables(of symbol: Symbol) -> [FragmentVariable] {
    fragment(symbol).map { RelayDirectives.fragmentVariables(of: $0, in: schema) } ?? []
  }

  /// Returns the type of a name if fields can be selected on it.
  func composite(_ symbol: Symbol) -> NamedType? {
    schema.type(named: symbol).flatMap { $0.isComposite ? $0 : nil }
  }
}
