import RelayStore

/// A value behind a lock, whose changes resume the tests that wait for a condition of it.
final class Watched<Value: Sendable>: Sendable {
  /// A condition of the value. It runs under the lock.
  package typealias Condition = @Sendable (Value) -> Bool

  private struct Waiter {
    let id: Int
    let isMet: Condition
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var value: Value
    var lastID = 0
    var waiters: [Waiter] = []
  }

  /// Guards the value and the waiters. Continuations are resumed after the lock is released.
  private let state: Locked<State>

  /// Creates a value that no test waits for.
  package init(_ value: Value) { state = Locked(State(value: value)) }

  /// The current value.
  package var value: Value { state.withLock { $0.value } }

  /// Changes the value, and resumes the tests whose condition it then meets.
  package func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    let (result, met) = state.withLock { state -> (Result, [Waiter]) in
      let result = body(&state.value)
      let value = state.value
      let met = state.waiters.filter { $0.isMet(value) }
      if !met.isEmpty {
        let ids = Set(met.map(\.id))
        state.waiters.removeAll { ids.contains($0.id) }
      }
      return (result, met)
    }
    for waiter in met { waiter.continuation.resume() }
    return result
  }

  /// Waits until the value meets a condition; returns at once when it does.
  ///
  /// - Parameters:
  ///   - awaited: The condition, for the error.
  ///   - arrived: Describes a value that does not meet the condition, for the error.
  ///   - isMet: The condition.
  /// - Throws: ``CancelledWaitError`` when the task is cancelled.
  package func wait(
    for awaited: String, arrived: @escaping @Sendable (Value) -> String,
    until isMet: @escaping Condition
  ) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    do {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { register(id, isMet, $0) }
      } onCancel: {
        let waiter = state.withLock { state in
          state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(throwing: CancellationError())
      }
    } catch {
      throw CancelledWaitError(awaited: awaited, arrived: arrived(value))
    }
  }

  /// Keeps the continuation of a waiter, or resumes it: its condition is met, or its task cancelled.
  private func register(
    _ id: Int, _ isMet: @escaping Condition, _ continuation: CheckedContinuation<Void, any Error>
  ) {
    let (isDone, waits) = state.withLock { state in
      let isDone = isMet(state.value)
      // The cancellation handler runs before or after this critical section, and finds the
      // continuation only after.
      let waits = !isDone && !Task.isCancelled
      if waits {
        state.waiters.append(Waiter(id: id, isMet: isMet, continuation: continuation))
      }
      return (isDone, waits)
    }
    if waits { return }
    if isDone { continuation.resume() } else { continuation.resume(throwing: CancellationError()) }
  }
}

/// Returns a count and the noun for it: `1 event`, `2 events`.
func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}
