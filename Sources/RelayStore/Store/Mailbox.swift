/// One place for the newest snapshot, between the store and one consumer.
///
/// A snapshot that was not taken is replaced by a newer one, never lost; an older one never
/// replaces it.
package final class Mailbox: Sendable {
  private struct State {
    var pending: RowSnapshot?
    var newest: UInt64?
    var waiter: CheckedContinuation<RowSnapshot?, Never>?
    var isClosed = false
  }

  private let state = Locked(State())

  package init() {}

  /// Puts a snapshot in, or hands it to the consumer that waits.
  package func deliver(_ snapshot: RowSnapshot) {
    let waiter = state.withLock { state -> CheckedContinuation<RowSnapshot?, Never>? in
      if state.isClosed || state.newest.map({ snapshot.revision <= $0 }) == true { return nil }
      state.newest = snapshot.revision
      if state.waiter == nil { state.pending = snapshot }
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: snapshot)
  }

  /// Ends the consumer's wait, now and for ever.
  package func close() {
    let waiter = state.withLock { state -> CheckedContinuation<RowSnapshot?, Never>? in
      state.isClosed = true
      state.pending = nil
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: nil)
  }

  /// The newest snapshot that was not taken yet, as soon as there is one; `nil` once closed.
  ///
  /// Cancelling the task closes the mailbox. Only one task may wait at a time.
  package func take(isolation: isolated (any Actor)?) async -> RowSnapshot? {
    await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { continuation in
        let result = state.withLock { state -> RowSnapshot?? in
          if state.isClosed { return .some(nil) }
          if let pending = state.pending {
            state.pending = nil
            return pending
          }
          state.waiter = continuation
          return nil
        }
        if let result { continuation.resume(returning: result) }
      }
    } onCancel: {
      close()
    }
  }
}
