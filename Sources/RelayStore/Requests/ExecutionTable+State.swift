extension ExecutionTable {
  /// An execution, and how its response is committed.
  package struct Entry {
    let execution: OperationExecution
    /// Whether its operation's fetch time is recorded in the store.
    var isRecorded = true
    /// Whether its request may have been answered before events that were missed.
    var isOutdated = false
    /// Whether one of its payloads was not written, so that the later ones are not either.
    var isSuperseded = false
  }

  /// The index, guarded by the table's lock.
  struct State {
    var entries: [OperationExecution.ID: Entry] = [:]
    /// The query executions that later callers may join, by identity.
    var shared: [RequestIdentity: OperationExecution.ID] = [:]
    /// The executions that load a page: at most one for each end of a connection.
    var pages: [PageKey: OperationExecution.ID] = [:]
    /// The number of executions of pages that have ended, and of resets.
    var endedPageCount: UInt64 = 0
    /// For each identity with executions in flight, the newest execution whose response was
    /// committed.
    var newestCommitted: [RequestIdentity: OperationExecution.ID] = [:]
    var lastID: OperationExecution.ID = 0
    var epoch: UInt64 = 0

    /// The executions, the oldest first.
    var executions: [OperationExecution] {
      entries.sorted(byNumber: \.key).map(\.value.execution)
    }

    /// Ends an epoch: removes every execution.
    mutating func reset() {
      var new = State()
      (new.lastID, new.epoch, new.endedPageCount) = (lastID, epoch + 1, endedPageCount + 1)
      self = new
    }
  }
}
