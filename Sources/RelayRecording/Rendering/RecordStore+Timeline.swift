public import RelayStore

extension RecordStore {
  /// Returns the store's recorded events and its contents; see
  /// ``RelayStore/RelayEnvironment/timeline(redactingValues:recordLimit:)``.
  public func timeline(redactingValues: Bool = true, recordLimit: Int = 100_000) -> StoreTimeline {
    timeline(redacting: redactingValues ? .all : .none, recordLimit: recordLimit)
  }

  /// Returns the store's recorded events and its contents without some values; see
  /// ``RelayStore/RelayEnvironment/timeline(redacting:recordLimit:)``.
  public func timeline(
    redacting redaction: StoreTimeline.Redaction, recordLimit: Int = 100_000
  ) -> StoreTimeline {
    state.withLock { $0.timeline(redaction, recordLimit: recordLimit) }
  }
}

extension StoreState {
  /// Returns the store's recorded events and its contents.
  fileprivate mutating func timeline(
    _ redaction: StoreTimeline.Redaction, recordLimit: Int
  ) -> StoreTimeline {
    let recorded = recording?.recorder.contents
    var timeline = StoreTimeline(
      start: time.date(.zero), time: time.elapsed.timelineSeconds, isRedacted: redaction == .all)
    timeline.isRecording = recorded != nil
    timeline.droppedEvents = recorded?.droppedCount ?? 0
    var renderer = TimelineRenderer(source, redaction, lastDrop: recorded?.lastDrop ?? 0)
    timeline.events = recorded?.events.map { renderer.event($0.id, $0.event) } ?? []
    timeline.documents = renderer.documents
    addRecords(to: &timeline, limit: recordLimit, &renderer)
    timeline.layers = optimistic.all.map { update in
      let ids = update.written.compactMap { source.id(of: $0) }.map { renderer.redaction.id($0) }
      return .init(
        id: Int(clamping: update.id),
        records: ids.sorted(byBytes: \.rawValue))
    }
    var rest = 100_000
    timeline.operations = operations(&renderer, reaching: &rest)
    for observer in observers.observers.compactMap(\.self).sorted(by: { $0.ordinal < $1.ordinal }) {
      timeline.observers.append(
        StoreTimeline.Observer(
          id: Int(clamping: observer.ordinal), owner: observer.plan.plan.owner,
          record: renderer.redaction.id(source.id(of: observer.record) ?? .root),
          seenRecords: observer.snapshot.seen.count, missing: observer.snapshot.missing,
          explanations: [],
          reached: reached(from: observer.record, observer.plan, &renderer, within: &rest)))
    }
    timeline.omitsReached = rest < 0
    return timeline
  }

  /// Returns the records that a root retains.
  ///
  /// - Parameter rest: The timeline's remaining capacity in records; negative once some were
  ///   omitted.
  private func reached(
    from index: RecordIndex, _ plan: BoundPlan, _ renderer: inout TimelineRenderer,
    within rest: inout Int
  ) -> [StoreTimeline.Reached] {
    guard rest > 0,
      let reached = RecordVisits.reached(from: index, plan, in: source, limit: rest)
    else {
      rest = -1
      return []
    }
    rest -= reached.count
    return reached.map { index, step in
      StoreTimeline.Reached(
        record: renderer.redaction.id(source.id(of: index) ?? .root),
        from: step.flatMap { source.id(of: $0.record) }.map { renderer.redaction.id($0) },
        field: step.map { renderer.redaction.key(source.keys.text(of: $0.key)) },
        index: step?.position)
    }
  }

  private func addRecords(
    to timeline: inout StoreTimeline, limit: Int, _ renderer: inout TimelineRenderer
  ) {
    for (index, id) in source.allIDs.sorted(byBytes: \.id.rawValue) {
      if timeline.records.count >= limit {
        if source[base: index].state != .unknown { timeline.omittedRecords += 1 }
      } else if let record = renderer.record(source[base: index], id: id) {
        timeline.records.append(record)
      }
    }
    let overlaid = source.overlay.keys.compactMap { index in
      source.id(of: index).map { (index: index, id: $0) }
    }
    timeline.optimisticRecords = overlaid.sorted(byBytes: \.id.rawValue).compactMap {
      renderer.record(source[$0.index], id: $0.id)
    }
  }

  private mutating func operations(
    _ renderer: inout TimelineRenderer, reaching rest: inout Int
  ) -> [StoreTimeline.Operation] {
    let identities = retention.entries.keys.sorted {
      ($0.name, JSONValue.object($0.variables).description)
        < ($1.name, JSONValue.object($1.variables).description)
    }
    let now = time.elapsed
    var all: [StoreTimeline.Operation] = []
    for identity in identities {
      guard let entry = retention.entries[identity] else { continue }
      all.append(
        StoreTimeline.Operation(
          name: identity.name, variables: renderer.redaction.text(.object(identity.variables)),
          retentions: entry.count, isPinned: entry.isPinned, isStale: retention.isStale(identity),
          fetched: entry.write?.time.timelineSeconds,
          timeLeft: retention.timeLeft(of: identity, now: now)?.timelineSeconds,
          reached: reached(from: entry.root, entry.plan, &renderer, within: &rest)))
    }
    return all
  }
}
