/// The receiver of an observation: calls a closure with every snapshot that is newer than the last
/// one and differs from it.
///
/// One thread calls the closure at a time, so revisions never go back. A thread with a newer
/// snapshot leaves it to the calling thread.
///
/// `@unchecked Sendable`: ``state`` is accessed only under the object's lock in ``locks``, except
/// before the receiver is registered, and ``waitingPosition`` under the lock of
/// ``ModelDeliveries``. For the same reason their accesses are not checked for exclusivity.
package final class ObservationReceiver: CancellableReceiver, @unchecked Sendable {
  /// The closure. In a struct, because an optional closure is wrapped in another one whenever it is
  /// moved.
  private struct Callback {
    let onChange: @Sendable (RowSnapshot) -> Void
  }

  /// The newest snapshot that another thread delivered during a call. Indirect, because it is rare
  /// and large.
  private enum Waiting {
    case none
    indirect case snapshot(RowSnapshot)

    mutating func add(_ snapshot: RowSnapshot) {
      guard case .snapshot(let other) = self else {
        self = .snapshot(snapshot)
        return
      }
      if other.revision < snapshot.revision { self = .snapshot(snapshot.replacing(other)) }
    }

    mutating func take() -> RowSnapshot? {
      guard case .snapshot(let snapshot) = self else { return nil }
      self = .none
      return snapshot
    }
  }

  private struct State {
    /// The newest snapshot that the closure received or its owner read.
    var last: RowSnapshot?
    /// The closure; `nil` once the observation was cancelled.
    var callback: Callback?
    /// Whether a thread is calling the closure. The calling thread does not deliver again during
    /// the call, because ``DeliveryQueue`` does not nest calls.
    var isCalling = false
    var waiting = Waiting.none

    /// Stores a snapshot as the last one, if it is newer.
    ///
    /// - Returns: The previous snapshot and the closure; `nil` if a newer snapshot was stored
    ///   first, or the observation was cancelled.
    mutating func replaceLast(by snapshot: RowSnapshot) -> (old: RowSnapshot?, callback: Callback)?
    {
      if let last, snapshot.revision <= last.revision { return nil }
      guard let callback else { return nil }
      defer { last = snapshot }
      return (last, callback)
    }
  }

  @exclusivity(unchecked) private var state: State
  /// The position of the snapshot that waits for a turn, if a model observes; ``ModelDeliveries``
  /// accesses it under its own lock.
  @exclusivity(unchecked) var waitingPosition = 0
  /// The locks of all receivers: an application has thousands of receivers, and no lock is held for
  /// long.
  private static let locks = StripedLock(rank: .consumer)

  init(_ onChange: @escaping @Sendable (RowSnapshot) -> Void) {
    state = State(callback: Callback(onChange: onChange))
  }

  private func withLock<Result>(_ body: (inout State) -> sending Result) -> sending Result {
    Self.locks.withLock(of: self) { body(&state) }
  }

  /// Sets the snapshot that the closure's owner has read. It is not delivered.
  ///
  /// - Precondition: The store has been locked since before the receiver was registered in it. No
  ///   other thread can know the receiver yet, so its lock is not needed.
  func start(with snapshot: RowSnapshot) { state.last = snapshot }

  func deliver(_ snapshot: RowSnapshot) {
    var next: RowSnapshot? = snapshot
    while let snapshot = next {
      let call = withLock { state -> (old: RowSnapshot?, callback: Callback)? in
        if state.isCalling {
          state.waiting.add(snapshot)
          return nil
        }
        let call = state.replaceLast(by: snapshot)
        state.isCalling = call != nil
        return call
      }
      guard let call else { return }
      self.call(call.callback, with: snapshot, ifDifferentFrom: call.old)
      next = withLock { state in
        state.isCalling = false
        return state.waiting.take()
      }
    }
  }

  /// Calls the closure with a snapshot, unless it received a newer one. Unlike ``deliver(_:)``,
  /// threads may do so at the same time, because the main actor must not leave a snapshot to
  /// another thread.
  func deliverInTurn(_ snapshot: RowSnapshot) {
    if let call = withLock({ $0.replaceLast(by: snapshot) }) {
      self.call(call.callback, with: snapshot, ifDifferentFrom: call.old)
    }
  }

  /// Calls the closure with a snapshot that differs from the last one. The lock is not held,
  /// because comparing and releasing snapshots may run code of scalars and take time.
  private func call(
    _ callback: Callback, with snapshot: RowSnapshot, ifDifferentFrom old: RowSnapshot?
  ) {
    if old.map({ snapshot.isDifferent(from: $0) }) ?? true { callback.onChange(snapshot) }
  }

  /// Releases the last snapshot, after the observation was cancelled.
  func releaseLast() { _ = withLock { $0.last.take() } }

  /// Cancels the observation and returns whether this was the first call.
  package func cancel() -> Bool {
    // The closure is released after the lock.
    let callback = withLock { $0.callback.take() }
    return callback != nil
  }
}
