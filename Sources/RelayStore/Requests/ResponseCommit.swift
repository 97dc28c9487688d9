/// The commit of one execution's responses to the store.
///
/// One critical section of the store decides whether to write a response, writes it, and reads the
/// data back, so that neither a reset nor a newer response can come in between.
struct ResponseCommit: Sendable {
  let id: OperationExecution.ID
  let request: OperationRequest
  let store: RecordStore
  let executions: ExecutionTable
  let trace: RequestTrace?

  /// When the data is read.
  enum Reading {
    case withWrite
    /// Each time it is accessed.
    case later
    case never
  }

  /// The changes of a response, and the operation whose fetch time they record.
  typealias Changes = (changes: [RecordStore.Change], operation: WrittenOperation?)

  /// Writes a response. From then on the execution cannot be abandoned; a reset can still end it.
  ///
  /// - Parameters:
  ///   - fetched: The response; receives its data, or the error of an updater.
  ///   - root: The record that the data belongs to.
  ///   - isLast: Whether this is the last response.
  ///   - changes: Returns the changes of the response; called with the store locked.
  /// - Throws: `CancellationError` if the execution was abandoned or ended by a reset.
  func callAsFunction(
    _ fetched: inout FetchedData, root: DataID, reading: Reading = .withWrite, isLast: Bool,
    _ changes: (ExecutionTable.CommitDecision) -> Changes
  ) throws {
    try executions.beginCommit(id)
    var isCommitted = false
    func decide() throws -> Changes {
      let commit = try executions.commit(id)
      isCommitted = true
      return changes(commit)
    }
    do {
      if case .withWrite = reading {
        fetched.row = try store.publish(
          thenRead: request.data(at: root), cause: trace?.cause, decide)
      } else {
        try store.publish(cause: trace?.cause, decide)
      }
    } catch  where isCommitted {
      fetched.updaterError = error
    }
    if case .later = reading {
      fetched.readOnEachAccess { [store, request] in
        store.read(request.data(at: root))
      }
    }
    trace?.published(isLast: isLast)
  }
}
