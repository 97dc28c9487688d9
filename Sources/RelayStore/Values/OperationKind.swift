/// The kind of a GraphQL operation.
public enum OperationKind: String, Codable, Sendable, CaseIterable {
  /// The keyword at the start of an operation of this kind.
  ///
  /// Source: GraphQL specification, September 2025, section 2.3.
  case query, mutation, subscription
}
