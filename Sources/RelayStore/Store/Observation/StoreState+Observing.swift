/// The entries of observations in the store's tables.
extension StoreState {
  /// Reads a target and passes every later change to a closure.
  ///
  /// - Returns: The entry, if the target depends on the store, and the current value.
  mutating func observe(
    _ target: ReadTarget, _ callback: ObserverCallback
  ) -> (ObservationHandle.Registration?, RowSnapshot) {
    switch target {
    case .one(.record(let id, let scope), let plan):
      let (index, bound) = (index(of: id), bind(plan, in: scope, isRoot: id == .root))
      var budget = ReadBudget(source.readLimits)
      let snapshot = readForObserver(index, bound, within: &budget)
      let observer = ObserverTable.Observer(
        of: index, plan: bound, callback, snapshot: snapshot)
      add(observer)
      updateLiveFields()
      return (.observer(observer), snapshot)
    case .one: return (nil, read(target))
    case .list, .pair: return observe(parts: target, callback)
    }
  }

  /// Observes each component of a target separately and delivers their values as one.
  private mutating func observe(
    parts target: ReadTarget, _ callback: ObserverCallback
  ) -> (ObservationHandle.Registration?, RowSnapshot) {
    let value = readForObserver(target)
    let snapshot = value.snapshot(revision: revision, in: source)
    let receiver = ObservationReceiver(callback, last: snapshot)
    let group = pluralObservers.add(value, receiver)
    for (position, part) in target.parts.enumerated() {
      guard case .record(let id, let scope) = part.reference else { continue }
      let (index, bound) = (index(of: id), bind(part.plan, in: scope, isRoot: id == .root))
      let observer = ObserverTable.Observer(
        of: index, plan: bound, nil, group: group, position: position,
        snapshot: value[position])
      pluralObservers.add(observer, to: group)
      add(observer)
    }
    updateLiveFields()
    return (.group(group, receiver), snapshot)
  }

  /// Reads the components of a target for observers.
  private mutating func readForObserver(_ target: ReadTarget) -> PluralSnapshot {
    target.read(within: source.readLimits) { reference, plan, budget in
      guard case .record(let id, let scope) = reference else {
        var effects = noEffects
        return read(reference, plan, within: &budget, &effects)
      }
      let bound = bind(plan, in: scope, isRoot: id == .root)
      return readForObserver(index(of: id), bound, within: &budget)
    }
  }

  private mutating func add(_ observer: ObserverTable.Observer) {
    observers.add(observer)
    collector.add(observer.record, observer.plan)
    if events.isOn, !observer.isOfEarlierVersion { logOmissions(in: observer.snapshot) }
  }

  /// Adds the observers that have joined a version, and removes the ones that have ended.
  ///
  /// - Parameter isEarlier: Whether the version that they have joined is not the one being written.
  mutating func update(with lists: PublishedVersions.ObserverLists, isEarlier: Bool) {
    for observer in lists.joined where !observer.isEndKnown {
      if isEarlier, let id = observer.id {
        // The index may have been assigned to another id.
        observer.record = index(of: id)
        observer.isOfEarlierVersion = true
        observer.forgetsRows = isResetting
        joined.append(observer)
      }
      observer.id = nil
      add(observer)
    }
    for _ in lists.ended { collector.countEndedUse() }
    remove(lists.ended)
  }

  mutating func remove(_ registration: ObservationHandle.Registration) {
    switch registration {
    case .observer(let observer):
      collector.countEndedUse()
      remove([observer])
    case .group(let id, _):
      collector.countEndedUse()
      remove(pluralObservers.remove(id))
    case .invalidation(let id, _): invalidationObservers.remove(id)
    case .replica(let id, _): removeReplica(id)
    }
  }

  private mutating func remove(_ ended: [ObserverTable.Observer]) {
    for observer in ended {
      if recording != nil { traceEnd(of: observer) }
      observers.remove(observer)
    }
    if garbage.observers.isEmpty { garbage.observers = ended } else { garbage.observers += ended }
    updateLiveFields()
  }
}
