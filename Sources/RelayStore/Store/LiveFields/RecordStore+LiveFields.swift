extension RecordStore {
  /// Sets the function of a derived field.
  package func derive(
    _ field: String, from fragment: SelectionPlan, _ function: @escaping Derivations.Function
  ) {
    register(field) { $0.register(field, of: fragment, function) }
  }

  /// Sets the source of a live derived field's values.
  ///
  /// - Parameter source: Makes the sequence for a fragment's row. Neither `source` nor the sequence
  ///   runs while a lock is held.
  package func derive(
    _ field: String, from fragment: SelectionPlan, live source: @escaping LiveDerivations.Source
  ) {
    register(field) { $0.register(field, of: fragment, live: source) }
  }

  /// Registers the function of a derived field. Ends the sequences that the field's previous
  /// function made, and reads the data of their observers again.
  private func register(_ field: String, _ register: @escaping @Sendable (Derivations) -> Void) {
    let start: @Sendable (LiveDerivations.Run) -> Task<Void, Never> = {
      [weak self, deliveries] run in
      // Counts as in flight until the sequence is made.
      let delivery = OutcomeDelivery(in: deliveries, isInFlight: true)
      return Task.detached { await Self.iterate(run, in: { [weak self] in self }, delivery) }
    }
    afterUpdater { store in
      let derivations = store.state.withLock { state in
        let derivations = state.source.derivations ?? Derivations(state.live)
        state.source.derivations = derivations
        state.live.setStart(start)
        return derivations
      }
      // Releases the previous function, so the store must be unlocked.
      register(derivations)
      let ended = store.withState { state -> [Delivery] in
        let fields = state.live.endAll(named: field)
        if fields.isEmpty { return [] }
        state.endLiveFields(fields.map(\.index))
        return state.notify(ofLiveFields: fields.map(\.index), of: fields.map(\.record))
      }
      DeliveryQueue.deliver(ended)
    }
  }

  /// Makes the sequence of a run, and forwards its values until the sequence or the run ends.
  ///
  /// - Parameter store: Returns the store; the task does not retain it.
  private static func iterate(
    _ run: LiveDerivations.Run, in store: @escaping @Sendable () -> RecordStore?,
    _ delivery: OutcomeDelivery
  ) async {
    let name = run.field.name.text
    do {
      let values: LiveDerivations.Values
      do {
        defer { delivery.end() }
        values = try run.source(run.row)
      }
      try await values { store()?.receive(.value($0), of: run) ?? false }
      _ = store()?.receive(.end, of: run)
    } catch {
      let failure = LiveDerivations.Failure(
        "The sequence of derived field \"\(name)\" failed: \(error.text)", underlying: error)
      _ = store()?.receive(.failure(failure), of: run)
    }
  }

  /// Changes the value of a live field and delivers it. An equal value is a no-op.
  ///
  /// - Returns: Whether the run is still current; `false` if it was replaced or has ended.
  private func receive(_ event: LiveDerivations.Event, of run: LiveDerivations.Run) -> Bool {
    // Compared before the store is locked, because scalars may have custom equality.
    if case .value(let new) = event, live.value(ofRun: run.id, at: run.index) == new { return true }
    let deliveries = withState { $0.receive(event, ofRun: run.id, at: run.index) }
    guard let deliveries else { return false }
    DeliveryQueue.deliver(deliveries)
    return true
  }

  /// Cancels the sequences of live fields that no observer depends on any more. Call this with the
  /// store unlocked.
  func cancelEndedLiveFields() {
    for task in live.takeEnded() { task.cancel() }
  }
}
