/// The triggers of garbage collection, and the run in progress.
package struct GarbageCollectionScheduler {
  /// The run in progress.
  private(set) var run: GarbageCollectionRun?
  /// Whether a run that retains few records replaces their table. Tests compare both ways.
  var replacesTables = true
  /// Whether a trigger has fired since the last run started.
  private var isDue = false
  /// The number of observers, updates and fetches that have ended since the last run started.
  private var endCount = 0
  /// The number of active holds. No slice runs while there are any.
  private var holdCount = 0
  /// The number of records that the last run retained.
  private var lastRetainedCount = 0
  /// The end time of the last run.
  private var lastEnd = Duration.zero
  /// Whether a task that runs collections is scheduled or running.
  private var isScheduled = false
  private let threshold: Int
  private let interval: Duration?

  init(threshold: Int, interval: Duration?) {
    self.threshold = threshold
    self.interval = interval
  }

  /// Whether a run is due or in progress, on hold or not.
  var isPending: Bool { run != nil || isDue }

  /// Whether collection is on hold.
  var isHeld: Bool { holdCount > 0 }

  // MARK: Triggers

  /// Makes a collection due because an operation has left the release buffer.
  mutating func markDue() { isDue = true }

  /// Counts the end of an observer, update or fetch. A collection becomes due after ``endLimit``
  /// ends.
  mutating func countEndedUse() {
    endCount += 1
    if endCount >= Self.endLimit { isDue = true }
  }

  static let endLimit = 100

  /// Makes a collection due if a write to the base has exceeded the size or the interval.
  mutating func markDueIfExceeded(size: Int, now: @autoclosure () -> Duration) {
    if isDue { return }
    if size > max(threshold, lastRetainedCount * 2) { isDue = true }
    if let interval, now() - lastEnd >= interval { isDue = true }
  }

  /// Counts loaded records as retained by the last run.
  package mutating func loaded(count: Int) { lastRetainedCount += count }

  package mutating func hold() { holdCount += 1 }

  package mutating func endHold() { holdCount -= 1 }

  /// Returns whether the caller should start a task that runs collections, and marks it as
  /// scheduled.
  mutating func schedule() -> Bool {
    guard isPending, !isHeld, !isScheduled else { return false }
    isScheduled = true
    return true
  }

  mutating func endSchedule() { isScheduled = false }

  // MARK: The run

  /// Starts a run, replacing any run in progress.
  mutating func begin(_ run: GarbageCollectionRun) {
    self.run = run
    (isDue, endCount) = (false, 0)
  }

  /// Adds a root to the run in progress.
  mutating func add(_ index: RecordIndex, _ plan: BoundPlan) { run?.add(index, plan) }

  /// Reserves the index of a record, in the run in progress.
  mutating func keepIndex(of record: RecordIndex) { run?.keepIndex(of: record) }

  /// Retains the fields of a selection on every record, in the run in progress.
  mutating func keepFields(of plan: BoundPlan) { run?.keepFields(of: plan) }

  /// Reports changed records to the run in progress: the write barrier.
  mutating func recordsDidChange(_ changed: RecordList, in source: LayeredSource) {
    run?.recordsDidChange(changed.indexes, in: source)
  }

  /// Runs a slice.
  ///
  /// - Parameter mayReplace: Whether the table of records may be replaced.
  /// - Returns: The numbers of records once the collection is done.
  mutating func step(
    _ budget: Int, on source: inout LayeredSource, mayReplace: Bool,
    now: @autoclosure () -> Duration
  ) -> (collected: Int, retained: Int)? {
    guard run?.step(budget, on: &source, mayReplace: mayReplace) == true, let done = run else {
      return nil
    }
    run = nil
    lastRetainedCount = done.retained
    lastEnd = now()
    return (done.collected, done.retained)
  }
}
