public import RelayStore

/// The reason why ``RelayStore/RelayEnvironment/settle(limit:)`` stopped waiting.
public struct UnsettledError: Error, Hashable, CustomStringConvertible {
  /// The operations in flight, oldest first.
  public let operations: [PendingOperation]
  /// The entries of the outbox without an outcome, in commit order.
  public let outboxEntries: [OutboxEntry]
  /// Whether all work is held: every operation waits for the test, in a mock transport, at a gate
  /// or on a virtual clock, and every outbox entry waits for the test, the app or its next attempt.
  public let isHeld: Bool

  /// All resources in use, including observers to which a snapshot may still be delivered.
  public let liveResources: LiveResources

  /// The operations with their variables, how to let them end, and the other resources in use.
  public var description: String {
    let names =
      operations.map { "\"\($0.label)\"" } + outboxEntries.map { "\"\($0.label)\" in the outbox" }
    let list = names.joined(separator: ", ")
    let problem =
      isHeld
      ? "\(list) \(names.count == 1 ? "waits" : "wait") in a mock transport, a closed gate or for a virtual clock\(other). "
        + "Respond, open the gate or advance the clock before the environment can settle."
      : "\(list.isEmpty ? "A delivery" : list) did not end within the limit."
    var others = liveResources
    (others.operationNames, others.outboxEntryNames) = ([], [])
    return others.isEmpty ? problem : "\(problem) Also in use: \(others)."
  }

  /// The other waits that can hold an outbox entry.
  private var other: String {
    outboxEntries.isEmpty
      ? "" : ", or for its next attempt, or for the outbox or the storage to be resumed"
  }
}

extension OutboxEntry {
  /// The mutation's name and the state: `AddTodo (queued)`.
  var label: String {
    let state =
      switch state {
      case .queued: nextAttempt == nil ? "queued" : "waits for its next attempt"
      case .sending: "sending"
      case .acknowledged: "acknowledged"
      case .failed: "failed"
      case .blockedOnAuthentication: "blocked on authentication"
      case .blocked: "blocked on another entry"
      case .unknown: "outcome unknown"
      }
    return "\(operationName) (\(state))"
  }
}
