extension RecordStore {
  /// Checks whether the visible records have the data of an operation.
  ///
  /// Values supplied by missing field handlers are written to the base, unless optimistic updates
  /// are live.
  ///
  /// - Parameter limit: The maximum number of missing elements to list.
  package func check(
    _ operation: WrittenOperation, listing limit: Int = 0
  ) -> OperationAvailability {
    let (availability, deliveries) = withState { state in
      let (availability, handled) = state.check(operation, listing: limit)
      return (availability, state.write(handled))
    }
    DeliveryQueue.deliver(deliveries)
    return availability
  }

  /// Returns the time until a query's data is stale because of its age, 0 or less if it already is.
  /// Returns `nil` if the query was not fetched, or never becomes stale because of its age.
  package func timeLeft(of identity: RequestIdentity) -> Duration? {
    state.withLock { $0.retention.timeLeft(of: identity, now: $0.time.elapsed) }
  }

  /// Returns whether data of an operation is missing, regardless of staleness.
  package func lacksData(of operation: WrittenOperation) -> Bool {
    withState { $0.lacksData(of: operation) }
  }

  /// Marks operations as stale until they are written again.
  ///
  /// - Returns: The retained ones of these operations.
  func markStale(_ identities: [RequestIdentity]) -> Set<RequestIdentity> {
    state.withLock { state in Set(identities.filter { state.retention.markStale($0) }) }
  }

  /// Calls `body` when one of the records, or the entire store, is invalidated.
  package func onInvalidation(of ids: Set<DataID>, _ body: @escaping @Sendable () -> Void)
    -> ObservationHandle
  {
    onInvalidation(.records(ids), body)
  }

  /// Calls `body` when a record that an operation reaches, or the entire store, is invalidated.
  package func onInvalidation(
    of operation: WrittenOperation, _ body: @escaping @Sendable () -> Void
  ) -> ObservationHandle {
    onInvalidation(.operation(operation), body)
  }

  private func onInvalidation(
    _ target: InvalidationObservers.Target, _ body: @escaping @Sendable () -> Void
  ) -> ObservationHandle {
    let receiver = InvalidationReceiver(body)
    let id = state.withLock { $0.invalidationObservers.add(target, receiver) }
    return ObservationHandle(.invalidation(id, receiver), in: self)
  }
}

extension StoreState {
  /// Writes values supplied by missing field handlers to the base. A no-op while optimistic updates
  /// are live, because the values may depend on them; readers then ask the handlers again.
  fileprivate mutating func write(
    _ handled: [(index: RecordIndex, key: FieldKey, value: FieldValue)]
  ) -> [Delivery] {
    if !source.overlay.isEmpty || source.isLoading { return [] }
    let handled = handled.filter { source[base: $0.index].state == .present }
    if handled.isEmpty { return [] }
    let updater: StoreUpdater = { store in
      for field in handled { try store.session.set(field.value, field.key, of: field.index) }
    }
    return publish([.commit(nil, root: nil, updater: updater)]).deliveries
  }
}
