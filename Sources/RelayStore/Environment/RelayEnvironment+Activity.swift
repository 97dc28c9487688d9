extension RelayEnvironment {
  /// Returns whether an operation with the same variables is in flight.
  public func isActive(_ operation: some GraphQLOperation) -> Bool {
    executions.contains(RequestIdentity.of(operation))
  }

  /// Returns the operations in flight whose responses may have data that the fragment is missing.
  /// While there is one, missing data may still be loading.
  ///
  /// These are the queries that reach the fragment's record through records in the store, and the
  /// mutations whose optimistic response or updater wrote a record that the fragment reads.
  ///
  /// - Complexity: O(*n*) in the records that the operations in flight reach and the fragment
  ///   reads.
  public func pendingOperations<Fragment>(
    affecting fragment: FragmentRef<Fragment>
  ) -> [PendingOperation] {
    guard case .record(let id, let scope) = fragment.target else { return [] }
    return executions.executions.filter { execution in
      if execution.kind == .query { return store.reaches(id, execution.request.plan) }
      return execution.optimisticUpdate.map {
        store.isWritten(byUpdate: $0, reading: id, Fragment.__plan, in: scope)
      } ?? false
    }.map(PendingOperation.init)
  }

  /// The operations in flight, oldest first: whether a test holds each one, and the id of its
  /// optimistic update.
  package var operationsInFlight:
    [(operation: PendingOperation, isHeld: Bool, optimisticUpdate: UInt64?)]
  {
    executions.executions.map { (PendingOperation($0), $0.hold.isHeld, $0.optimisticUpdate) }
  }
}
