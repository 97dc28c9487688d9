extension RelayError {
  /// The HTTP statuses after which the same request may succeed.
  private static let retryableStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

  /// Returns whether the same request may succeed after a response with an HTTP status.
  package static func isRetryable(status: Int?) -> Bool {
    status.map(retryableStatuses.contains) ?? false
  }

  /// Creates the error for an HTTP response that is not a GraphQL response. The errors in its body
  /// become the error's `errors`; the message quotes the first one, or else the excerpt of the
  /// body.
  package init(rejectedBy response: GraphQLResponse, operationName: String) {
    let errors = response.errorPageErrors
    let status = response.status.map { "HTTP status \($0)" } ?? "a rejection"
    let reason =
      errors.first.map { ": \($0.message)" }
      ?? " instead of a response" + Excerpt.ending(for: response)
    self.init(
      .transport, "\"\(operationName)\" got \(status)\(reason)",
      operationName: operationName, errors: errors)
    excerpt = Excerpt.redacted(response.body)
    setStatus(response.status, retryAfter: response.retryAfter)
  }

  /// Sets the HTTP status and the requested delay, and marks the error as retryable if the same
  /// request may succeed after that status.
  package mutating func setStatus(_ status: Int?, retryAfter: Duration?) {
    self.status = status
    self.retryAfter = retryAfter
    isRetryable = Self.isRetryable(status: status)
  }
}
