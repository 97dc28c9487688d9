import RelayStore

/// A value behind a lock. Its changes resume tests that wait for a condition.
final class Watched<Value: Sendable>: Sendable {
  /// A condition of the value. Runs under the lock.
  package typealias Condition = @Sendable (Value) -> Bool

  private struct Waiter {
    let isMet: Condition
    let promise = Promise<Void>()
  }

  private struct State {
    var value: Value
    var waiters: [Waiter] = []
  }

  /// The lock that guards the value and the waiters. Waiters are resumed after unlocking.
  private let state: Locked<State>

  /// Creates a watched value, without waiting tests.
  package init(_ value: Value) { state = Locked(State(value: value)) }

  /// The current value.
  package var value: Value { state.withLock { $0.value } }

  /// Changes the value, and resumes the tests whose condition it now meets.
  package func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    let (result, met) = state.withLock { state -> (Result, [Waiter]) in
      let result = body(&state.value)
      let value = state.value
      let met = state.waiters.filter { $0.isMet(value) }
      state.waiters.removeAll { waiter in met.contains { $0.promise === waiter.promise } }
      return (result, met)
    }
    for waiter in met { waiter.promise.fulfill(.success(())) }
    return result
  }

  /// Waits until the value meets a condition; returns at once if it already does.
  ///
  /// - Parameters:
  ///   - awaited: The condition, for the error.
  ///   - arrived: Describes a value that does not meet the condition, for the error.
  ///   - isMet: The condition.
  /// - Throws: ``CancelledWaitError`` if the task is cancelled.
  package func wait(
    for awaited: String, arrived: @escaping @Sendable (Value) -> String,
    until isMet: @escaping Condition
  ) async throws {
    let waiter = Waiter(isMet: isMet)
    let isDone = state.withLock { state in
      let isDone = isMet(state.value)
      if !isDone { state.waiters.append(waiter) }
      return isDone
    }
    if isDone { return }
    do { try await waiter.promise.value } catch {
      state.withLock { $0.waiters.removeAll { $0.promise === waiter.promise } }
      throw CancelledWaitError(awaited: awaited, arrived: arrived(value))
    }
  }
}
