/// What follows all records of a fragment's type, and says for each commit which of them have other values.
///
/// It keeps no record from the garbage collector, but holds what it read last of each record it has seen, collected
/// ones included, to know what is news.
struct RecordMirror {
  private let plan: Plan
  private let bound: BoundPlan
  let queue: MirrorQueue
  /// What was read last of each record.
  private var known: [RecordIndex: (id: DataID, snapshot: RowSnapshot)] = [:]
  /// The records that were looked at for others, and for which.
  private var watchers: [RecordIndex: Set<RecordIndex>] = [:]

  init(_ plan: Plan, _ bound: BoundPlan, queue: MirrorQueue) {
    self.plan = plan
    self.bound = bound
    self.queue = queue
  }

  /// Notes what has changed.
  ///
  /// - Returns: Whether there is something to tell.
  mutating func note(_ changed: some Sequence<RecordIndex>, in source: LayeredSource) -> Bool {
    var affected = RecordList()
    for index in changed {
      affected.insert(index)
      for other in watchers[index] ?? [] { affected.insert(other) }
    }
    var isNews = false
    for index in affected.indexes where read(index, in: source) { isNews = true }
    return isNews
  }

  private mutating func read(_ index: RecordIndex, in source: LayeredSource) -> Bool {
    let record = source[index]
    let id = source.id(of: index)
    // Numbers of records that were collected are given to others.
    if let old = known[index], old.id != id { forget(index) }
    guard let id, record.state == .present, source.isType(record.typeName, of: plan) else {
      guard let old = known[index] else { return false }
      forget(index)
      guard record.state == .deleted, old.snapshot.row != nil else { return false }
      queue.note(id ?? old.id, nil)
      return true
    }
    let new = RecordReader.read(index, bound, from: source)
    let old = known[index]?.snapshot
    forget(index)
    known[index] = (id, new.missing.isEmpty ? new : new.keeping(old?.row))
    new.seen.forEach { watchers[$0, default: []].insert(index) }
    guard new.missing.isEmpty, let row = new.row, old?.row.map(Row.init) != Row(row) else {
      return false
    }
    queue.note(id, row)
    return true
  }

  private mutating func forget(_ index: RecordIndex) {
    known.removeValue(forKey: index)?.snapshot.seen.forEach { seen in
      watchers[seen]?.remove(index)
      if watchers[seen]?.isEmpty == true { watchers[seen] = nil }
    }
  }
}

extension RowSnapshot {
  /// The same with another row: what was told last.
  fileprivate func keeping(_ row: RowStorage?) -> RowSnapshot {
    var snapshot = self
    snapshot.row = row
    return snapshot
  }
}

extension LayeredSource {
  /// Whether a concrete type is, or satisfies, that of a plan.
  fileprivate func isType(_ typeName: String?, of plan: Plan) -> Bool {
    guard let typeName else { return false }
    if !plan.isAbstract { return typeName.hasSameBytes(as: plan.typeName) }
    if let schema = index(of: .typeSchema(typeName)),
      let key = keys.key(of: "__is" + plan.typeName),
      case .bool(let satisfies)? = self[schema][key]
    {
      return satisfies
    }
    return plan.types?.satisfies(typeName, plan.typeName) ?? false
  }
}

/// What a mirror has to tell, until it is told: one call at a time, the newest value of each record.
final class MirrorQueue: SnapshotReceiver, CancellableReceiver {
  /// Records with the rows that they have now, `nil` for those deleted, in the order of the changes.
  typealias Changes = [(id: DataID, row: RowStorage?)]

  private struct State {
    var changes: Changes = []
    var places: [DataID: Int] = [:]
    var isTelling = false
    var tell: (@Sendable (Changes) -> Void)?
  }

  private let state: Locked<State>

  init(_ tell: @escaping @Sendable (Changes) -> Void) { state = Locked(State(tell: tell)) }

  /// Notes a change; called while the store is held.
  func note(_ id: DataID, _ row: RowStorage?) {
    state.withLock { state in
      if let place = state.places[id] {
        state.changes[place].row = row
      } else {
        state.places[id] = state.changes.count
        state.changes.append((id, row))
      }
    }
  }

  /// Tells what was noted; called while the store is free.
  func deliver(_ snapshot: RowSnapshot) {
    // What comes while one thread tells, that thread tells next.
    while let (tell, changes) = next() {
      tell(changes)
      state.withLock { $0.isTelling = false }
    }
  }

  private func next() -> (@Sendable (Changes) -> Void, Changes)? {
    state.withLock { state in
      guard !state.isTelling, !state.changes.isEmpty, let tell = state.tell else { return nil }
      state.isTelling = true
      defer { (state.changes, state.places) = ([], [:]) }
      return (tell, state.changes)
    }
  }

  func cancel() -> Bool {
    // The closure is let go of while nothing is locked.
    let tell = state.withLock { state in
      defer { (state.tell, state.changes, state.places) = (nil, [], [:]) }
      return state.tell
    }
    return tell != nil
  }
}

extension StoreState {
  /// Adds a mirror, which begins with all records of its type.
  mutating func mirror(_ plan: Plan, _ scope: VariableScope, _ queue: MirrorQueue) -> UInt64 {
    var mirror = RecordMirror(plan, bind(plan, scope), queue: queue)
    _ = mirror.note(source.allIDs.map(\.index), in: source)
    let number = makeNumber()
    mirrors[number] = mirror
    return number
  }

  /// What mirrors have to tell of a change.
  mutating func noteForMirrors(_ changed: RecordList) -> [ObserverTable.Delivery] {
    if mirrors.isEmpty || changed.isEmpty { return [] }
    return mirrors.keys.sorted().compactMap { number in
      guard mirrors[number]?.note(changed.indexes, in: source) == true,
        let queue = mirrors[number]?.queue
      else { return nil }
      return ObserverTable.Delivery(receiver: queue, snapshot: RowSnapshot())
    }
  }
}

extension RecordStore {
  /// Tells of every record of a fragment's type: of those there are at once, then of what commits change.
  func mirror(
    _ plan: Plan, _ scope: VariableScope, _ tell: @escaping @Sendable (MirrorQueue.Changes) -> Void
  ) -> ObservationHandle {
    let queue = MirrorQueue(tell)
    let number = withState { $0.mirror(plan, scope, queue) }
    queue.deliver(RowSnapshot())
    return ObservationHandle(receiver: queue) { [self] in
      whenFree { store in _ = store.state.withLock { $0.mirrors.removeValue(forKey: number) } }
    }
  }
}
