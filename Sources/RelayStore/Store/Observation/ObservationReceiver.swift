/// The receiver of an observation: calls a closure with every snapshot that is newer than the last
/// one and differs from it.
///
/// One thread calls the closure at a time, so that revisions never go back. A thread with a newer
/// snapshot leaves it to the calling thread.
///
/// `@unchecked Sendable`: ``state`` is accessed only under the object's lock in ``locks``, except
/// before the receiver is registered. For the same reason its accesses are not checked for
/// exclusivity.
final class ObservationReceiver: CancellableReceiver, @unchecked Sendable {
  /// The closure. In a struct, because an optional closure is wrapped in another one whenever it is
  /// moved.
  private struct Callback {
    let onChange: @Sendable (RowSnapshot) -> Void
  }

  /// The newest snapshot that another thread delivered during a call, or that a model has not
  /// received yet. Indirect, because it is rare and large.
  private enum Waiting {
    case none
    indirect case snapshot(RowSnapshot)

    mutating func add(_ snapshot: RowSnapshot) {
      if case .snapshot(let other) = self, other.revision >= snapshot.revision { return }
      self = .snapshot(snapshot)
    }

    mutating func take() -> RowSnapshot? {
      guard case .snapshot(let snapshot) = self else { return nil }
      self = .none
      return snapshot
    }
  }

  private struct State {
    /// The newest snapshot that the closure received or that its owner has read.
    var last: RowSnapshot?
    /// The closure; `nil` once the observation was cancelled.
    var callback: Callback?
    /// Whether a thread is calling the closure. The same thread never delivers meanwhile, because
    /// ``DeliveryQueue`` does not nest calls.
    var isCalling = false
    var waiting = Waiting.none

    /// Begins a call of the closure, if the snapshot is newer than the last one and differs from
    /// it.
    mutating func begin(_ snapshot: RowSnapshot) -> (callback: Callback, snapshot: RowSnapshot)? {
      if let last {
        // A newer snapshot was delivered first.
        if snapshot.revision <= last.revision { return nil }
        self.last = snapshot
        if !snapshot.isDifferent(from: last) { return nil }
      }
      last = snapshot
      guard let callback else { return nil }
      isCalling = true
      return (callback, snapshot)
    }
  }

  @exclusivity(unchecked) private var state: State
  /// The locks of all receivers: an application has thousands of them, and none is held for long.
  private static let locks = StripedLock(rank: .consumer)

  init(_ onChange: @escaping @Sendable (RowSnapshot) -> Void) {
    state = State(callback: Callback(onChange: onChange))
  }

  private func withLock<Result>(_ body: (inout State) -> sending Result) -> sending Result {
    Self.locks.withLock(of: self) { body(&state) }
  }

  /// Sets the snapshot that the closure's owner has read, which is not delivered.
  ///
  /// - Precondition: The store is locked since before the receiver was registered in it. No other
  ///   thread can know the receiver yet, so its lock is not needed.
  func start(with snapshot: RowSnapshot) { state.last = snapshot }

  func deliver(_ snapshot: RowSnapshot) {
    var call = withLock { state in
      if state.isCalling {
        state.waiting.add(snapshot)
        return (callback: Callback, snapshot: RowSnapshot)?.none
      }
      return state.begin(snapshot)
    }
    while let (callback, snapshot) = call {
      callback.onChange(snapshot)
      call = withLock { state in
        state.isCalling = false
        return state.waiting.take().flatMap { state.begin($0) }
      }
    }
  }

  /// Stores a snapshot for ``deliverWaiting()``, in place of an older one.
  ///
  /// - Returns: Whether none was stored before.
  func replaceWaiting(by snapshot: RowSnapshot) -> Bool {
    withLock { state in
      defer { state.waiting.add(snapshot) }
      if case .none = state.waiting { return true }
      return false
    }
  }

  /// Calls the closure with the stored snapshot, if there is one. Unlike ``deliver(_:)``, threads
  /// may do so at the same time, because the main actor must not leave a snapshot to another one.
  func deliverWaiting() {
    let call = withLock { state in
      defer { state.isCalling = false }
      return state.waiting.take().flatMap { state.begin($0) }
    }
    if let (callback, snapshot) = call { callback.onChange(snapshot) }
  }

  /// Cancels the observation and returns whether it was not cancelled before.
  func cancel() -> Bool {
    // The closure is released after the lock.
    var callback: Callback?
    withLock { swap(&callback, &$0.callback) }
    return callback != nil
  }
}
