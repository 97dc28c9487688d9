import RelayStore

/// The conversion of a store's recorded events and its contents to a ``StoreTimeline``.
struct TimelineRenderer {
  let source: LayeredSource
  var redaction: TimelineRedaction
  /// The number of the last event before a collection that has dropped ids.
  let lastDrop: Int
  /// The documents of the rendered requests, by operation name.
  private(set) var documents: [String: String] = [:]
  /// The former types of deleted records in the rendered events.
  private var deletedTypes: [DataID: String] = [:]

  init(_ source: LayeredSource, _ redaction: StoreTimeline.Redaction, lastDrop: Int) {
    self.source = source
    self.redaction = TimelineRedaction(redaction)
    self.lastDrop = lastDrop
  }

  // MARK: Events

  mutating func event(_ id: Int, _ event: TracedEvent) -> StoreTimeline.Event {
    let content: StoreTimeline.Event.Content =
      switch event.content {
      case .publish(let publish): .publish(self.publish(publish, event: id))
      case .delivery(let delivery): .delivery(self.delivery(delivery))
      case .request(let request): .request(self.request(request))
      case .missing(let missing):
        .missing(
          .init(
            owner: missing.owner, record: redaction.id(missing.record), paths: missing.paths))
      case .retention(let change):
        .retention(
          .init(
            operation: change.identity.name,
            variables: redaction.text(.object(change.identity.variables)),
            isRetained: change.isRetained, count: change.count))
      case .garbageCollection(let recorded): .garbageCollection(collection(recorded))
      case .note(let note):
        .note(.init(text: redaction.note(note), isProblem: note.isProblem))
      }
    return StoreTimeline.Event(id: id, time: event.time.timelineSeconds, content: content)
  }

  private mutating func publish(_ publish: TracedPublish, event: Int) -> StoreTimeline.Publish {
    StoreTimeline.Publish(
      cause: publish.cause.timelineCause, revision: Int(clamping: publish.revision),
      changedRecords: publish.changedCount,
      records: publish.changes.map { change($0, event: event) },
      addedLayers: publish.origin.addedLayers.map(Int.init(clamping:)),
      removedLayers: publish.origin.removedLayers.map { Int(clamping: $0.id) })
  }

  /// Returns a changed record.
  ///
  /// - Parameter event: The number of the event, which decides whether links can still be resolved.
  mutating func change(
    _ change: TracedPublish.Change, event: Int
  ) -> StoreTimeline.RecordChange {
    let wasPresent = change.old?.state == .present
    let isPresent = change.new.state == .present
    let fields = fieldChanges(of: change, resolvesLinks: event > lastDrop)
    if wasPresent, !isPresent { deletedTypes[change.new.box.id] = change.old?.typeName }
    let kind: StoreTimeline.RecordChange.Kind =
      switch (wasPresent, isPresent) {
      case (false, true): .created
      case (true, false): .deleted
      default: fields.isEmpty && change.old?.state == change.new.state ? .written : .changed
      }
    return StoreTimeline.RecordChange(
      record: redaction.id(change.new.box.id),
      typeName: change.new.typeName ?? change.old?.typeName, kind: kind, fields: fields)
  }

  private mutating func fieldChanges(
    of change: TracedPublish.Change, resolvesLinks: Bool
  ) -> [StoreTimeline.FieldChange] {
    guard change.new.state == .present, change.old != change.new else { return [] }
    var old: [FieldKey: FieldValue] = [:]
    if let record = change.old {
      old = .init(uniqueKeysWithValues: zip(record.keys, record.values))
    }
    var fields: [StoreTimeline.FieldChange] = []
    func text(_ value: FieldValue?) -> String? {
      if redaction.isOn { return value.map { StoreTimeline.FieldChange.redacted($0 == .null) } }
      return value.flatMap { self.text(of: $0, resolvesLinks: resolvesLinks) }
    }
    for (key, value) in zip(change.new.keys, change.new.values) {
      let before = old.removeValue(forKey: key)
      if before != value {
        fields.append(
          .init(
            field: source.keys.text(of: key), before: text(before), after: text(value)))
      }
      if change.old?.errors(of: key) ?? [] != change.new.errors(of: key) {
        fields.append(.init(field: source.keys.text(of: key), aspect: .error))
      }
    }
    for (key, value) in old {
      fields.append(.init(field: source.keys.text(of: key), before: text(value)))
    }
    let types = [change.old?.typeName, change.new.typeName]
      .map { $0.map { JSONValue.string($0).description } }
    if change.old != nil, types[0] != types[1] {
      fields.append(.init(field: "__typename", before: types[0], after: types[1]))
    }
    fields = fields.sorted(byBytes: { $0.field ?? "" })
    return fields.map { redaction.change($0) }
  }

  /// Returns a value as JSON, with ids instead of links; `nil` for unresolved links.
  private mutating func text(of value: FieldValue, resolvesLinks: Bool) -> String? {
    if let json = value.json { return json.description }
    return resolvesLinks ? json(of: value).description : nil
  }

  private mutating func json(of value: FieldValue) -> JSONValue {
    switch value {
    case .link(let index):
      .string(source.id(of: index).map { redaction.id($0).rawValue } ?? "")
    case .links(let indexes):
      .array(indexes.map { $0 == .none ? .null : json(of: .link($0)) })
    case .list(let values): .array(values.map { json(of: $0) })
    default: value.json ?? .null
    }
  }

  private mutating func delivery(_ delivery: DeliveryCause) -> StoreTimeline.Delivery {
    var difference = SnapshotDifference(
      limit: DeliveryCause.changeLimit, values: redaction.isOn ? .redacted : .all)
    if delivery.isDelivered {
      difference.compare(delivery.first.old, delivery.first.new)
    }
    return StoreTimeline.Delivery(
      observer: Int(clamping: delivery.reader.observer), owner: delivery.owner,
      record: redaction.id(delivery.reader.record.box.id),
      publishes: delivery.publishes,
      trigger: delivery.reader.trigger.map { redaction.id($0.box.id) },
      isDelivered: delivery.isDelivered,
      changes: difference.changes.map { redaction.change($0) },
      missing: delivery.first.new.missing)
  }

  private mutating func collection(
    _ recorded: TracedCollection
  ) -> StoreTimeline.GarbageCollection {
    StoreTimeline.GarbageCollection(
      collected: recorded.collected, retained: recorded.retained, slices: recorded.slices,
      duration: recorded.duration.timelineSeconds, span: recorded.span.timelineSeconds,
      collectedIDs: recorded.ids.map { redaction.id($0) })
  }

  private mutating func request(_ recorded: TracedRequest) -> StoreTimeline.Request {
    let (progress, error) = (recorded.progress, recorded.error)
    // The errors of a response without data are only in `error`.
    let errors = progress.errorCount == 0 ? error?.errors ?? [] : []
    if !recorded.text.isEmpty { documents[recorded.operation.identity.name] = recorded.text }
    return StoreTimeline.Request(
      number: recorded.number,
      phase: StoreTimeline.Request.Phase(rawValue: recorded.phase.rawValue) ?? .ended,
      operation: recorded.operation.identity.name, operationKind: recorded.kind,
      variables: redaction.text(.object(recorded.variables)), timings: progress.timings,
      responses: progress.responses, bytes: progress.bytes,
      responseErrorCount: progress.errorCount + errors.count,
      responseErrors: (progress.errors + errors.prefix(100)).map { responseError($0) },
      response: response(progress), outcome: recorded.outcome, errorCode: error?.code.description,
      errorMessage: redaction.isOn ? nil : error?.message, traceParent: recorded.traceParent)
  }

  private func responseError(_ error: GraphQLError) -> StoreTimeline.ResponseError {
    StoreTimeline.ResponseError(
      message: redaction.isOn ? nil : error.message, path: error.path,
      extensions: error.extensions.isEmpty ? nil : redaction.text(.object(error.extensions)))
  }

  private func response(_ progress: TracedRequest.Progress) -> StoreTimeline.Response? {
    guard let response = progress.response else { return nil }
    var bytes = response.recorded
    if bytes.count < response.byteCount {
      // The last character may be cut in two.
      while let byte = bytes.last, byte & 0xC0 == 0x80 { bytes.removeLast() }
      if let byte = bytes.last, byte >= 0xC0 { bytes.removeLast() }
    }
    return redaction.text(of: bytes).map {
      .init(text: $0, recordedBytes: bytes.count, bytes: response.byteCount)
    }
  }

  // MARK: Records

  /// Returns a record; `nil` if the store has only its id.
  mutating func record(_ record: Record, id: DataID) -> StoreTimeline.Record? {
    if record.state == .unknown { return nil }
    var fields: [StoreTimeline.Field] = []
    for (field, value) in zip(record.keys, record.values) {
      let key = source.keys.text(of: field)
      fields.append(
        StoreTimeline.Field(
          key: redaction.key(key), kind: value.timelineKind,
          value: value.isLinked || redaction.hides(key) ? nil : redaction.text(value.json ?? .null),
          links: value.isLinked ? links(of: value) : nil,
          hasErrors: !record.errors(of: field).isEmpty))
    }
    fields = fields.sorted(byBytes: \.key)
    return StoreTimeline.Record(
      id: redaction.id(id), typeName: record.typeName ?? deletedTypes[id],
      state: record.state == .present ? .present : .deleted, fields: fields)
  }

  private mutating func links(of value: FieldValue) -> [DataID?] {
    switch value {
    case .link(let index): return [source.id(of: index).map { redaction.id($0) }]
    case .links(let indexes):
      return indexes.map { index in
        index == .none ? nil : source.id(of: index).map { redaction.id($0) }
      }
    case .list(let values):
      var all: [DataID?] = []
      for value in values { all += links(of: value) }
      return all
    default: return []
    }
  }
}

extension FieldValue {
  fileprivate var timelineKind: StoreTimeline.Field.Kind {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int, .number: .number
    case .string: .string
    case .object: .object
    case .link: .link
    case .links: .links
    case .list: isLinked ? .links : .list
    case .array: .list
    }
  }
}
