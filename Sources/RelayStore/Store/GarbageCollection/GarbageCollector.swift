/// The garbage collector of a store, for programs that decide when it runs.
///
///     while store.garbageCollector.step(records: 500) { await Task.yield() }
///
/// A collection becomes due in one of these cases:
/// - An operation leaves the release buffer or does not enter it.
/// - A hundred observers, optimistic updates or unretained fetches have ended.
/// - The store has grown beyond `garbageCollectionThreshold` and to twice its size after the last
///   collection.
/// - A write happens after `garbageCollectionInterval`.
///
/// With `garbageCollection: .automatic` a due collection runs by itself, in slices; with `.manual`
/// it runs through this type only.
public struct GarbageCollector: Sendable {
  let store: RecordStore

  /// Whether a collection is due or in progress.
  public var isPending: Bool { store.state.withLock { $0.collector.isPending } }

  /// Runs a slice of the collection that is due. The store is locked during a slice and unlocked
  /// between slices.
  ///
  /// The next slice does the work added by writes on top of its own budget. Writers cannot starve
  /// the collector, and no reachable record is collected.
  ///
  /// - Parameter records: The approximate number of records to visit.
  /// - Returns: Whether there is more to do; `false` if no collection is due or it is on hold.
  @discardableResult
  public func step(records: Int) -> Bool {
    let (isPending, _, deliveries) = store.withState { $0.collect(records: records) }
    DeliveryQueue.deliver(deliveries)
    store.journal?.changesWereMade(to: store)
    return isPending
  }

  /// Runs a complete collection from the start, due or not; a no-op while on hold.
  @discardableResult
  public func finish() -> RecordStore.GarbageCollectionReport { store.collectGarbage() }

  /// Puts collection on hold until the result is released or dropped.
  public func hold() -> Retention {
    store.state.withLock { $0.collector.hold() }
    return Retention { [store] in
      store.afterUpdater { store in
        store.state.withLock { $0.collector.endHold() }
        store.collectIfDue()
      }
    }
  }
}

extension RecordStore {
  /// The garbage collector, for programs that decide when it runs.
  public var garbageCollector: GarbageCollector { GarbageCollector(store: self) }

  /// Returns the reasons why garbage collection retains a record; empty if the record is garbage or
  /// does not exist.
  ///
  /// - Complexity: O(*n*) in all retained and observed records; meant for debugging.
  public func explain(_ id: DataID) -> [RetentionReason] { state.withLock { $0.explain(id) } }

  /// The number of records in an automatic slice. A slice takes well under a millisecond.
  private static let sliceSize = 1_000

  /// Starts an automatic collection in slices if one is due.
  func collectIfDue() {
    guard configuration.garbageCollection == .automatic,
      state.withLock({ $0.collector.schedule() })
    else { return }
    runScheduledCollections()
  }

  /// Starts the task whose collections ``GarbageCollectionScheduler/schedule()`` has marked as
  /// scheduled.
  func runScheduledCollections() {
    Task.detached(priority: .utility) { [weak self] in
      while let store = self, store.garbageCollector.step(records: Self.sliceSize) {
        // Lets threads that wait for the store's lock run first.
        await Task.yield()
      }
      self?.state.withLock { $0.collector.endSchedule() }
    }
  }
}
