/// The lifetime of an observation by a closure; see
/// ``RelayEnvironment/observe(_:onChange:)-(FragmentRef<Fragment>,_)``.
///
/// Dropping the handle cancels the observation, as ``cancel()`` does.
public final class ObservationHandle: Sendable {
  /// The observation's entry in the store's tables.
  package enum Registration: Sendable {
    case observer(ObserverTable.Observer)
    /// The group of several observers whose values are delivered as one.
    case group(UInt64)
    case invalidation(UInt64)
    case replica(UInt64)
  }

  private let receiver: any CancellableReceiver
  private let store: RecordStore?
  let registration: Registration?

  /// Creates the handle of a registration in a store. Without a registration, the receiver is never
  /// called.
  package init(
    receiver: any CancellableReceiver, registration: Registration? = nil,
    store: RecordStore? = nil
  ) {
    self.receiver = receiver
    self.registration = registration
    self.store = store
  }

  deinit { cancel() }

  /// The observer's newest snapshot, delivered or not; `nil` for other observations.
  var snapshot: RowSnapshot? {
    guard let store, case .observer(let observer) = registration else { return nil }
    return store.state.withLock { _ in observer.slot == nil ? nil : observer.snapshot }
  }

  /// Calls the closure of a model's observation with the newest snapshot, unless the closure has
  /// already received it.
  func deliverWaiting() {
    if let receiver = receiver as? ObservationReceiver {
      store?.models.deliverWaiting(of: receiver)
    }
  }

  /// Cancels the observation. No call starts after this has returned, except a call that another
  /// thread is about to make. Later calls are no-ops.
  public func cancel() {
    guard receiver.cancel(), let store, let registration else { return }
    store.end(registration)
  }
}

extension RecordStore {
  /// Removes the entry of an ended observation: later if it is an observer's, unless there are live
  /// fields, whose sequences may end with it. If an updater is running on this thread, removes the
  /// entry after it.
  func end(_ registration: ObservationHandle.Registration) {
    if case .observer(let observer) = registration, live.isEmpty {
      if state.versions.end(observer) { removeEndedObservers() }
      return
    }
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

  /// Removes the observers that have ended, and releases their rows, in the background, once the
  /// observers of the same screen have ended too.
  private func removeEndedObservers() {
    // A weak reference would make every later retain of the store slower.
    Task.detached(priority: .utility) { [self] in
      try? await Task.sleep(for: .milliseconds(2))
      // They are removed whenever the store is locked.
      state.withLock { _ in }
      cancelEndedLiveFields()
      collectIfDue()
    }
  }
}
