/// The lifetime of an observation by a closure; see
/// ``RelayEnvironment/observe(_:onChange:)-(FragmentRef<Fragment>,_)``.
///
/// Dropping the handle cancels the observation, as ``cancel()`` does.
public final class ObservationHandle: Sendable {
  /// The observation's entry in the store's tables, with the receiver of its calls.
  package enum Registration: Sendable {
    case observer(ObserverTable.Observer)
    /// The group of several observers whose values are delivered as one.
    case group(UInt64, ObservationReceiver)
    case invalidation(UInt64, InvalidationReceiver)
    case replica(UInt64, ReplicaQueue)
  }

  private let store: RecordStore
  /// The entry, unless it is an observer.
  private let entry: Registration?
  /// The observer. Not in `entry`, because reading the case of an enum copies its value.
  let observer: ObserverTable.Observer?

  /// Creates the handle of a registration in a store. Without a registration, nothing is called.
  package init(_ registration: Registration?, in store: RecordStore) {
    observer = if case .observer(let observer) = registration { observer } else { nil }
    entry = observer == nil ? registration : nil
    self.store = store
  }

  deinit { cancel() }

  /// The observer's newest snapshot, delivered or not; `nil` for other observations.
  var snapshot: RowSnapshot? {
    guard let observer else { return nil }
    return store.state.withLock { _ in observer.slot == nil ? nil : observer.snapshot }
  }

  /// Calls the closure of a model's observation with the newest snapshot, unless the closure has
  /// already received it.
  func deliverWaiting() {
    if let observer { store.models.deliverWaiting(of: observer) }
    if case .group(_, let receiver) = entry { store.models.deliverWaiting(of: receiver) }
  }

  /// Cancels the observation. No call starts after this has returned, except a call that another
  /// thread is about to make. Later calls are no-ops.
  public func cancel() {
    guard let entry else {
      if let observer, observer.cancel() { store.end(observer) }
      return
    }
    let isFirst =
      switch entry {
      case .observer: false
      case .group(_, let receiver): receiver.cancel()
      case .invalidation(_, let receiver): receiver.cancel()
      case .replica(_, let queue): queue.cancel()
      }
    if isFirst { store.end(entry) }
  }
}

extension RecordStore {
  /// Removes an ended observer: later, unless there are live fields, whose sequences may end with
  /// it.
  func end(_ observer: ObserverTable.Observer) {
    if !live.isEmpty { return end(.observer(observer)) }
    if state.versions.end(observer) { removeEndedObservers() }
  }

  /// Removes an entry; if an updater is running on this thread, after it.
  func end(_ registration: ObservationHandle.Registration) {
    let isAutomatic = configuration.garbageCollection == .automatic
    let outcome = state.withLockUnlessHeld { state in
      let hadLiveFields = state.observers.liveFieldCount > 0
      state.remove(registration)
      return (isDue: isAutomatic && state.collector.schedule(), hadLiveFields: hadLiveFields)
    }
    guard let outcome else { return afterUpdater { $0.end(registration) } }
    if outcome.hadLiveFields { cancelEndedLiveFields() }
    if outcome.isDue { runScheduledCollections() }
  }

  /// In the background, removes the observers that have ended, unless a thread locks the store
  /// first.
  private func removeEndedObservers() {
    // A weak reference would make every later retain of the store slower.
    RemovalTimer.shared.start { [self] in
      state.versions.startRemoval()
      // They are removed whenever the store is locked.
      state.withLock { _ in }
      cancelEndedLiveFields()
      collectIfDue()
    }
  }
}
