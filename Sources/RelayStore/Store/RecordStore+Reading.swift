extension RecordStore {
  /// Returns an operation's plan bound to this store's storage keys.
  package func bind(_ plan: SelectionPlan, variables: JSONObject) -> BoundPlan {
    bind(plan, in: VariableScope(operation: variables))
  }

  func bind(_ plan: SelectionPlan, in scope: VariableScope) -> BoundPlan {
    state.withLock { $0.bind(plan, in: scope, isRoot: true) }
  }

  /// Reads a target from the newest published version, even while a change is being written.
  package func read(_ target: ReadTarget) -> RowSnapshot {
    StoreCallback.checkNotRunning()
    let reader = state.versions.begin()
    var effects = ReadEffects(areReadsWanted: configuration.log != nil || recorder != nil)
    let snapshot = reader.read(target, bindings, &effects)
    if state.versions.end(reader) { reclaimInBackground() }
    apply(effects)
    return snapshot
  }

  /// Releases what only older versions had, after the last reader of one has ended.
  func reclaimInBackground() {
    Task.detached(priority: .utility) { [self] in state.withLock { $0.reclaimVersions() } }
  }

  /// Registers private elements, logs reads, and adds missing fields to the timeline.
  private func apply(_ effects: ReadEffects) {
    for new in effects.privacy where !privacy.withLock({ $0.covers(new) }) {
      // An updater may read too.
      afterUpdater { $0.state.withLock { $0.source.observers.privateRecords.insert(new) } }
      privacy.withLock { $0.formUnion(new) }
    }
    for read in effects.reads {
      recorder?.append(missingIn: read)
      guard let log = configuration.log else { continue }
      var events = EventBuffer(isLogged: true, recorder: nil)
      events.appendRead(read.snapshot, of: read.plan)
      for event in events.drain() { log(event) }
    }
  }

  /// Reads a target and delivers later changes until the subscription is dropped.
  package func subscribe(_ target: ReadTarget) -> SnapshotSubscription {
    let mailbox = Mailbox<RowSnapshot>(deliveries)
    let (snapshot, observation) = readAndObserve(target, as: .mailbox) { mailbox.deliver($0) }
    mailbox.deliver(snapshot)
    return SnapshotSubscription(mailbox: mailbox) { observation.cancel() }
  }

  /// Reads a target, and calls `onChange` with later changes until the observation is cancelled or
  /// dropped.
  package func readAndObserve(
    _ target: ReadTarget, as kind: ObserverKind = .closure,
    onChange: @escaping @Sendable (RowSnapshot) -> Void
  ) -> (snapshot: RowSnapshot, observation: ObservationHandle) {
    let (registration, snapshot) = observe(target, .init(kind: kind, onChange: onChange))
    return (snapshot, ObservationHandle(registration, in: self))
  }

  /// Reads a target and passes every later change to a closure.
  ///
  /// - Returns: The entry, if the target depends on the store, and the current value.
  private func observe(
    _ target: ReadTarget, _ callback: ObserverCallback
  ) -> (ObservationHandle.Registration?, RowSnapshot) {
    if case .one(.record(let id, let scope), let plan) = target, recorder == nil {
      StoreCallback.checkNotRunning()
      for _ in 0..<Self.joinAttempts {
        if let (observer, snapshot) = join(id, plan, in: scope, callback) {
          return (.observer(observer), snapshot)
        }
      }
    }
    return observeLocked(target, callback)
  }

  /// Same as ``observe(_:_:)``, with the store locked. Not inlined there: its closure would make
  /// each call copy the target.
  @inline(never)
  private func observeLocked(
    _ target: ReadTarget, _ callback: ObserverCallback
  ) -> (ObservationHandle.Registration?, RowSnapshot) {
    withState { $0.observe(target, callback) }
  }

  /// The number of versions that an observer tries to join before it takes the store's lock.
  private static let joinAttempts = 3

  /// Reads a record for an observer from the newest version, and adds the observer if the version
  /// still is the newest.
  ///
  /// - Returns: The observer and what it has read; `nil` if it was not added.
  private func join(
    _ id: DataID, _ plan: SelectionPlan, in scope: VariableScope, _ callback: ObserverCallback
  ) -> (ObserverTable.Observer, RowSnapshot)? {
    let reader = state.versions.begin()
    var effects = ReadEffects(areReadsWanted: configuration.log != nil)
    let observer = reader.observer(of: id, plan, in: scope, callback, bindings, &effects)
    // Once it has joined, a commit may replace it.
    let snapshot = observer?.snapshot
    let (hasJoined, mustReclaim) = state.versions.end(reader, joining: observer)
    if mustReclaim { reclaimInBackground() }
    guard hasJoined, let observer, let snapshot else { return nil }
    apply(effects)
    if configuration.log != nil, !snapshot.optimisticHoles.isEmpty {
      // Registers the observer now, which logs what an optimistic response left out.
      afterUpdater { $0.withState { _ in } }
    }
    return (observer, snapshot)
  }
}
