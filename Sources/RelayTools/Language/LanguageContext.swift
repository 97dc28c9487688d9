import GraphQLLanguage
import RelayCompiler

/// The schema and the fragments used to resolve names in documents.
struct LanguageContext {
  let schema: Schema
  /// The fields that identify objects.
  let keys: KeyFields
  let relay: RelayDefinitions
  /// Returns the fragment named `name`.
  let fragment: (_ name: Symbol) -> FragmentDefinition?

  var symbols: SymbolTable { schema.symbols }

  /// Returns the field named `symbol` on a type, including fields that Relay adds to every type.
  func field(named symbol: Symbol, on type: NamedType) -> SchemaField? {
    schema.field(named: symbol, on: type) ?? relay.fields[named: symbol]
  }

  /// Returns a directive of the schema or of Relay.
  func directive(named symbol: Symbol) -> SchemaDirective? {
    schema.directives[named: symbol] ?? relay.directives.first { $0.symbol == symbol }
  }

  /// All directives that documents may use: the schema's directives, then Relay's.
  var directives: [SchemaDirective] {
    schema.directives.elements
      + relay.directives.filter { schema.directives[named: $0.symbol] == nil }
  }

  /// Returns the variables that a fragment declares.
  func fragmentVariables(of symbol: Symbol) -> [FragmentVariable] {
    fragment(symbol).map { RelayDirectives.fragmentVariables(of: $0, in: schema) } ?? []
  }

  /// Returns the type named `symbol` if it can have a selection set.
  func composite(_ symbol: Symbol) -> NamedType? {
    schema.type(named: symbol).flatMap { $0.isComposite ? $0 : nil }
  }
}
