/// What an operation does.
public enum OperationKind: String, Sendable {
  case query, mutation, subscription
}
