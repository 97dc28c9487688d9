/// What a timeline has of a publish beside the changed records. An object, so that its absence is one
/// word.
final class PublishDescription {
  let cause: StoreTimeline.Cause
  let addedLayers: [UInt64]
  let removedLayers: [UInt64]

  /// - Parameter ended: The optimistic updates that a reset has ended.
  init(reset ended: [StoreState.OptimisticEntry]) {
    cause = StoreTimeline.Cause(.reset)
    addedLayers = []
    removedLayers = ended.map(\.id)
  }

  /// - Parameters:
  ///   - cause: The cause; `nil` to derive it from the changes.
  ///   - added: The optimistic updates that were applied.
  ///   - ended: The optimistic updates that have ended.
  init(
    _ changes: [StoreState.Change], cause: PublishCause?,
    added: [StoreState.OptimisticEntry], ended: [StoreState.OptimisticEntry]
  ) {
    self.cause = cause?.cause ?? StoreTimeline.Cause(Self.kind(of: changes))
    addedLayers = added.map(\.id)
    removedLayers = ended.map(\.id)
  }

  private static func kind(of changes: [StoreState.Change]) -> StoreTimeline.Cause.Kind {
    var kind = StoreTimeline.Cause.Kind.other
    for change in changes {
      switch change {
      case .commit(.some, _, _): return .payload
      case .commit(nil, _, .some): kind = .update
      case .apply, .replace: if kind != .update { kind = .optimisticUpdate }
      case .revert: if kind == .other { kind = .revert }
      case .commit, .expect, .stopExpecting: break
      }
    }
    return kind
  }
}

/// The hooks are mutating: a method that only borrows the state may copy it, which retains each of its
/// parts.
extension StoreState {
  /// Records a publish.
  ///
  /// - Parameters:
  ///   - changed: The changed records: first those of the base, then those of the overlay.
  ///   - changedInBase: The number of the former.
  ///   - oldOverlay: The overlay as it was before.
  /// - Returns: The recording of the deliveries that follow; `nil` if no timeline is recorded.
  mutating func record(
    _ publish: PublishDescription, _ changed: RecordList, changedInBase: Int,
    previousOverlay oldOverlay: [RecordIndex: Record]
  ) -> DeliveryRecording? {
    guard let recorder = recording?.recorder else { return nil }
    var changes: [RecordedPublish.Change] = []
    // Loaded records are decoded when they are read, not here.
    let count =
      publish.cause.kind == .load ? 0 : min(changed.count, RecordedPublish.changeLimit)
    changes.reserveCapacity(count)
    for position in 0..<count {
      let index = changed.indexes[position]
      var old = oldOverlay[index] ?? source.replaced?[index]
      if old == nil, position >= changedInBase { old = source[base: index] }
      changes.append(.init(index: index, old: old, new: source[index]))
    }
    source.replaced?.removeAll()
    let recorded = RecordedPublish(
      cause: publish.cause, revision: revision, changedCount: changed.count, changes: changes,
      addedLayers: publish.addedLayers, removedLayers: publish.removedLayers)
    return DeliveryRecording(of: recorded, recorder)
  }

  /// Records that live fields of records have other values.
  ///
  /// - Returns: The recording of the deliveries that follow; `nil` if no timeline is recorded.
  mutating func recordLiveFields(of records: [RecordIndex]) -> DeliveryRecording? {
    guard let recorder = recording?.recorder else { return nil }
    let changes = records.map {
      RecordedPublish.Change(index: $0, old: source[$0], new: source[$0])
    }
    let recorded = RecordedPublish(
      cause: .init(.liveField), revision: revision, changedCount: changes.count, changes: changes,
      addedLayers: [], removedLayers: [])
    return DeliveryRecording(of: recorded, recorder)
  }

  /// Returns the recording of the deliveries at the end of a batch; `nil` if no timeline is
  /// recorded.
  mutating func deliveryRecording(_ publishes: [StoreTimeline.PublishReference])
    -> DeliveryRecording?
  {
    guard let recorder = recording?.recorder else { return nil }
    return DeliveryRecording(recorder: recorder, publishes: publishes, time: recorder.now)
  }

  /// Records that an operation was retained or released.
  mutating func recordRetention(of identity: RequestIdentity, isRetained: Bool) {
    guard let recorder = recording?.recorder else { return }
    let event = RecordedRetention(
      identity, isRetained: isRetained, count: retention.entries[identity]?.count ?? 0)
    recorder.append(.retention(event), at: recorder.now)
  }

  /// Records a read that has found missing data.
  mutating func recordMissing(
    _ snapshot: RowSnapshot, of plan: SelectionPlan, at index: RecordIndex
  ) {
    guard let recorder = recording?.recorder else { return }
    recorder.append(
      .missing(
        owner: plan.owner, record: source.id(of: index) ?? .root, paths: snapshot.missing),
      at: recorder.now, byteCount: 256 + 64 * snapshot.missing.count)
  }
}

extension TimelineRecorder {
  /// Records an event that has no other form in a timeline.
  func append(noteOf event: StoreEvent) {
    switch event {
    case .publish, .parts, .notify, .garbageCollection, .check, .read, .missingData: break
    default: append(.note(event), at: now)
    }
  }
}
