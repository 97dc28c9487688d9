/// The outcome of a request.
public enum OperationOutcome: String, Codable, Sendable {
  /// The response, and all parts of it, were written.
  case success
  /// The request has failed.
  case failure
  /// The callers have left, or the environment was reset.
  case cancelled
}
