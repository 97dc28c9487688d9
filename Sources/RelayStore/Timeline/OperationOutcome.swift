/// The outcome of a request.
public enum OperationOutcome: String, Codable, Sendable {
  /// The response, with all its parts, was written.
  case success
  /// The request failed.
  case failure
  /// The callers left, or the environment was reset.
  case cancelled
}
