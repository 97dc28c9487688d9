public import Foundation

/// Messages for developers and logs, in English. For users of an app, derive your own messages from
/// ``code``, ``status`` and the errors' `extensions`.
extension RelayError: LocalizedError {
  /// The message.
  public var errorDescription: String? { message }

  /// The server's reasons, if it gave any; otherwise the underlying error's.
  public var failureReason: String? {
    if !errors.isEmpty { return errors.map(\.message).joined(separator: "\n") }
    return underlying.map { $0.localizedDescription }
  }

  /// What to do, if the same request may succeed later.
  public var recoverySuggestion: String? {
    guard isRetryable else { return nil }
    guard let retryAfter else { return "Try again." }
    let (whole, rest) = retryAfter.components
    let seconds = max(1, rest > 0 ? whole + 1 : whole)
    return "Try again in \(seconds) \(seconds == 1 ? "second" : "seconds")."
  }
}

extension GraphQLError: LocalizedError {
  /// The server's message.
  public var errorDescription: String? { message }
}
