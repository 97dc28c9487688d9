/// The entries of observations in the store's tables.
extension StoreState {
  /// Reads a target and delivers every later change to the receiver.
  ///
  /// - Returns: The entry, if the target depends on the store, and the current value.
  mutating func observe(
    _ target: ReadTarget, receiver: SnapshotReceiver
  ) -> (ObservationHandle.Registration?, RowSnapshot) {
    switch target {
    case .one(.record(let id, let scope), let plan):
      let (index, bound) = (index(of: id), bind(plan, in: scope, isRoot: id == .root))
      var budget = ReadBudget(source.readLimits)
      let snapshot = readForObserver(index, bound, within: &budget)
      let observer = observers.add(index, bound, receiver: receiver, initial: snapshot)
      collector.add(index, bound)
      updateLiveFields()
      return (.observer(observer), snapshot)
    case .one: return (nil, read(target))
    case .list, .pair: return observe(parts: target, receiver: receiver)
    }
  }

  /// Observes each component of a target separately and delivers their values as one.
  private mutating func observe(
    parts target: ReadTarget, receiver: SnapshotReceiver
  ) -> (ObservationHandle.Registration?, RowSnapshot) {
    let value = readForObserver(target)
    let group = pluralObservers.add(value, receiver)
    for (position, part) in target.parts.enumerated() {
      guard case .record(let id, let scope) = part.reference else { continue }
      let (index, bound) = (index(of: id), bind(part.plan, in: scope, isRoot: id == .root))
      let observer = observers.add(
        index, bound, receiver: .element(group: group, position: position),
        initial: value[position], group: group)
      pluralObservers.add(observer, to: group)
      collector.add(index, bound)
    }
    updateLiveFields()
    return (.group(group), value.snapshot(revision: revision, in: source))
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

  mutating func remove(_ registration: ObservationHandle.Registration) {
    switch registration {
    case .observer(let id): remove([id])
    case .group(let id): remove(pluralObservers.remove(id))
    case .invalidation(let id): invalidationObservers.remove(id)
    case .replica(let id): removeReplica(id)
    }
  }

  private mutating func remove(_ ids: [ObserverTable.ID]) {
    for id in ids {
      if recording != nil { traceEnd(of: id) }
      observers.remove(id)
    }
    collector.countEndedUse()
    updateLiveFields()
  }
}
