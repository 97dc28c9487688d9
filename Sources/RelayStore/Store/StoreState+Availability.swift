extension StoreState {
  /// Checks whether the visible records have the data of an operation.
  ///
  /// As in relay-runtime, the order is: invalidation of the store, invalidation of a reached
  /// record, missing data, expiry. While the source is loading, missing data counts as not loaded.
  ///
  /// - Parameter limit: The maximum number of missing elements to list.
  /// - Returns: The availability, and the values supplied by missing field handlers.
  package mutating func check(_ operation: WrittenOperation, listing limit: Int) -> (
    availability: OperationAvailability,
    handled: [(index: RecordIndex, key: FieldKey, value: FieldValue)]
  ) {
    let result = availability(of: operation, listing: limit)
    events.append(.check(result.availability))
    return result
  }

  /// Returns whether data of an operation is missing.
  mutating func lacksData(of operation: WrittenOperation) -> Bool {
    AvailabilityChecker.check(index(of: operation.root), operation.plan, in: source).isMissing
  }

  private mutating func availability(of operation: WrittenOperation, listing limit: Int) -> (
    availability: OperationAvailability,
    handled: [(index: RecordIndex, key: FieldKey, value: FieldValue)]
  ) {
    if retention.isStale(operation.identity) { return (.stale, []) }
    let write = retention.write(of: operation.identity)
    // An operation written by the publish that invalidated the store is stale.
    if let invalidated = source.observers.invalidations.storeInvalidatedAt,
      write.map({ $0.epoch <= invalidated }) ?? true
    {
      return (.stale, [])
    }
    let found = AvailabilityChecker.check(
      index(of: operation.root), operation.plan, in: source, listing: limit)
    // An operation written by the publish that invalidated the record is not stale.
    if let invalidated = found.invalidatedAt, write.map({ $0.epoch < invalidated }) ?? true {
      return (.stale, found.handled)
    }
    if found.isMissing {
      if source.isLoading { return (.notLoaded, []) }
      return (.missing(found.missing), found.handled)
    }
    if let left = retention.timeLeft(of: operation.identity, now: time.elapsed), left <= .zero {
      return (.stale, found.handled)
    }
    return (.available(fetchedAt: write.map { time.date($0.time) }), found.handled)
  }

  /// Stores the time of an operation's write, and adds its records as a root of the garbage
  /// collection in progress.
  mutating func recordWriteTime(of operation: WrittenOperation) {
    let index = index(of: operation.root)
    let isKept = retention.recordWrite(
      .init(
        epoch: source.observers.invalidations.epoch, time: time.elapsed, maxAge: operation.maxAge),
      of: operation.identity,
      root: index, plan: operation.plan)
    if isKept { collector.add(index, operation.plan) } else { collector.countEndedUse() }
  }

  /// Applies the invalidations that the updaters of a publish requested.
  mutating func applyInvalidations(of changes: [Change]) {
    guard source.observers.invalidations.isInUse else { return }
    for case .commit(let payload?, _, _) in changes {
      let indexes = payload.entries.map { index(of: payload.id(of: $0.record)) }
      source.observers.invalidations.markWritten(indexes)
    }
    // The invalidation of a record that was also deleted has no effect.
    let records = Set(
      source.observers.invalidations.pending.filter { source[base: $0].state == .present })
    let isStore = source.observers.invalidations.invalidatePending(and: records)
    invalidationObservers.insert(
      Set(records.compactMap { source.id(of: $0) }), store: isStore)
  }

  /// Returns the deliveries to the observers of the pending invalidations.
  mutating func notifyOfInvalidation() -> [Delivery] {
    guard let invalidated = invalidationObservers.drain() else { return [] }
    return invalidationObservers.all.compactMap { observer in
      invalidated.store || isAffected(observer, by: invalidated.records)
        ? .invalidation(observer.receiver) : nil
    }
  }

  /// Returns whether an observer watches one of the invalidated records.
  private mutating func isAffected(
    _ observer: InvalidationObservers.Observer, by ids: Set<DataID>
  ) -> Bool {
    switch observer.target {
    case .records(let watched): return !watched.isDisjoint(with: ids)
    case .operation(let operation):
      var reached = RecordSet()
      Reachability.mark(
        from: index(of: operation.root), operation.plan, in: source, into: &reached)
      return ids.contains { id in source.index(of: id).map(reached.contains) ?? false }
    }
  }
}
