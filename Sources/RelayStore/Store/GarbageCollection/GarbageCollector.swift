/// The garbage collection of a store, for programs that say when it works.
///
///     while store.garbageCollector.step(records: 500) { await Task.yield() }
///
/// A collection becomes due when an operation leaves the release buffer or takes no place in it, when a hundred
/// observers, optimistic updates or fetches that nobody retains have ended, when the store has grown over
/// `garbageCollectionThreshold` and to twice what the last one left, or with the first write after `garbageCollectionInterval`.
/// With `garbageCollection: .automatic` it then works by itself, in slices; with `.manual` only through this.
public struct GarbageCollector: Sendable {
  let store: RecordStore

  /// Whether a collection is due, or has begun and is not done.
  public var isPending: Bool { store.state.withLock { $0.collector.isPending } }

  /// Does a slice of the collection that is due; the store is held meanwhile, and free between slices.
  ///
  /// What is written between slices is looked at in the next one beside its own share, so that nothing
  /// reachable is taken and the end comes however much is written.
  ///
  /// - Parameter records: About how many records to look at.
  /// - Returns: Whether there is more to do; `false` where none is due and while it is held.
  @discardableResult
  public func step(records: Int) -> Bool { store.withState { $0.collect(records: records) } }

  /// Does a whole collection at once, from the beginning, whether or not one is due; nothing while it is held.
  @discardableResult
  public func finish() -> RecordStore.GarbageCollectionReport { store.collectGarbage() }

  /// Keeps everything for a while: nothing is collected until the hold is released or dropped.
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
  /// The garbage collection, for programs that say when it works.
  public var garbageCollector: GarbageCollector { GarbageCollector(store: self) }

  /// Why a record is kept by garbage collection; empty where it is not, or there is none.
  ///
  /// - Complexity: O(*n*) in all that is retained and observed: for finding out, not for every day.
  public func explain(_ id: DataID) -> [RetentionReason] { state.withLock { $0.explain(id) } }

  /// How many records a slice looks at that comes by itself: well under a millisecond.
  private static let sliceSize = 1_000

  /// Starts to collect in slices where that is due and comes by itself.
  func collectIfDue() {
    guard configuration.garbageCollection == .automatic,
      state.withLock({ $0.collector.schedule() })
    else { return }
    Task.detached(priority: .utility) { [weak self] in
      while let store = self, store.garbageCollector.step(records: Self.sliceSize) {
        // Those who wait for the store come first.
        await Task.yield()
      }
      self?.state.withLock { $0.collector.endSchedule() }
    }
  }
}
