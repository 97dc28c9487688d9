/// What a store's state needs to record a timeline.
struct StoreRecording {
  let recorder: TimelineRecorder
  /// The collection in progress: its first slice, the time that slices took, and their number.
  private var collection: (start: Duration, busy: Duration, slices: Int)?

  init(_ recorder: TimelineRecorder) { self.recorder = recorder }

  // MARK: Garbage collections

  /// Adds a slice to the collection in progress.
  ///
  /// - Parameter begin: The time at which the slice has begun.
  mutating func addSlice(since begin: Duration) {
    var current = collection ?? (begin, .zero, 0)
    current.busy += recorder.now - begin
    current.slices += 1
    collection = current
  }

  /// Records the end of the collection in progress.
  mutating func endCollection(_ report: RecordStore.GarbageCollectionReport) {
    let now = recorder.now
    let current = collection ?? (now, .zero, 0)
    collection = nil
    recorder.append(
      .garbageCollection(
        .init(
          collected: report.collected, kept: report.kept, slices: current.slices,
          duration: current.busy.timelineSeconds, span: (now - current.start).timelineSeconds)),
      at: now)
    if report.collected > 0 { recorder.idsWereDropped() }
  }
}

/// What ``ObserverTable`` needs to record the reads that follow a publish. An object, so that its absence
/// is one word.
final class DeliveryRecording: Sendable {
  private let recorder: TimelineRecorder
  let publishes: [StoreTimeline.PublishReference]
  /// The time of all these events.
  private let time: Duration

  init(
    recorder: TimelineRecorder, publishes: [StoreTimeline.PublishReference], time: Duration
  ) {
    self.recorder = recorder
    self.publishes = publishes
    self.time = time
  }

  /// Records a publish, after which observers are read.
  convenience init(of publish: RecordedPublish, _ recorder: TimelineRecorder) {
    let time = recorder.now
    let event = recorder.append(.publish(publish), at: time, byteCount: publish.byteCount)
    self.init(
      recorder: recorder, publishes: [.init(event: event, cause: publish.cause)], time: time)
  }

  /// Records the read of an observer.
  ///
  /// - Returns: The snapshot to deliver, with its cause.
  func record(
    _ observer: ObserverTable.Observer, _ old: RowSnapshot, _ new: RowSnapshot,
    isDelivered: Bool, in source: inout LayeredSource
  ) -> RowSnapshot {
    let delivery = RecordedDelivery(
      observer: observer.ordinal, owner: observer.plan.plan.owner,
      record: source[observer.record], publishes: publishes,
      trigger: observer.trigger == .none ? nil : source[observer.trigger], old: old, new: new,
      isDelivered: isDelivered)
    recorder.append(.delivery(delivery), at: time, byteCount: delivery.byteCount)
    guard isDelivered else { return new }
    var delivered = new
    delivered.details.delivery = DeliveryCause(
      publishes: publishes, parts: [.init(position: nil, old: old, new: new)])
    return delivered
  }
}

extension Duration {
  /// The duration in seconds, with a resolution of nanoseconds.
  var timelineSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds / 1_000_000_000) / 1e9
  }
}
