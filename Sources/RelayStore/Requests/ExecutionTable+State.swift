extension ExecutionTable {
  /// An execution, and how to commit its response.
  package struct Entry {
    let execution: OperationExecution
    /// Whether the store records the operation's fetch time.
    var isRecorded = true
    /// Whether the server may have responded to its request before events that were missed.
    var isOutdated = false
    /// Whether one of its payloads was discarded, so that the later ones are discarded too.
    var isSuperseded = false
  }

  /// The index, guarded by the table's lock.
  struct State {
    var entries: [OperationExecution.ID: Entry] = [:]
    /// The query executions that later callers may join, by identity.
    var shared: [RequestIdentity: OperationExecution.ID] = [:]
    /// The executions that load a page: at most one for each end of a connection.
    var pages: [PageKey: OperationExecution.ID] = [:]
    /// The number of page executions that have ended, plus the number of resets.
    var endedPageCount: UInt64 = 0
    /// The newest execution whose response was committed, for each identity with executions in
    /// flight.
    var newestCommitted: [RequestIdentity: OperationExecution.ID] = [:]
    var lastID: OperationExecution.ID = 0
    var epoch: UInt64 = 0

    /// The executions, oldest first.
    var executions: [OperationExecution] {
      entries.sorted(byNumber: \.key).map(\.value.execution)
    }

    /// Ends an epoch by removing every execution.
    mutating func reset() {
      var new = State()
      (new.lastID, new.epoch, new.endedPageCount) = (lastID, epoch + 1, endedPageCount + 1)
      self = new
    }
  }
}
