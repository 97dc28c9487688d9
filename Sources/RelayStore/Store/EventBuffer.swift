/// The store's events since it was locked.
struct EventBuffer {
  /// Whether events are logged or added to a timeline; otherwise they are discarded.
  let isOn: Bool
  private let isLogged: Bool
  private let recorder: TimelineRecorder?
  private var events: [StoreEvent] = []
  /// The unknown fields already logged, so that each is logged once.
  private var unknownFields: Set<UnknownField> = []

  /// - Parameters:
  ///   - isLogged: Whether a log is configured.
  ///   - recorder: The recorder of a timeline. It receives the events that it does not already have
  ///     in another form.
  init(isLogged: Bool, recorder: TimelineRecorder?) {
    self.isLogged = isLogged
    self.recorder = recorder
    isOn = isLogged || recorder != nil
  }

  mutating func append(_ event: @autoclosure () -> StoreEvent) {
    if !isOn { return }
    let event = event()
    if isLogged { events.append(event) }
    if let recorder { recorder.append(noteOf: event) }
  }

  /// Appends the events of possibly misspelled fields that updaters have written.
  mutating func append(_ fields: [UnknownField]) {
    guard isOn else { return }
    for field in fields where unknownFields.insert(field).inserted {
      append(.unknownField(typeName: field.typeName, field: field.field))
    }
  }

  /// Appends the events of a read.
  mutating func appendRead(_ snapshot: RowSnapshot, of plan: SelectionPlan) {
    guard isLogged else { return }
    events.append(.read(owner: plan.owner, isMissingData: !snapshot.missing.isEmpty))
    appendProblems(of: snapshot, owner: plan.owner)
  }

  /// Appends the events of the problems in delivered snapshots.
  mutating func appendProblems(of deliveries: [Delivery]) {
    guard isLogged else { return }
    for case let snapshot? in deliveries.lazy.map(\.snapshot) {
      appendProblems(of: snapshot, owner: snapshot.row?.plan.owner ?? "")
    }
  }

  /// Appends the events of writes that left out fields that observers read.
  mutating func appendLosses(of changes: [ObserverTable.Change]) {
    guard isOn else { return }
    for change in changes where !change.lost.isEmpty {
      append(.becameIncomplete(owner: change.observer.plan.plan.owner, paths: change.lost))
    }
  }

  private mutating func appendProblems(of snapshot: RowSnapshot, owner: String) {
    if !snapshot.missing.isEmpty {
      events.append(.missingData(owner: owner, paths: snapshot.missing))
    }
    for error in snapshot.errors {
      events.append(
        error.kind == .required
          ? .missingRequiredField(owner: error.owner, path: error.path)
          : .fieldError(owner: error.owner, path: error.path, kind: error.kind))
    }
  }

  /// Returns the events and empties the buffer.
  mutating func drain() -> [StoreEvent] {
    return events.drain()
  }
}
