extension RecordStore {
  /// Checks whether the visible records have the data of an operation.
  ///
  /// The values that missing field handlers supply are written to the base, unless optimistic
  /// updates are live.
  ///
  /// - Parameter limit: The maximum number of elements in the list of what is missing.
  package func check(
    _ operation: WrittenOperation, listing limit: Int = 0
  ) -> OperationAvailability {
    let (answer, deliveries) = withState { state in
      let (answer, handled) = state.check(operation, listing: limit)
      return (answer, state.write(handled))
    }
    DeliveryQueue.deliver(deliveries)
    return answer
  }

  /// Returns the time until a query's data is stale because of its age, 0 or less if it is; `nil` if it
  /// was not fetched, or is fresh for any time.
  package func timeLeft(of identity: RequestIdentity) -> Duration? {
    state.withLock { $0.retention.timeLeft(of: identity, now: $0.time.elapsed) }
  }

  /// Returns whether data of an operation is missing, whether it is stale or not.
  package func lacksData(of operation: WrittenOperation) -> Bool {
    withState { $0.lacksData(of: operation) }
  }

  /// Marks operations as stale until they are written again.
  ///
  /// - Returns: Those that are retained.
  func markStale(_ identities: [RequestIdentity]) -> Set<RequestIdentity> {
    state.withLock { state in Set(identities.filter { state.retention.markStale($0) }) }
  }

  /// Calls a closure when one of the records, or the whole store, is invalidated.
  package func onInvalidation(of ids: Set<DataID>, _ body: @escaping @Sendable () -> Void)
    -> ObservationHandle
  {
    onInvalidation(.records(ids), body)
  }

  /// Calls a closure when a record that an operation reaches, or the whole store, is invalidated.
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
    return ObservationHandle(receiver: receiver, registration: .invalidation(id), store: self)
  }
}

extension StoreState {
  /// Writes the values that missing field handlers have supplied to the base. It writes nothing
  /// while optimistic updates are live, because the values may depend on them; readers ask the
  /// handlers again.
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
