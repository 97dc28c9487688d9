/// The timeline component of a store's state.
package struct StoreTracing {
  package let recorder: TimelineRecorder
  /// The collection in progress: the start of its first slice, the total time of its slices, and
  /// their number.
  private var collection: (start: Duration, busy: Duration, slices: Int)?

  /// The most recently ended observers, at most twice ``endedLimit``.
  package private(set) var ended: ContiguousArray<EndedObserver> = []
  private static let endedLimit = 5_000

  init(_ recorder: TimelineRecorder) { self.recorder = recorder }

  /// Adds an observer that is ending.
  mutating func add(_ observer: EndedObserver) {
    if ended.count == 2 * Self.endedLimit { ended.removeFirst(Self.endedLimit) }
    ended.append(observer)
  }

  // MARK: Garbage collections

  /// Adds a slice to the collection in progress.
  ///
  /// - Parameter begin: The start time of the slice.
  mutating func addSlice(since begin: Duration) {
    var current = collection ?? (begin, .zero, 0)
    current.busy += recorder.now - begin
    current.slices += 1
    collection = current
  }

  /// Adds the end of the collection in progress to the timeline.
  ///
  /// - Parameter ids: The ids of collected records.
  mutating func endCollection(collected: Int, retained: Int, ids: [DataID]) {
    let now = recorder.now
    let current = collection ?? (now, .zero, 0)
    collection = nil
    let recorded = TracedCollection(
      collected: collected, retained: retained, slices: current.slices, duration: current.busy,
      span: now - current.start, ids: ids)
    recorder.append(
      .garbageCollection(recorded), at: now,
      byteCount: ids.reduce(256) { $0 + 48 + $1.rawValue.utf8.count })
    if collected > 0 { recorder.idsWereDropped() }
  }
}

extension Duration {
  /// The duration in seconds, with a resolution of nanoseconds.
  package var timelineSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds / 1_000_000_000) / 1e9
  }
}
