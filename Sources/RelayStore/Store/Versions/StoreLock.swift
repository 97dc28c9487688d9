/// The lock around a store's state. Changes are published before it is unlocked.
package final class StoreLock: Sendable {
  private let state: Locked<StoreState>
  let versions: PublishedVersions
  private let releases = BackgroundReleases()

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
    var rest: ([Delivery], StoreState.Garbage)?
    defer { finish(&rest) }
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
    defer { finish(&rest) }
    return state.withLockUnlessHeld { state in
      state.updateObservers()
      defer { rest = state.publishChanges() }
      return body(&state)
    }
  }

  /// Delivers, and releases what is not needed anymore: much of it in the background, unless that
  /// still releases the rest of earlier changes.
  private func finish(_ rest: inout ([Delivery], StoreState.Garbage)?) {
    guard let (deliveries, garbage) = rest else { return }
    rest = nil
    if garbage.isLarge, releases.begin() {
      Task.detached(priority: .utility) { [releases] in releases.end(garbage) }
    } else {
      garbage.releaseSnapshots()
    }
    if !deliveries.isEmpty { DeliveryQueue.deliver(deliveries) }
  }

  /// Whether the calling thread is inside ``withLock(_:)``. On Darwin, blocks while another thread
  /// is.
  package var isHeldByThisThread: Bool { state.isHeldByThisThread }
}

/// The garbage that is being released in the background. Its amount is limited, so that a thread
/// that makes garbage faster than the background releases it takes part in that.
private final class BackgroundReleases: Sendable {
  private let count = Locked(0, rank: .leaf)
  private static let limit = 2

  /// Returns whether more garbage may be released in the background.
  func begin() -> Bool {
    count.withLock { count in
      if count == Self.limit { return false }
      count += 1
      return true
    }
  }

  /// Releases garbage.
  func end(_ garbage: consuming StoreState.Garbage) {
    garbage.releaseSnapshots()
    garbage = StoreState.Garbage()
    count.withLock { $0 -= 1 }
  }
}
