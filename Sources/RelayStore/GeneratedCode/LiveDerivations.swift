/// The runs of live derived fields. A run iterates the sequence of a field's values, for one record
/// whose field an observer depends on.
///
/// Observers depend on the field through a separate record with an id but no data. It is one of the
/// records that they have read, and counts as changed when the field has another value.
///
/// - A run is added when an observer reads the field. It has neither a task nor a value yet.
/// - It is started, with a task, once the observer is registered.
/// - It is replaced by another run when the record's fragment has another value.
/// - It ends when no observer depends on the field, but not when the sequence ends.
///
/// The lock guards the runs; it is a leaf of the lock order. The store is also locked during every
/// call, except calls of ``value(ofRun:at:)``, ``takeEnded()`` and ``names``.
package final class LiveDerivations: Sendable {
  package typealias Failure = Derivations.DerivationFailure
  /// Passes on the values of a sequence until it ends or the receiver returns `false`.
  package typealias Values =
    @Sendable (_ receive: @escaping @Sendable (RowSlot) -> Bool) async throws -> Void
  /// Creates the sequence for the row of a fragment.
  package typealias Source = @Sendable (RowBox) throws -> Values

  /// The field of a record, with the fragment that it is derived from.
  package struct Field: Hashable, Sendable {
    let record: RecordIndex
    let name: ByteString
    let plan: ObjectIdentifier

    package init(_ name: String, of record: RecordIndex, plan: SelectionPlan) {
      self.record = record
      self.name = ByteString(name)
      self.plan = ObjectIdentifier(plan)
    }
  }

  /// A change of a run, reported by its task.
  package enum Event: Sendable {
    case value(RowSlot)
    /// The sequence has ended. Its last value is retained.
    case end
    case failure(Failure)
  }

  /// A sequence to iterate for a field.
  package struct Run: Sendable {
    package let id: UInt64
    /// The record through which observers depend on the field.
    package let index: RecordIndex
    package let field: Field
    /// The value of the fragment that the sequence was created for.
    package let row: RowBox
    package let source: Source
    /// The last value or the error; `nil` before the first value.
    fileprivate var value: Result<RowSlot, Failure>?
    /// The task; `nil` before the run is started, and after its sequence has ended.
    fileprivate var task: Task<Void, Never>?
  }

  private struct State {
    var runs: [RecordIndex: Run] = [:]
    /// The index of each field's run.
    var indexes: [Field: RecordIndex] = [:]
    var lastID: UInt64 = 0
    /// The indexes of the runs to be started.
    var started: [RecordIndex] = []
    /// The tasks to cancel once the store is unlocked.
    var ended: [Task<Void, Never>] = []
    /// Starts the task that iterates the sequence of a run.
    var start: (@Sendable (Run) -> Task<Void, Never>)?

    mutating func remove(_ index: RecordIndex) {
      guard let run = runs.removeValue(forKey: index) else { return }
      indexes[run.field] = nil
      if let task = run.task { ended.append(task) }
    }
  }

  private let state = Locked(State(), rank: .leaf)

  package init() {}

  deinit {
    for run in state.withLock({ Array($0.runs.values) }) { run.task?.cancel() }
  }

  // MARK: Reading

  /// Returns the index of the record through which observers depend on a field; `nil` if there is
  /// none.
  package func index(of field: Field) -> RecordIndex? { state.withLock { $0.indexes[field] } }

  /// Sets the index of the record through which observers depend on a field.
  func setIndex(_ index: RecordIndex, of field: Field) {
    state.withLock { $0.indexes[field] = index }
  }

  /// Returns the row that a field's sequence was created for.
  func row(of field: Field) -> RowBox? {
    state.withLock { state in state.indexes[field].flatMap { state.runs[$0]?.row } }
  }

  /// Returns the last value of a field for a row; `nil` if there is none.
  package func value(of field: Field, row: RowBox) -> Result<RowSlot, Failure>? {
    let run = state.withLock { state in state.indexes[field].flatMap { state.runs[$0] } }
    guard let run, Row(run.row) == Row(row) else { return nil }
    return run.value
  }

  /// Returns the last value of a field for a row, for an observer; `nil` if there is none. Adds a
  /// run unless there is one for an equal row.
  package func observe(
    _ field: Field, at index: RecordIndex, row: RowBox, _ source: @escaping Source
  ) -> Result<RowSlot, Failure>? {
    if let run = state.withLock({ $0.runs[index] }), Row(run.row) == Row(row) { return run.value }
    state.withLock { state in
      state.remove(index)
      state.lastID += 1
      state.runs[index] = Run(
        id: state.lastID, index: index, field: field, row: row, source: source)
      state.indexes[field] = index
      state.started.append(index)
    }
    return nil
  }

  // MARK: Runs

  /// Returns the runs added since the last call that have no task, in the order of their addition.
  func takeStarted() -> [Run] {
    state.withLock { state in
      if state.started.isEmpty { return [] }
      return Set(state.started.drain()).compactMap { state.runs[$0] }.filter { $0.task == nil }
        .sorted(byNumber: \.id)
    }
  }

  /// Sets the closure that starts the task of a run, which iterates its sequence.
  func setStart(_ start: @escaping @Sendable (Run) -> Task<Void, Never>) {
    state.withLock { $0.start = start }
  }

  /// Starts a run.
  ///
  /// - Returns: `false` if the closure that starts tasks was not set.
  func start(_ run: Run) -> Bool {
    guard let start = state.withLock({ $0.start }) else { return false }
    let task = start(run)
    state.withLock { $0.runs[run.index]?.task = task }
    return true
  }

  /// Ends a run; a no-op if there is none.
  package func end(_ index: RecordIndex) { state.withLock { $0.remove(index) } }

  /// Ends the runs of a field of all records, or all runs.
  ///
  /// - Returns: The index of each run, and the record that has the field, in the order of the runs'
  ///   addition.
  package func endAll(named name: String? = nil) -> [(index: RecordIndex, record: RecordIndex)] {
    state.withLock { state in
      let name = name.map { ByteString($0) }
      let ended = state.runs.values.filter { name == nil || $0.field.name == name }
        .sorted(byNumber: \.id)
      for run in ended { state.remove(run.index) }
      return ended.map { ($0.index, $0.field.record) }
    }
  }

  /// Whether there are tasks to cancel.
  package var hasEnded: Bool { state.withLock { !$0.ended.isEmpty } }

  /// Returns each task to cancel once. Cancelling and releasing the tasks may run any code, so the
  /// store must not be locked.
  func takeEnded() -> [Task<Void, Never>] {
    state.withLock { $0.ended.drain() }
  }

  // MARK: Values

  /// Returns the last value of a run; `nil` if there is none or another run has replaced it.
  package func value(ofRun id: UInt64, at index: RecordIndex) -> RowSlot? {
    let run = state.withLock { $0.runs[index] }
    guard let run, run.id == id, case .success(let slot)? = run.value else { return nil }
    return slot
  }

  /// Changes the value of a run.
  ///
  /// - Returns: The record that has the field; `nil` if the run was replaced or has ended.
  package func receive(_ event: Event, ofRun id: UInt64, at index: RecordIndex) -> RecordIndex? {
    state.withLock { state in
      guard let run = state.runs[index], run.id == id else { return nil }
      switch event {
      case .value(let slot): state.runs[index]?.value = .success(slot)
      case .failure(let failure): state.runs[index]?.value = .failure(failure)
      case .end: break
      }
      if case .value = event { return run.field.record }
      // Released by `takeEnded`, because the store is locked.
      if let task = run.task { state.ended.append(task) }
      state.runs[index]?.task = nil
      return run.field.record
    }
  }

  /// The fields whose sequences are being iterated, each with its name and the record's index.
  package var names: [(field: String, record: RecordIndex)] {
    state.withLock { state in
      state.runs.values.filter { $0.task != nil }.sorted(byNumber: \.id)
        .map { ($0.field.name.text, $0.field.record) }
    }
  }

  /// Whether no observer depends on a field.
  var isEmpty: Bool { state.withLock { $0.runs.isEmpty } }

  /// The number of sequences being iterated.
  package var count: Int { state.withLock { $0.runs.values.count { $0.task != nil } } }
}
