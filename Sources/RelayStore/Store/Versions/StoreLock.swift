/// The lock of a store's state. It publishes what has changed before it is unlocked.
package final class StoreLock: Sendable {
  private let state: Locked<StoreState>
  let versions: PublishedVersions

  init(_ state: sending StoreState) {
    var state = state
    versions = PublishedVersions(of: state.source)
    state.versions = versions
    state.publishVersion()
    self.state = Locked(state, rank: .store)
  }

  /// Runs a closure with exclusive access to the state, and publishes the changes.
  package func withLock<Result, Failure: Error>(
    _ body: (inout StoreState) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    // Released after unlocking, because it may be many records.
    var rest: ([Delivery], StoreState.Garbage)?
    defer { if let deliveries = rest?.0, !deliveries.isEmpty { DeliveryQueue.deliver(deliveries) } }
    return try state.withLock { (state) throws(Failure) -> sending Result in
      state.updateObservers()
      defer { rest = state.publishChanges() }
      return try body(&state)
    }
  }

  /// Same as ``withLock(_:)``, unless the calling thread is already inside it.
  ///
  /// - Returns: The result of `body`; `nil` if it was not called.
  func withLockUnlessHeld<Result>(_ body: (inout StoreState) -> sending Result) -> sending Result? {
    var rest: ([Delivery], StoreState.Garbage)?
    defer { if let deliveries = rest?.0, !deliveries.isEmpty { DeliveryQueue.deliver(deliveries) } }
    return state.withLockUnlessHeld { state in
      state.updateObservers()
      defer { rest = state.publishChanges() }
      return body(&state)
    }
  }

  /// Whether the calling thread is inside ``withLock(_:)``. On Darwin, blocks while another thread
  /// is.
  package var isHeldByThisThread: Bool { state.isHeldByThisThread }
}
