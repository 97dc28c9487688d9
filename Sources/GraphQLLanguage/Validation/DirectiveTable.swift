/// The directives available to documents: the schema's, their own and, in Relay mode, Relay's.
struct DirectiveTable {
  private var bySymbol: [Symbol: SchemaDirective] = [:]
  /// The names of all directives in the order they were added, the schema's first.
  private(set) var symbols: [Symbol] = []

  /// Creates the directive table for documents.
  init(schema: Schema, documents: [Document], isRelay: Bool) {
    for directive in schema.directives { add(directive) }
    for document in documents {
      for case .directive(let definition) in document.definitions {
        add(
          SchemaDirective(
            definition: definition, arguments: schema.resolve(definition.arguments),
            isBuiltIn: false))
      }
    }
    if isRelay { for directive in RelayDirectives.directives(for: schema) { add(directive) } }
  }

  /// The directive named `symbol`.
  subscript(_ symbol: Symbol) -> SchemaDirective? { bySymbol[symbol] }

  private mutating func add(_ directive: SchemaDirective) {
    guard bySymbol[directive.symbol] == nil else { return }
    bySymbol[directive.symbol] = directive
    symbols.append(directive.symbol)
  }
}
