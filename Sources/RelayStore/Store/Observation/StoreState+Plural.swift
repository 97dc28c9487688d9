extension StoreState {
  /// One of several fragments that are read as one value.
  enum PluralPart {
    case record(DataID, VariableScope)
    /// A value that needs no store.
    case constant(RowSnapshot)
  }

  /// Reads several fragments as one value.
  mutating func read(_ parts: [PluralPart], _ plan: SelectionPlan) -> RowSnapshot {
    plural(parts, plan).snapshot(revision: revision, in: source)
  }

  private mutating func plural(_ parts: [PluralPart], _ plan: SelectionPlan) -> PluralSnapshot {
    var budget = ReadBudget(source.readLimits)
    return PluralSnapshot(
      parts.map { part in
        switch part {
        case .record(let id, let scope): read(id, plan, in: scope, within: &budget)
        case .constant(let snapshot): snapshot
        }
      }, pathLimit: source.readLimits.paths)
  }

  /// Reads several fragments as one value and delivers every later change to the receiver.
  mutating func observe(
    _ parts: [PluralPart], _ plan: SelectionPlan, receiver: SnapshotReceiver
  ) -> (UInt64, RowSnapshot) {
    let list = readingForObserver { $0.plural(parts, plan) }
    let group = pluralObservers.add(list, receiver)
    for (position, part) in parts.enumerated() {
      guard case .record(let id, let scope) = part else { continue }
      add(position, of: list, to: group, id: id, plan: plan, scope: scope)
    }
    updateLiveFields()
    return (group, list.snapshot(revision: revision, in: source))
  }

  /// Reads a record with two plans and delivers every later change of either to the receiver, with
  /// the row of `companion` as the companion row.
  mutating func observe(
    _ id: DataID, _ plan: SelectionPlan, companion: SelectionPlan, in scope: VariableScope,
    receiver: SnapshotReceiver
  ) -> (UInt64, RowSnapshot) {
    let pair = readingForObserver { state in
      PluralSnapshot(
        [state.read(id, plan, in: scope), state.read(id, companion, in: scope)],
        pathLimit: state.source.readLimits.paths, isPair: true)
    }
    let group = pluralObservers.add(pair, receiver)
    add(0, of: pair, to: group, id: id, plan: plan, scope: scope)
    add(1, of: pair, to: group, id: id, plan: companion, scope: scope)
    updateLiveFields()
    return (group, pair.snapshot(revision: revision, in: source))
  }

  private mutating func add(
    _ position: Int, of list: PluralSnapshot, to group: UInt64, id: DataID,
    plan: SelectionPlan, scope: VariableScope
  ) {
    let (index, bound) = (index(of: id), bind(plan, in: scope))
    let observer = observers.add(
      index, bound, receiver: .element(group: group, position: position),
      initial: list[position], group: group)
    pluralObservers.add(observer, to: group)
    collector.add(index, bound)
  }

  mutating func stopObserving(plural group: UInt64) {
    for part in pluralObservers.remove(group) {
      if recording != nil { recordEnd(of: part) }
      observers.remove(part)
    }
    collector.countEndedUse()
    updateLiveFields()
  }
}

extension RecordStore {
  /// Reads several fragments as one value.
  func read(_ parts: [StoreState.PluralPart], _ plan: SelectionPlan) -> RowSnapshot {
    withState { $0.read(parts, plan) }
  }

  /// Reads several fragments as one value and delivers later changes until the subscription is
  /// dropped.
  func subscribe(_ parts: [StoreState.PluralPart], _ plan: SelectionPlan) -> SnapshotSubscription {
    let mailbox = Mailbox<RowSnapshot>(deliveries)
    let (group, snapshot) = withState { $0.observe(parts, plan, receiver: .mailbox(mailbox)) }
    mailbox.deliver(snapshot)
    return SnapshotSubscription(mailbox: mailbox) { [self] in stopObserving(plural: group) }
  }

  /// Calls a closure with later changes of several fragments as one value.
  func observe(
    _ parts: [StoreState.PluralPart], _ plan: SelectionPlan,
    onChange: @escaping @Sendable (RowSnapshot) -> Void
  ) -> ObservationHandle {
    readAndObserve(parts, plan, onChange: onChange).observation
  }

  /// Reads several fragments as one value, and calls a closure with later changes.
  func readAndObserve(
    _ parts: [StoreState.PluralPart], _ plan: SelectionPlan,
    onChange: @escaping @Sendable (RowSnapshot) -> Void
  ) -> (snapshot: RowSnapshot, observation: ObservationHandle) {
    let receiver = ObservationReceiver(onChange)
    let (group, snapshot) = withState { state in
      let (group, snapshot) = state.observe(parts, plan, receiver: .closure(receiver))
      receiver.start(with: snapshot)
      return (group, snapshot)
    }
    let observation = ObservationHandle(
      receiver: receiver, registration: .group(group), store: self)
    return (snapshot, observation)
  }

  /// Reads a record with two plans and calls a closure with later changes of either.
  ///
  /// - Parameter isForModel: Whether the closure changes a model, so that it is called in the turns
  ///   of ``ModelDeliveries``.
  func observe(
    _ id: DataID, _ plan: SelectionPlan, companion: SelectionPlan, in scope: VariableScope,
    isForModel: Bool,
    onChange: @escaping @Sendable (RowSnapshot) -> Void
  ) -> (ObservationHandle, RowSnapshot) {
    let receiver = ObservationReceiver(onChange)
    let (group, snapshot) = withState { state in
      let (group, snapshot) = state.observe(
        id, plan, companion: companion, in: scope,
        receiver: isForModel ? .model(receiver) : .closure(receiver))
      receiver.start(with: snapshot)
      return (group, snapshot)
    }
    let handle = ObservationHandle(receiver: receiver, registration: .group(group), store: self)
    return (handle, snapshot)
  }

  private func stopObserving(plural group: UInt64) {
    afterUpdater { store in
      store.state.withLock { $0.stopObserving(plural: group) }
      store.cancelEndedLiveFields()
      store.collectIfDue()
    }
  }
}
