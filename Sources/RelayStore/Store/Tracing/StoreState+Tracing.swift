extension TracedPublish.Origin {
  /// Creates the origin of a publish from its changes.
  ///
  /// - Parameters:
  ///   - cause: The cause; `nil` to derive it from the changes.
  ///   - added: The optimistic updates that were applied.
  ///   - ended: The ended optimistic updates.
  init(
    _ changes: [StoreState.Change], cause: PublishCause?,
    added: [OptimisticLayer], ended: [OptimisticLayer]
  ) {
    let cause = cause ?? Self.cause(of: changes)
    self.init(
      cause: cause, addedLayers: added.map(\.id),
      removedLayers: ended.map { .init(id: $0.id, written: cause.isEnd ? [] : $0.written) })
  }

  private static func cause(of changes: [StoreState.Change]) -> PublishCause {
    var (isUpdate, isOptimistic, isRevert) = (false, false, false)
    for change in changes {
      switch change {
      case .commit(.some, _, _): return .payload
      case .commit(nil, _, .some): isUpdate = true
      case .apply, .replace: isOptimistic = true
      case .revert: isRevert = true
      case .commit, .identify, .expect, .stopExpecting: break
      }
    }
    return isUpdate ? .update : isOptimistic ? .optimisticUpdate : isRevert ? .revert : .other
  }
}

/// The hooks are mutating: a method that only borrows the state may copy it, and a copy retains
/// each of its components.
extension StoreState {
  /// Adds a publish to the timeline.
  ///
  /// - Parameters:
  ///   - changed: The changed records: first of the base, then of the overlay.
  ///   - changedInBase: The number of changed records in the base.
  ///   - oldOverlay: The overlay before the publish.
  /// - Returns: The group of the publish, for the resulting deliveries; `nil` without a timeline.
  mutating func trace(
    _ origin: TracedPublish.Origin, _ changed: RecordList, changedInBase: Int,
    previousOverlay oldOverlay: [RecordIndex: Record]
  ) -> PublishGroup? {
    guard let recorder = recording?.recorder else { return nil }
    // Loaded records are decoded when they are read, not here.
    let count =
      origin.cause === PublishCause.load ? 0 : min(changed.count, TracedPublish.changeLimit)
    var changes: ContiguousArray<TracedPublish.Change> = []
    changes.reserveCapacity(count)
    for position in 0..<count {
      let index = changed.indexes[position]
      // The replaced records were saved in the order of the changes.
      let replaced = source.replaced?.next(at: index)
      var old = oldOverlay.isEmpty ? replaced : oldOverlay[index] ?? replaced
      if old == nil, position >= changedInBase { old = source[base: index] }
      changes.append(.init(index: index, old: old, new: source[index]))
    }
    source.replaced?.removeAll()
    let extent =
      !batches.isEmpty || origin.endsLayers
      ? PublishExtent(
        changed: changed.indexes, changedInBase: changedInBase, ended: origin.removedLayers) : nil
    return append(
      TracedPublish(
        origin, changes, count: changed.count, revision: revision, at: observers.moment),
      extent, to: recorder)
  }

  /// Adds new values of live fields to the timeline.
  ///
  /// - Returns: The group of the publish, for the resulting deliveries; `nil` without a timeline.
  mutating func traceLiveFields(of records: [RecordIndex]) -> PublishGroup? {
    guard let recorder = recording?.recorder else { return nil }
    var changes: ContiguousArray<TracedPublish.Change> = []
    for index in records {
      changes.append(.init(index: index, old: source[index], new: source[index]))
    }
    let origin = TracedPublish.Origin(cause: .liveField)
    return append(
      TracedPublish(
        origin, changes, count: records.count, revision: revision, at: observers.moment),
      to: recorder)
  }

  private mutating func append(
    _ publish: TracedPublish, _ extent: PublishExtent? = nil, to recorder: TimelineRecorder
  ) -> PublishGroup {
    let time = recorder.now
    let event = recorder.append(
      .publish(publish), at: time, byteCount: publish.byteCount + (extent?.byteCount ?? 0))
    return PublishGroup(.init(event: event, cause: publish.cause, extent: extent), at: time)
  }

  /// Returns the group of a batch's publishes; `nil` without a timeline.
  mutating func publishGroup(of groups: [PublishGroup]) -> PublishGroup? {
    guard let recorder = recording?.recorder else { return nil }
    return PublishGroup(groups, at: recorder.now)
  }

  /// Adds the end of an observer to the timeline.
  mutating func traceEnd(of observer: ObserverTable.Observer) {
    guard observer.slot != nil, let record = source.id(of: observer.record) else { return }
    recording?.add(
      EndedObserver(
        record: record, plan: observer.plan, ordinal: observer.ordinal, end: observers.moment))
  }

  /// Adds the retention or release of an operation to the timeline.
  mutating func traceRetention(of identity: RequestIdentity, isRetained: Bool) {
    guard let recorder = recording?.recorder else { return }
    let event = TracedRetention(
      identity: identity, isRetained: isRetained, count: retention.entries[identity]?.count ?? 0)
    recorder.append(.retention(event), at: recorder.now)
  }
}

extension TimelineRecorder {
  /// Adds a read, if it found missing data.
  func append(missingIn read: ReadEffects.Read) {
    let paths = read.snapshot.missing
    if paths.isEmpty { return }
    let missing = TracedMissing(owner: read.plan.owner, record: read.record, paths: paths)
    append(.missing(missing), at: now, byteCount: 256 + 64 * paths.count)
  }

  /// Adds an event that has no other form in a timeline.
  func append(noteOf event: StoreEvent) {
    switch event {
    case .publish, .parts, .notify, .garbageCollection, .check, .read, .missingData: break
    default: append(.note(event), at: now)
    }
  }
}
