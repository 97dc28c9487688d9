import RelayStore

extension OutboxEntry {
  /// The outcome, if the entry will not change on its own; otherwise `nil`.
  var outcome: Result<Void, any Error>? {
    switch state {
    case .failed, .unknown:
      return .failure(
        error
          ?? RelayError(
            .graphQL, errorMessage ?? "The outcome of \"\(operationName)\" is unknown.",
            operationName: operationName))
    case .blocked:
      return .failure(
        RelayError(
          .graphQL,
          "\"\(operationName)\" is blocked on a mutation that failed or whose outcome is unknown.",
          operationName: operationName))
    case .queued, .sending, .acknowledged, .blockedOnAuthentication: return nil
    }
  }

  /// The outcome of an entry that was removed in this state.
  var lastOutcome: Result<Void, any Error> {
    if state == .acknowledged { return .success(()) }
    return .failure(
      RelayError(
        .cancelled, "\"\(operationName)\" was discarded.", operationName: operationName))
  }
}
