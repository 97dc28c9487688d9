/// The lifetime of an observation by a closure; see
/// ``RelayEnvironment/observe(_:onChange:)-(FragmentRef<Fragment>,_)``.
///
/// Dropping the handle cancels the observation, as ``cancel()`` does.
public final class ObservationHandle: Sendable {
  /// The entry of the store's tables that the observation has.
  enum Registration: Sendable {
    case observer(ObserverTable.ID)
    /// The group of several observers whose values are delivered as one.
    case group(UInt64)
    case invalidation(UInt64)
    case replica(UInt64)
  }

  private let receiver: any CancellableReceiver
  private let store: RecordStore?
  private let registration: Registration?

  /// Creates the handle of a registration in a store; without one, nothing is ever delivered.
  init(
    receiver: any CancellableReceiver, registration: Registration? = nil,
    store: RecordStore? = nil
  ) {
    self.receiver = receiver
    self.registration = registration
    self.store = store
  }

  deinit { cancel() }

  /// Cancels the observation. No call begins after this has returned, except one that another
  /// thread is about to make. Calling it again does nothing.
  public func cancel() {
    guard receiver.cancel(), let store, let registration else { return }
    store.end(registration)
  }
}

extension RecordStore {
  /// Removes the entry of an observation that has ended.
  fileprivate func end(_ registration: ObservationHandle.Registration) {
    // Without an updater on this thread nothing is deferred, so no closure is made.
    if state.isHeldByThisThread {
      afterUpdater { $0.remove(registration) }
    } else {
      remove(registration)
    }
  }

  private func remove(_ registration: ObservationHandle.Registration) {
    switch registration {
    case .observer(let id): state.withLock { $0.stopObserving(id) }
    case .group(let id): state.withLock { $0.stopObserving(plural: id) }
    case .invalidation(let id): state.withLock { $0.invalidationObservers.remove(id) }
    case .replica(let id): state.withLock { $0.removeReplica(id) }
    }
    collectIfDue()
  }
}
