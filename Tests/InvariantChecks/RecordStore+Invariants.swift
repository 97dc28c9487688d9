#if DEBUG || RELAYSTORE_CHECK_INVARIANTS
  @testable import RelayStore

  extension RecordStore {
    /// Checks the invariants of every structure of the store. They hold while the store is
    /// unlocked.
    ///
    /// - Returns: The first violation, or `nil`.
    /// - Complexity: O(*n*) in the records, observers and retained operations.
    func checkInvariants() -> String? {
      state.withLock { state in
        state.source.checkInvariants() ?? state.observers.checkInvariants()
          ?? state.retention.checkInvariants()
          ?? state.collector.run?.checkInvariants(in: state.source)
      }
    }
  }
#endif
