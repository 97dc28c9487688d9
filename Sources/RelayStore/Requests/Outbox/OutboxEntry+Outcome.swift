extension OutboxEntry {
  /// The outcome, if nothing more happens to the entry by itself.
  var outcome: Result<Void, any Error>? {
    switch state {
    case .failed, .unknown, .blocked:
      .failure(
        RelayError(
          .graphQL, errorMessage ?? "The outcome of \"\(operationName)\" is unknown.",
          operationName: operationName))
    case .queued, .sending, .acknowledged, .blockedOnAuthentication: nil
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
