/// One place for the newest state of a load, between the load and one consumer.
final class StateMailbox: Sendable {
  private struct State {
    var pending: LoadState?
    /// What the consumer got last.
    var taken: LoadState?
    var newest: UInt64?
    var waiters: [CheckedContinuation<LoadState?, Never>] = []
    var isClosed = false
  }

  private let state = Locked(State())

  func deliver(_ new: LoadState) {
    let waiter = state.withLock { state -> CheckedContinuation<LoadState?, Never>? in
      if state.isClosed || state.newest.map({ new.version <= $0 }) == true { return nil }
      state.newest = new.version
      let isNews = state.taken.map(new.isDifferent) ?? true
      if state.waiters.isEmpty || !isNews {
        state.pending = isNews ? new : nil
        return nil
      }
      state.taken = new
      return state.waiters.removeFirst()
    }
    waiter?.resume(returning: new)
  }

  func close() {
    let waiters = state.withLock { state in
      state.isClosed = true
      state.pending = nil
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume(returning: nil) }
  }

  func take(isolation: isolated (any Actor)?) async -> LoadState? {
    await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { continuation in
        let result = state.withLock { state -> LoadState?? in
          if state.isClosed { return .some(nil) }
          if let pending = state.pending {
            state.pending = nil
            state.taken = pending
            return pending
          }
          state.waiters.append(continuation)
          return nil
        }
        if let result { continuation.resume(returning: result) }
      }
    } onCancel: {
      close()
    }
  }
}
