/// A parsed text: executable definitions, type system definitions, or both.
public struct Document: Sendable {
  /// The definitions, in the order written.
  public var definitions: [Definition]
  /// The text the document was parsed from, or ``SourceID/none``.
  public let source: SourceID
  /// The table that has the texts of the document's symbols.
  public let symbols: SymbolTable

  /// A document of definitions.
  public init(definitions: [Definition], source: SourceID = .none, symbols: SymbolTable) {
    self.definitions = definitions
    self.source = source
    self.symbols = symbols
  }
}

/// What stands at the top level of a document.
public enum Definition: Hashable, Sendable {
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

  /// Where the definition stands; it starts at the description, where there is one.
  public var span: Span {
    switch self {
    case .operation(let definition): definition.span
    case .fragment(let definition): definition.span
    case .schema(let definition): definition.span
    case .type(let definition): definition.span
    case .directive(let definition): definition.span
    }
  }

  /// True for operations and fragments.
  public var isExecutable: Bool {
    switch self {
    case .operation, .fragment: true
    case .schema, .type, .directive: false
    }
  }
}
