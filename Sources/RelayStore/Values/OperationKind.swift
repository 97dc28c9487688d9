/// What an operation does.
public enum OperationKind: String, Sendable, CaseIterable {
  case query, mutation, subscription
}
