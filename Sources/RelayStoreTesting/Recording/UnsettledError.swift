public import RelayStore

/// Why ``RelayStore/RelayEnvironment/settle(limit:)`` does not wait any longer.
public struct UnsettledError: Error, Hashable, CustomStringConvertible {
  /// The operations that are still in flight, the oldest first.
  public let operations: [PendingOperation]
  /// Whether each of them waits for the test: in a mock transport, in a gate or for a virtual clock.
  public let isHeld: Bool

  /// The operations and what to do about them.
  public var description: String {
    let names = operations.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let isOne = operations.count == 1
    return isHeld
      ? "\(names) \(isOne ? "waits" : "wait") in a mock transport, a closed gate or for a virtual clock. Answer, open the gate or "
        + "advance the clock before the environment can settle."
      : "\(names.isEmpty ? "A delivery" : names) did not end within the limit."
  }
}
