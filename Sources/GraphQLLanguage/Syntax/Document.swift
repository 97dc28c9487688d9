/// A document: executable definitions, type system definitions, or both.
public struct Document: Sendable {
  /// The definitions, in source order.
  public var definitions: [Definition]
  /// The document's source, or ``SourceID/none``.
  public let source: SourceID
  /// The symbol table of the document.
  public let symbols: SymbolTable

  /// Creates a document of definitions.
  public init(definitions: [Definition], source: SourceID = .none, symbols: SymbolTable) {
    self.definitions = definitions
    self.source = source
    self.symbols = symbols
  }
}

/// A top-level definition of a document.
public indirect enum Definition: Hashable, Sendable {
  /// A query, mutation or subscription.
  case operation(OperationDefinition)
  /// `fragment … on …`
  case fragment(FragmentDefinition)
  /// `schema {…}` or `extend schema`
  case schema(SchemaDefinition)
  /// The definition of a named type, or an extension of one.
  case type(TypeDefinition)
  /// `directive @… on …`
  case directive(DirectiveDefinition)

  /// The source range of the definition, starting at its description if there is one.
  public var span: Span {
    switch self {
    case .operation(let definition): definition.span
    case .fragment(let definition): definition.span
    case .schema(let definition): definition.span
    case .type(let definition): definition.span
    case .directive(let definition): definition.span
    }
  }

  /// Whether the definition is an operation or a fragment.
  public var isExecutable: Bool {
    switch self {
    case .operation, .fragment: true
    case .schema, .type, .directive: false
    }
  }
}
