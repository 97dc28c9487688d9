import RelayStore

extension StoreState {
  /// Returns the operations that may have fetched data. Each occurs once, and is fetched if any of
  /// its uses was.
  private mutating func knownOperations(adding asked: KnownOperation?) -> [KnownOperation] {
    var known = retention.entries.sorted { $0.key.name < $1.key.name }.map { identity, entry in
      KnownOperation(
        name: identity.name, plan: entry.plan, root: source.id(of: entry.root) ?? .root,
        isFetched: entry.write != nil)
    }
    known += receiving.values.sorted { $0.name < $1.name }.map {
      KnownOperation(name: $0.name, plan: $0.plan, root: $0.root, isFetched: true)
    }
    for (_, event) in recording?.recorder.contents.events ?? [] {
      guard case .request(let request) = event.content else { continue }
      known.append(
        KnownOperation(
          name: request.operation.identity.name, plan: request.operation.plan,
          root: request.operation.root,
          isFetched: request.progress.responses > 0))
    }
    if let asked { known.append(asked) }
    var found: [ObjectIdentifier: Int] = [:]
    var all: [KnownOperation] = []
    for operation in known {
      if let position = found[ObjectIdentifier(operation.plan)] {
        if operation.isFetched, !all[position].isFetched { all[position] = operation }
      } else {
        found[ObjectIdentifier(operation.plan)] = all.count
        all.append(operation)
      }
    }
    return all
  }

  /// Returns the ids of records removed by garbage collections, each with the latest event.
  private func collectedRecords() -> [DataID: Int] {
    var collected: [DataID: Int] = [:]
    for (number, event) in recording?.recorder.contents.events ?? [] {
      guard case .garbageCollection(let run) = event.content else { continue }
      for id in run.ids { collected[id] = number }
    }
    return collected
  }

  /// Returns the known origins of the store's data.
  ///
  /// - Parameter asked: The operation that a question is about, or `nil`.
  mutating func dataHistory(adding asked: KnownOperation? = nil) -> DataHistory {
    DataHistory(operations: knownOperations(adding: asked), collected: collectedRecords())
  }

  /// Returns the lines that explain the missing fields of observers, by observer number.
  mutating func explanations(
    ofObservers wanted: Set<Int>, inFlight: [KnownOperation],
    _ redaction: StoreTimeline.Redaction
  ) -> [Int: [String]] {
    let history = dataHistory()
    var redaction = TimelineRedaction(redaction)
    var lines: [Int: [String]] = [:]
    for observer in observers.observers.compactMap(\.self) {
      let id = Int(clamping: observer.ordinal)
      guard wanted.contains(id) else { continue }
      lines[id] = explanations(
        of: observer.record, observer.plan, listing: 10, history, inFlight: inFlight
      ).map { $0.redacted(by: &redaction).description }
    }
    return lines
  }

  /// Explains the missing fields of a plan at a record.
  ///
  /// - Parameter limit: The maximum number of explanations.
  mutating func explanations(
    of record: RecordIndex, _ plan: BoundPlan, listing limit: Int, _ history: DataHistory,
    inFlight: [KnownOperation]
  ) -> [MissingExplanation] {
    let missing = AvailabilityChecker.check(record, plan, in: source, listing: limit).missing
    if missing.isEmpty || source.overlay.isEmpty {
      return missing.map { explain($0, history, inFlight: inFlight) }
    }
    let settled = AvailabilityChecker.check(
      record, plan, in: source.withoutOverlay, listing: .max
    ).missing
    let inBase = Set(settled.map(\.place))
    return missing.map { data in
      inBase.contains(data.place)
        ? explain(data, history, inFlight: inFlight)
        : explainOptimistic(data, inFlight: inFlight)
    }
  }

  /// Explains data that is missing only while optimistic updates apply.
  private mutating func explainOptimistic(
    _ data: MissingData, inFlight: [KnownOperation]
  ) -> MissingExplanation {
    let index = data.recordID.flatMap { source.index(of: $0) }
    let update = update(writing: index)
    let operation = inFlight.first {
      $0.optimisticUpdate != nil && $0.optimisticUpdate == update?.id
    }
    var reasons = [
      MissingExplanation.Reason.notInOptimisticUpdate(
        operation: update?.operationName ?? operation?.name)
    ]
    let key = data.storageKey.flatMap { source.keys.key(of: $0) }
    if let index {
      for operation in inFlight where selects(operation, at: index, key) {
        reasons.append(.inFlight(operation: operation.name))
      }
    }
    return MissingExplanation(data: data, reasons: reasons)
  }

  /// Returns the optimistic update that left out data: the one that created the record, or else the
  /// last one that wrote it.
  private func update(writing index: RecordIndex?) -> OptimisticLayer? {
    let updates = optimistic.all
    let writers = updates.filter { update in index.map(update.written.contains) ?? false }
    let isCreated = index.map { source[base: $0].state != .present } ?? false
    // The record itself may be in the base, with only the link to it optimistic.
    return (isCreated ? writers.first : writers.last) ?? (updates.count == 1 ? updates.first : nil)
  }

  private mutating func explain(
    _ data: MissingData, _ history: DataHistory, inFlight: [KnownOperation]
  ) -> MissingExplanation {
    guard let id = data.recordID, let index = source.index(of: id) else {
      return MissingExplanation(data: data, reasons: [.nullOrDeleted])
    }
    let key = data.storageKey.flatMap { source.keys.key(of: $0) }
    var reasons = history.operations.compactMap { reason($0, at: index, key) }
    if source[index].state == .unknown, let event = history.collected[id] {
      reasons.insert(.collected(event: event), at: 0)
    }
    if reasons.isEmpty { reasons.append(.notReached) }
    for operation in inFlight where selects(operation, at: index, key) {
      reasons.append(.inFlight(operation: operation.name))
    }
    let others = data.storageKey.map { otherArguments(of: $0, in: source[index]) } ?? []
    if !others.isEmpty { reasons.append(.otherArguments(fields: others)) }
    return MissingExplanation(data: data, reasons: reasons)
  }

  /// Returns the fields of a record with the same name and other arguments.
  private func otherArguments(of storageKey: String, in record: Record) -> [String] {
    let name = storageKey.prefix { $0 != "(" }
    return record.keys.map { source.keys.text(of: $0) }
      .filter { $0 != storageKey && $0.prefix { $0 != "(" } == name }
      .sorted(byBytes: \.self)
  }

  private mutating func selects(
    _ operation: KnownOperation, at index: RecordIndex, _ key: FieldKey?
  ) -> Bool {
    let visits = RecordVisits.find(
      index, from: self.index(of: operation.root), operation.plan, in: source)
    guard let key else { return !visits.isEmpty }
    return visits.contains { $0.plan.selects(key, of: source[index], in: source) }
  }

  /// Returns the reason why an operation did not provide a missing field of a record, or a missing
  /// record; `nil` if the operation does not reach the record.
  private mutating func reason(
    _ operation: KnownOperation, at index: RecordIndex, _ key: FieldKey?
  ) -> MissingExplanation.Reason? {
    let visits = RecordVisits.find(
      index, from: self.index(of: operation.root), operation.plan, in: source)
    guard let first = visits.first else { return nil }
    let selecting = visits.first { visit in
      key.map { visit.plan.selects($0, of: source[index], in: source) } ?? true
    }
    guard let selecting else {
      let here = visits.filter { $0.path == first.path }
      let fields = Set(here.flatMap { $0.plan.selectedFields(of: source[index], in: source) })
      return .notSelected(
        operation: operation.name, path: first.path,
        fields: fields.sorted(byBytes: \.self))
    }
    return operation.isFetched
      ? .notInResponse(operation: operation.name, path: selecting.path)
      : .notFetched(operation: operation.name, path: selecting.path)
  }
}

extension MissingData {
  /// The record and the field.
  fileprivate var place: [String?] { [recordID?.rawValue, storageKey] }
}
