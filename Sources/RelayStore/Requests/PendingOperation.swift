/// An operation in flight.
public struct PendingOperation: Sendable, Hashable {
  /// The operation's name.
  public let name: String
  /// Whether it is a query or a mutation.
  public let kind: OperationKind
  /// The operation's variables, including default values.
  public let variables: JSONObject
}

extension PendingOperation {
  init(_ execution: OperationExecution) {
    self.init(
      name: execution.request.operation.name, kind: execution.kind,
      variables: execution.request.scope.operation)
  }
}
