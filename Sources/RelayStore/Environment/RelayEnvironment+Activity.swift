extension RelayEnvironment {
  /// How many operations wait for their response.
  package var operationCount: Int { requests.count }

  /// The operations in flight, the oldest first, and whether each waits for the test that runs it.
  package var operationsInFlight: [(operation: PendingOperation, isHeld: Bool)] {
    requests.held.map { (PendingOperation($0.pending), $0.isHeld) }
  }

  /// How many pages of connections are on their way.
  package var pageCount: Int { pages.count }
}
