/// The open batches. Each defers the notifications of its thread's changes.
struct OpenBatches {
  private struct Batch {
    let thread = ThreadIdentity.current
    /// The number of nested batches.
    var depth = 0
    var changes = Changes()
  }

  /// The changes of one thread in a batch.
  struct Changes {
    var records = RecordList()
    /// The publishes; empty without a timeline.
    var publishes: [PublishGroup] = []
  }

  private var batches: [Batch] = []

  var isEmpty: Bool { batches.isEmpty }

  /// The index of this thread's batch.
  private var own: Int? {
    if batches.isEmpty { return nil }
    let thread = ThreadIdentity.current
    return batches.firstIndex { $0.thread == thread }
  }

  /// Opens a batch on this thread. Batches may be nested.
  mutating func open() {
    let index = own ?? batches.endIndex
    if index == batches.endIndex { batches.append(Batch()) }
    batches[index].depth += 1
  }

  /// Closes the innermost batch of this thread.
  ///
  /// - Returns: The changes of the thread; `nil` if an outer batch is still open, or none was open.
  mutating func close() -> Changes? {
    guard let own else { return nil }
    batches[own].depth -= 1
    return batches[own].depth > 0 ? nil : batches.remove(at: own).changes
  }

  /// Adds changes to this thread's batch.
  ///
  /// - Returns: Whether this thread has a batch.
  mutating func add(_ records: RecordList, _ publishes: PublishGroup?) -> Bool {
    guard let own else { return false }
    batches[own].changes.records.formUnion(records)
    if let publishes { batches[own].changes.publishes.append(publishes) }
    return true
  }

  /// Returns records together with the records changed in open batches. A consumer notified of one
  /// thread's changes also reads the changes in another thread's open batch.
  func records(with changed: RecordList) -> RecordList {
    batches.reduce(into: changed) { $0.formUnion($1.changes.records) }
  }
}
