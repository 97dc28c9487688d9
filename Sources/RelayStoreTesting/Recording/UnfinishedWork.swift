import RelayStore

/// The work of an environment that has not ended at one moment.
struct UnfinishedWork {
  /// The operations in flight, without subscriptions.
  let operations: [PendingOperation]
  let outbox: OutboxActivity?
  let areOperationsHeld: Bool
  let isDelivering: Bool

  var isEmpty: Bool {
    operations.isEmpty && !isDelivering && (outbox?.entries.isEmpty ?? true)
      && !(outbox?.isLoading ?? false)
  }

  /// Whether all work waits for the test or the app.
  var isHeld: Bool {
    !isEmpty && areOperationsHeld && !isDelivering && !(outbox?.isProceeding ?? false)
  }

  func error(liveResources: LiveResources) -> UnsettledError {
    UnsettledError(
      operations: operations, outboxEntries: outbox?.entries.map(\.entry) ?? [],
      isHeld: isHeld, liveResources: liveResources)
  }
}
