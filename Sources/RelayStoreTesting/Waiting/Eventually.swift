/// Reads a value repeatedly, while other tasks run, until it meets a condition. For conditions that
/// no call of the code under test waits for.
///
///     try await eventually { server.pending.count } is: { $0 >= 4 }
///
/// - Parameters:
///   - limit: The maximum wait; shorter than a suite's time limit, so that the last value is
///     reported.
///   - read: Returns the current value.
///   - isMet: The condition.
/// - Returns: The value that meets the condition.
/// - Throws: ``UnmetConditionError`` with the last value when `limit` has passed or the task is
///   cancelled; the errors of `read` and `isMet`.
@discardableResult
package func eventually<Value>(
  within limit: Duration = .seconds(50), isolation: isolated (any Actor)? = #isolation,
  _ read: () throws -> Value, is isMet: (Value) throws -> Bool
) async throws -> Value {
  let end = ContinuousClock.now + limit
  var turns = 0
  while true {
    let value = try read()
    if try isMet(value) { return value }
    if Task.isCancelled || ContinuousClock.now > end {
      throw UnmetConditionError(
        isCancelled: Task.isCancelled, limit: limit, lastValue: String(describing: value))
    }
    turns += 1
    // Sleeps after many turns, so that a slow condition does not occupy a core.
    if turns < 1_000 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(1)) }
  }
}

/// Reads a value until it equals `expected`; see ``eventually(within:isolation:_:is:)``.
///
///     try await eventually(0) { clock.sleeperCount }
package func eventually<Value: Equatable>(
  _ expected: Value, within limit: Duration = .seconds(50),
  isolation: isolated (any Actor)? = #isolation, _ read: () throws -> Value
) async throws {
  try await eventually(within: limit, read, is: { $0 == expected })
}

/// The error of a condition that was not met in time.
struct UnmetConditionError: Error, CustomStringConvertible {
  let isCancelled: Bool
  let limit: Duration
  /// The last value that was read.
  let lastValue: String

  package var description: String {
    "The condition was not met \(isCancelled ? "until the task was cancelled" : "within \(limit)"). "
      + "The last value was \(lastValue)."
  }
}
