/// Calls a closure with every snapshot that is newer than the last and differs from it.
///
/// One thread calls at a time, so that what the closure is told never goes back: another that has a
/// newer snapshot leaves it to the one that calls.
final class ObservationReceiver: CancellableReceiver {
  private typealias Closure = @Sendable (RowSnapshot) -> Void

  private struct State {
    /// What the closure knows.
    var last: RowSnapshot?
    var onChange: Closure?
    /// Whether a thread is calling the closure. That thread brings nothing meanwhile: ``DeliveryQueue`` never nests calls.
    var isCalling = false
    /// What another thread has brought meanwhile.
    var waiting: RowSnapshot?

    /// Begins a call of the closure with a snapshot, where that is news to it.
    mutating func begin(_ snapshot: RowSnapshot) -> (closure: Closure, snapshot: RowSnapshot)? {
      if let last {
        // What a commit of another observer has overtaken is not told.
        if snapshot.revision <= last.revision { return nil }
        self.last = snapshot
        if !snapshot.isDifferent(from: last) { return nil }
      }
      last = snapshot
      guard let onChange else { return nil }
      isCalling = true
      return (onChange, snapshot)
    }
  }

  private let state: Locked<State>

  init(_ onChange: @escaping @Sendable (RowSnapshot) -> Void) {
    state = Locked(State(onChange: onChange), rank: .consumer)
  }

  /// Sets what the closure's user can have read already.
  func start(with snapshot: RowSnapshot) {
    state.withLock { state in
      // A change may have been faster.
      if state.last == nil { state.last = snapshot }
    }
  }

  func deliver(_ snapshot: RowSnapshot) {
    var call = state.withLock { state in
      if state.isCalling {
        if state.waiting.map({ $0.revision < snapshot.revision }) ?? true {
          state.waiting = snapshot
        }
        return (closure: Closure, snapshot: RowSnapshot)?.none
      }
      return state.begin(snapshot)
    }
    while let (closure, snapshot) = call {
      closure(snapshot)
      call = state.withLock { state in
        state.isCalling = false
        return state.waiting.take().flatMap { state.begin($0) }
      }
    }
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
