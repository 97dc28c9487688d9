/// The receiver of an observation: calls a closure with every snapshot that is newer than the last
/// one and differs from it. The observer of a fragment is the receiver of its own closure.
///
/// One thread calls the closure at a time, so revisions never go back. A thread with a newer
/// snapshot leaves it to the calling thread.
///
/// `@unchecked Sendable`: ``state`` is accessed only under the object's lock in ``locks``, and
/// ``waitingPosition`` under the lock of ``ModelDeliveries``. For the same reason their accesses are
/// not checked for exclusivity.
package class ObservationReceiver: @unchecked Sendable {
  /// A call of the closure, with the snapshot that it received before.
  private typealias Call = (old: RowSnapshot?, callback: ObserverCallback)

  private struct State {
    /// The newest snapshot that the closure received or its owner read.
    var last: RowSnapshot?
    /// The closure; `nil` once the observation was cancelled.
    var callback: ObserverCallback?
    /// Whether a thread is calling the closure. The calling thread does not deliver again during
    /// the call, because ``DeliveryQueue`` does not nest calls.
    var isCalling = false
    /// The newest snapshot that another thread delivered during a call, if there is one. In an
    /// array, because it is rare and large.
    var waiting: [RowSnapshot] = []

    /// Stores a snapshot for the calling thread, if it is newer than the one that waits.
    mutating func addWaiting(_ snapshot: RowSnapshot) {
      guard let other = waiting.first else { return waiting = [snapshot] }
      if other.revision < snapshot.revision { waiting = [snapshot.replacing(other)] }
    }

    /// Stores a snapshot as the last one, if it is newer.
    ///
    /// - Returns: The previous snapshot and the closure; `nil` if a newer snapshot was stored
    ///   first, or the observation was cancelled.
    mutating func replaceLast(by snapshot: RowSnapshot) -> Call? {
      if let last, snapshot.revision <= last.revision { return nil }
      guard let callback else { return nil }
      defer { last = snapshot }
      return (last, callback)
    }
  }

  let kind: ObserverKind
  @exclusivity(unchecked) private var state: State
  /// The position of the snapshot that waits for a turn, if a model observes; ``ModelDeliveries``
  /// accesses it under its own lock.
  @exclusivity(unchecked) final var waitingPosition = 0
  /// The locks of all receivers: an application has thousands of receivers, and no lock is held for
  /// long.
  private static let locks = StripedLock(rank: .consumer)

  /// - Parameters:
  ///   - callback: The closure; `nil` for an element of a list.
  ///   - last: The snapshot that the closure's owner has read. It is not delivered.
  init(_ callback: ObserverCallback?, last: RowSnapshot) {
    kind = callback?.kind ?? .closure
    state = State(last: callback == nil ? nil : last, callback: callback)
  }

  private func withLock<Result>(_ body: (inout State) -> sending Result) -> sending Result {
    Self.locks.withLock(of: self) { body(&state) }
  }

  final func deliver(_ snapshot: RowSnapshot) {
    if kind == .mailbox { return deliverInTurn(snapshot) }
    var next: RowSnapshot? = snapshot
    while let snapshot = next {
      let call = withLock { state -> Call? in
        if state.isCalling {
          state.addWaiting(snapshot)
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
        return state.waiting.popLast()
      }
    }
  }

  /// Calls the closure with a snapshot, unless it received a newer one. Unlike in ``deliver(_:)``,
  /// threads may do so at the same time: the main actor, or a commit whose caller iterates a stream
  /// next, must not leave a snapshot to another thread.
  final func deliverInTurn(_ snapshot: RowSnapshot) {
    if let call = withLock({ $0.replaceLast(by: snapshot) }) {
      self.call(call.callback, with: snapshot, ifDifferentFrom: call.old)
    }
  }

  /// Calls the closure with a snapshot that differs from the last one. The lock is not held,
  /// because comparing and releasing snapshots may run code of scalars and take time.
  private func call(
    _ callback: ObserverCallback, with snapshot: RowSnapshot, ifDifferentFrom old: RowSnapshot?
  ) {
    if old.map({ snapshot.isDifferent(from: $0) }) ?? true { callback.onChange(snapshot) }
  }

  /// Releases the last snapshot, after the observation was cancelled.
  final func releaseLast() { _ = withLock { $0.last.take() } }

  /// Cancels the observation and returns whether this was the first call.
  final func cancel() -> Bool {
    // The closure is released after the lock.
    let callback = withLock { $0.callback.take() }
    return callback != nil
  }
}
