/// When garbage is collected, and how far it is.
struct GarbageCollectionScheduler {
  /// The collection that is going on.
  private(set) var run: GarbageCollectionRun?
  /// Whether something has happened since the last began that can have made garbage.
  private var isDue = false
  /// What has ended since the last began without making one due by itself.
  private var endCount = 0
  private var holds = 0
  /// How many numbers there were when the last ended, and when that was.
  private var lastSize = 0
  private var lastTime = Duration.zero
  /// Whether a task is on its way to collect.
  private var isScheduled = false
  private let threshold: Int
  private let interval: Duration?

  init(threshold: Int, interval: Duration?) {
    self.threshold = threshold
    self.interval = interval
  }

  /// Whether there is something to do, held or not.
  var isPending: Bool { run != nil || isDue }

  /// Whether nothing may be done now.
  var isHeld: Bool { holds > 0 }

  // MARK: Triggers

  /// Notes that an operation was forgotten, which makes a collection due.
  mutating func noteRelease() { isDue = true }

  /// Notes that something else has ended; many of those make a collection due.
  mutating func noteEnd() {
    endCount += 1
    if endCount >= Self.endLimit { isDue = true }
  }

  static let endLimit = 100

  /// Notes that the base was written: the store may have grown, or be due by time.
  mutating func noteWrite(size: Int, now: @autoclosure () -> Duration) {
    if isDue { return }
    if size > max(threshold, lastSize * 2) { isDue = true }
    if let interval, now() - lastTime >= interval { isDue = true }
  }

  mutating func hold() { holds += 1 }

  mutating func endHold() { holds -= 1 }

  /// Whether a task should be started to do what is to be done.
  mutating func schedule() -> Bool {
    guard isPending, !isHeld, !isScheduled else { return false }
    isScheduled = true
    return true
  }

  mutating func endSchedule() { isScheduled = false }

  // MARK: The run

  /// Begins a collection, in place of one that is going on.
  mutating func begin(_ run: GarbageCollectionRun) {
    self.run = run
    (isDue, endCount) = (false, 0)
  }

  /// Adds a root to the collection that is going on.
  mutating func add(_ index: RecordIndex, _ plan: BoundPlan) { run?.add(index, plan) }

  /// Keeps the fields that a selection has, on whatever record, in the collection that is going on.
  mutating func keepFields(of plan: BoundPlan) { run?.keepFields(of: plan) }

  /// Notes what was written, for the collection that is going on.
  mutating func note(_ changed: RecordList, in source: LayeredSource) {
    run?.note(changed.indexes, in: source)
  }

  /// Does a slice.
  ///
  /// - Returns: What the collection did, once it is done.
  mutating func step(
    _ budget: Int, on source: inout LayeredSource, now: @autoclosure () -> Duration
  )
    -> RecordStore.GarbageCollectionReport?
  {
    guard run?.step(budget, on: &source) == true, let done = run else { return nil }
    run = nil
    lastSize = done.kept
    lastTime = now()
    return RecordStore.GarbageCollectionReport(collected: done.collected, kept: done.kept)
  }
}
