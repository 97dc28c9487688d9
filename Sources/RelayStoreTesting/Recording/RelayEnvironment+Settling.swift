public import RelayStore

extension RelayEnvironment {
  /// Waits until no operation is in flight, every snapshot has been delivered to streams, closures
  /// and models, and the outbox has nothing to do.
  ///
  /// A subscription that waits for its next event does not count as in flight, nor does the sequence
  /// of a live derived field, once it was made. An entry of the outbox has ended when its response is
  /// in the store, and also when it has failed, its outcome is unknown or such an entry blocks it:
  /// ``liveResources`` names those that are left.
  ///
  /// Before the call, answer the requests that wait in a ``MockTransport``, open gates and advance
  /// clocks: this method does not wait for anything that only the test can end. A task that was
  /// started but has not called the environment yet is not noticed.
  ///
  /// - Parameter limit: The longest wait for transports that are not in this module.
  /// - Throws: ``UnsettledError`` when everything left waits in a mock transport, at a gate or on a
  ///   ``VirtualClock``, or is an entry of a suspended outbox, one that waits for its next attempt, or
  ///   one that the server does not authenticate, or when `limit` has passed; `CancellationError`.
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
        // A task that the test has woken may not have run yet.
        heldTurns = work.isHeld ? heldTurns + 1 : 0
        if heldTurns == 1 { heldSince = ContinuousClock.now }
        if heldTurns >= Self.turns, ContinuousClock.now - heldSince >= Self.heldTime {
          throw work.error(liveResources: liveResources)
        }
        if ContinuousClock.now > end { throw work.error(liveResources: liveResources) }
      }
      // Each turn lets every task that is ready run, including those on the main actor.
      await Task.yield()
      await MainActor.run {}
    }
  }

  /// Returns the work of the environment that has not ended.
  private func unfinishedWork() async -> UnfinishedWork {
    let outbox = await durableMutations?.activity()
    // An entry that has ended meanwhile may have begun a delivery.
    let operations = operationsInFlight.filter { $0.operation.kind != .subscription }
    return UnfinishedWork(
      operations: operations.map(\.operation), outbox: outbox,
      areOperationsHeld: operations.allSatisfy(\.isHeld), isDelivering: !store.deliveries.isEmpty)
  }

  /// The number of consecutive turns without pending work, or with nothing but held operations,
  /// after which the environment counts as settled, or as held: enough for work to hop between tasks and the main actor, with a margin.
  private static var turns: Int { 16 }
  /// The time for which operations are held before they count as held: the system may not have run
  /// the thread of a task that the test has woken.
  private static var heldTime: Duration { .milliseconds(50) }

  /// The operations in flight, observers, retained operations, optimistic updates, sequences of
  /// live derived fields, and the entries of the outbox, by their names.
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
      outboxEntryNames: (durableMutations?.entries ?? []).map(\.label))
  }
}

extension PendingOperation {
  /// The operation's name and its variables, if it has any.
  var label: String { Self.label(name, variables) }

  fileprivate static func label(_ name: String, _ variables: JSONObject) -> String {
    variables.isEmpty ? name : "\(name) \(JSONValue.object(variables))"
  }
}
