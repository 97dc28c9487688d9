extension RelayEnvironment {
  /// How many operations wait for their response.
  package var operationCount: Int { executions.count }

  /// The operations in flight, the oldest first, and whether each waits for the test that runs it.
  package var operationsInFlight: [(operation: PendingOperation, isHeld: Bool)] {
    executions.executions.map { (PendingOperation($0), $0.hold.isHeld) }
  }
}
