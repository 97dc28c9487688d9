/// A value that is set once and awaited by any number of tasks.
///
/// The lock guards the result and the waiters; continuations are resumed after it is released.
package final class Promise<Value: Sendable>: Sendable {
  private struct State {
    var result: Result<Value, any Error>?
    var waiters: [UInt64: CheckedContinuation<Value, any Error>] = [:]
    var lastID: UInt64 = 0
  }

  private let state = Locked(State(), rank: .leaf)

  package init() {}

  /// Sets the result.
  ///
  /// - Returns: `false` if the result was set before; the call is then a no-op.
  @discardableResult
  package func fulfill(_ result: Result<Value, any Error>) -> Bool {
    let waiters = state.withLock { state -> [UInt64: CheckedContinuation<Value, any Error>]? in
      if state.result != nil { return nil }
      state.result = result
      defer { state.waiters = [:] }
      return state.waiters
    }
    guard let waiters else { return false }
    for waiter in waiters.values { waiter.resume(with: result) }
    return true
  }

  /// The value, once it is set.
  ///
  /// - Throws: The error that was set instead; `CancellationError` if the calling task is cancelled
  ///   first.
  package var value: Value {
    get async throws {
      let id = state.withLock { state in
        state.lastID += 1
        return state.lastID
      }
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let result = state.withLock { state -> Result<Value, any Error>? in
            if let result = state.result { return result }
            if Task.isCancelled { return .failure(CancellationError()) }
            state.waiters[id] = continuation
            return nil
          }
          if let result { continuation.resume(with: result) }
        }
      } onCancel: {
        state.withLock { $0.waiters.removeValue(forKey: id) }?
          .resume(throwing: CancellationError())
      }
    }
  }
}
