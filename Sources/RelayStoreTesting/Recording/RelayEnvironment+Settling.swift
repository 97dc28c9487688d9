public import RelayStore

extension RelayEnvironment {
  /// Waits until no operation is in flight, every snapshot has been delivered to streams, closures
  /// and models, and the outbox is idle.
  ///
  /// A subscription that waits for its next event does not count as in flight, and neither does the
  /// sequence of a live derived field, once created. An outbox entry has ended when its response is
  /// in the store, when it has failed, when its outcome is unknown, or when such an entry blocks
  /// it: ``liveResources`` names the remaining entries.
  ///
  /// Before the call, respond to requests that wait in a ``MockTransport``, open gates and advance
  /// clocks: this method does not wait for work that only the test can end. It does not notice a
  /// started task that has not called the environment yet.
  ///
  /// - Parameter limit: The maximum wait for transports outside of this module.
  /// - Throws: ``UnsettledError`` if all remaining work waits for the test or the app: operations
  ///   in a mock transport, at a gate or on a ``VirtualClock``; outbox entries that are suspended,
  ///   wait for their next attempt, or are not authenticated by the server. Also throws it when
  ///   `limit` has passed. `CancellationError` if the task is cancelled.
  public func settle(limit: Duration = .seconds(600)) async throws {
    let end = ContinuousClock.now + limit.clampedForSleep
    var (quietTurns, heldTurns, heldSince) = (0, 0, ContinuousClock.now)
    while quietTurns < Self.turns {
      try Task.checkCancellation()
      let work = await unfinishedWork()
      if work.isEmpty {
        (quietTurns, heldTurns) = (quietTurns + 1, 0)
      } else {
        quietTurns = 0
        // A task woken by the test may not have run yet.
        heldTurns = work.isHeld ? heldTurns + 1 : 0
        if heldTurns == 1 { heldSince = ContinuousClock.now }
        if heldTurns >= Self.turns, ContinuousClock.now - heldSince >= Self.heldTime {
          throw work.error(liveResources: liveResources)
        }
        if ContinuousClock.now > end { throw work.error(liveResources: liveResources) }
      }
      // Each turn runs every task that is ready, including tasks on the main actor.
      await Task.yield()
      await MainActor.run {}
    }
  }

  /// Returns the work of the environment that has not ended.
  private func unfinishedWork() async -> UnfinishedWork {
    let outbox = await persistentMutations?.activity()
    // Read after the outbox, because an entry that has ended in the meantime may have started a
    // delivery.
    let operations = operationsInFlight.filter { $0.operation.kind != .subscription }
    return UnfinishedWork(
      operations: operations.map(\.operation), outbox: outbox,
      areOperationsHeld: operations.allSatisfy(\.isHeld), isDelivering: !store.deliveries.isEmpty)
  }

  /// The number of consecutive turns without pending work, or with only held operations, after
  /// which the environment counts as settled or held. Enough for work to hop between tasks and the
  /// main actor, with a margin.
  private static var turns: Int { 16 }
  /// The time for which operations must be held before they count as held: the system may not have
  /// run the thread of a task that the test has woken.
  private static var heldTime: Duration { .milliseconds(50) }

  /// The names of the operations in flight, observers, retained operations, optimistic updates,
  /// sequences of live derived fields, and entries of the outbox.
  public var liveResources: LiveResources {
    let (operations, holders) = (operationsInFlight, store.holders)
    let updates = Dictionary(
      operations.compactMap { operation in
        operation.optimisticUpdate.map { ($0, operation.operation.label) }
      }, uniquingKeysWith: { first, _ in first })
    return LiveResources(
      operationNames: operations.map { "\($0.operation.kind) \($0.operation.label)" },
      observerNames: holders.observers.map { $0.isEmpty ? "an unnamed selection" : $0 },
      retainedOperationNames: holders.retained.map {
        PendingOperation.label($0.name, $0.variables)
      }.sorted(),
      optimisticUpdateNames: holders.optimisticUpdates.map { updates[$0] ?? "applyUpdate" },
      liveFieldNames: holders.liveFields.map { "\($0.name) of \($0.record.rawValue)" },
      outboxEntryNames: (persistentMutations?.entries ?? []).map(\.label))
  }
}

extension PendingOperation {
  /// The operation's name, and its variables if there are any.
  var label: String { Self.label(name, variables) }

  fileprivate static func label(_ name: String, _ variables: JSONObject) -> String {
    variables.isEmpty ? name : "\(name) \(JSONValue.object(variables))"
  }
}
