/// What keeps a closure informed of changes; see ``RelayEnvironment/observe(_:onChange:)-(FragmentRef<Fragment>,_)``.
///
/// Dropping it ends the calls, as ``cancel()`` does.
public final class ObservationHandle: Sendable {
  private let receiver: any CancellableReceiver
  private let end: @Sendable () -> Void

  init(receiver: any CancellableReceiver, end: @escaping @Sendable () -> Void) {
    self.receiver = receiver
    self.end = end
  }

  deinit { cancel() }

  /// Ends the calls: none begins after this has returned. Calling it again does nothing.
  public func cancel() {
    if receiver.cancel() { end() }
  }
}

/// Where an observer's snapshots go.
package protocol SnapshotReceiver: AnyObject, Sendable {
  /// Takes a snapshot; called while the store is free, by the thread that made the change.
  func deliver(_ snapshot: RowSnapshot)
}

/// A receiver whose calls can be ended.
protocol CancellableReceiver: Sendable {
  /// Ends the calls; returns whether they were not ended before.
  func cancel() -> Bool
}

/// Calls a closure with every snapshot that is newer than the last and differs from it.
final class ObservationReceiver: SnapshotReceiver, CancellableReceiver {
  private struct State {
    /// What the closure knows.
    var last: RowSnapshot?
    var onChange: (@Sendable (RowSnapshot) -> Void)?
  }

  private let state: Locked<State>

  init(_ onChange: @escaping @Sendable (RowSnapshot) -> Void) {
    state = Locked(State(onChange: onChange))
  }

  /// Sets what the closure's user can have read already.
  func start(with snapshot: RowSnapshot) {
    state.withLock { state in
      // A change may have been faster.
      if state.last == nil { state.last = snapshot }
    }
  }

  func deliver(_ snapshot: RowSnapshot) {
    let onChange = state.withLock { state -> (@Sendable (RowSnapshot) -> Void)? in
      if let last = state.last {
        // What a commit of another observer has overtaken is not told.
        if snapshot.revision <= last.revision { return nil }
        state.last = snapshot
        if !snapshot.isDifferent(from: last) { return nil }
      }
      state.last = snapshot
      return state.onChange
    }
    onChange?(snapshot)
  }

  /// Returns whether it was not cancelled before.
  func cancel() -> Bool {
    // The closure is let go of while nothing is locked.
    let onChange = state.withLock { state in
      defer { state.onChange = nil }
      return state.onChange
    }
    return onChange != nil
  }
}
