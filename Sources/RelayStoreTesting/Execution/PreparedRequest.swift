import GraphQLLanguage

/// An operation that is fit to be executed: everything it names exists, and its size is bounded.
struct PreparedRequest {
  let schema: Schema
  let operation: OperationDefinition
  /// The type of the operation's root.
  let rootType: NamedType
  let fragments: [Symbol: FragmentDefinition]

  /// Chooses the operation and checks it.
  ///
  /// - Throws: ``RequestFailure`` with the syntax errors, or with what the schema does not have.
  init(_ parsed: Parsed, operationName: String?, schema: Schema, workspace: Workspace) throws {
    guard !parsed.diagnostics.hasErrors else {
      throw RequestFailure(
        parsed.diagnostics.map {
          ExecutionError(message: "Syntax Error: \($0.message)", span: $0.primary)
        })
    }
    self.schema = schema
    operation = try Self.operation(in: parsed.document, named: operationName)
    guard operation.operation != .subscription,
      let rootType = schema.rootType(of: operation.operation)
    else {
      throw RequestFailure(
        "The schema server executes no \(operation.operation.rawValue) of this schema.",
        at: operation.span)
    }
    self.rootType = rootType
    fragments = Dictionary(
      parsed.document.definitions.compactMap {
        if case .fragment(let fragment) = $0 { (fragment.name.symbol, fragment) } else { nil }
      }, uniquingKeysWith: { first, _ in first })
    var check = RequestCheck(schema: schema, fragments: fragments, operation: operation)
    try check.run(on: rootType)
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
