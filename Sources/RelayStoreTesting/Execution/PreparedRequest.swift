import GraphQLLanguage

/// An operation ready for execution: its document is valid, and its depth is bounded.
struct PreparedRequest: Sendable {
  let schema: Schema
  let operation: OperationDefinition
  /// The type of the operation's root.
  let rootType: NamedType
  let fragments: [Symbol: FragmentDefinition]

  /// Selects the operation of a valid document.
  ///
  /// - Throws: ``RequestFailure`` if there is no such operation, or it cannot be executed here.
  init(_ document: Document, operationName: String?, schema: Schema) throws {
    self.schema = schema
    operation = try Self.operation(in: document, named: operationName)
    guard let rootType = schema.rootType(of: operation.operation) else {
      throw RequestFailure(
        "The schema is not configured to execute \(operation.operation.rawValue) operations.",
        at: operation.span)
    }
    self.rootType = rootType
    fragments = Dictionary(
      document.definitions.compactMap {
        if case .fragment(let fragment) = $0 { (fragment.name.symbol, fragment) } else { nil }
      }, uniquingKeysWith: { first, _ in first })
    var depth = SelectionDepth(fragments: fragments)
    _ = try depth.measure(operation.selectionSet)
  }

  private static func operation(in document: Document, named name: String?) throws
    -> OperationDefinition
  {
    let operations = document.definitions.compactMap {
      if case .operation(let operation) = $0 { operation } else { nil }
    }
    guard let name, !name.isEmpty else {
      guard let only = operations.first, operations.count == 1 else {
        throw RequestFailure(
          operations.isEmpty
            ? "The document has no operation."
            : "Must provide operation name if query contains multiple operations.")
      }
      return only
    }
    let symbol = document.symbols.find(name)
    guard let operation = operations.first(where: { $0.name?.symbol == symbol && symbol != nil })
    else { throw RequestFailure("Unknown operation named \"\(name)\".") }
    return operation
  }
}
