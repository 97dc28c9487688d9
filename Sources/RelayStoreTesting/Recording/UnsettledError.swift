public import RelayStore

/// The reason why ``RelayStore/RelayEnvironment/settle(limit:)`` stopped waiting.
public struct UnsettledError: Error, Hashable, CustomStringConvertible {
  /// The operations in flight, oldest first.
  public let operations: [PendingOperation]
  /// Whether every operation waits for the test: in a mock transport, at a gate or on a virtual
  /// clock.
  public let isHeld: Bool

  /// Everything that was in use, with the observers that a snapshot may still be delivered to.
  public let liveResources: LiveResources

  /// The operations with their variables, how to let them end, and what else was in use.
  public var description: String {
    let names = operations.map { "\"\($0.label)\"" }.joined(separator: ", ")
    let isOne = operations.count == 1
    let problem =
      isHeld
      ? "\(names) \(isOne ? "waits" : "wait") in a mock transport, a closed gate or for a virtual clock. Answer, open the gate or "
        + "advance the clock before the environment can settle."
      : "\(names.isEmpty ? "A delivery" : names) did not end within the limit."
    var others = liveResources
    others.operationNames = []
    return others.isEmpty ? problem : "\(problem) Also in use: \(others)."
  }
}
