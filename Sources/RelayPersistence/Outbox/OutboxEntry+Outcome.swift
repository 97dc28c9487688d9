import RelayStore

extension OutboxEntry {
  /// The outcome, if the entry will not change on its own; otherwise `nil`.
  var outcome: Result<Void, any Error>? {
    let reason: String
    switch state {
    case .failed, .unknown:
      reason = errorMessage ?? "The outcome of \"\(operationName)\" is unknown."
    case .blocked:
      reason =
        "\"\(operationName)\" is blocked on a mutation that failed or whose outcome is unknown."
    case .queued, .sending, .acknowledged, .blockedOnAuthentication: return nil
    }
    return .failure(RelayError(.graphQL, reason, operationName: operationName))
  }

  /// The outcome of an entry that was removed in this state.
  var lastOutcome: Result<Void, any Error> {
    if state == .acknowledged { return .success(()) }
    return .failure(
      RelayError(
        .cancelled, "\"\(operationName)\" was discarded.", operationName: operationName))
  }
}
