/// The kind of a GraphQL operation.
public enum OperationKind: String, Sendable, CaseIterable {
  case query, mutation, subscription
}
