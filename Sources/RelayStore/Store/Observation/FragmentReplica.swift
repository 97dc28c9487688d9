/// What follows all records of a fragment's type, and says for each commit which of them have other values.
///
/// It keeps no record from the garbage collector, nor the values of one that is gone: of those it keeps the id and a
/// hash of what was told last, to know what is news when they come again.
struct FragmentReplica {
  /// What was told of a record last.
  fileprivate enum Told {
    /// Its row, as long as the store has the same records.
    case row(RowStorage)
    case digest(Digest)
  }

  /// A record as it was read last.
  private struct Known {
    let id: DataID
    /// `nil` where it was never whole.
    var told: Told?
    /// The records that were looked at.
    let seen: ContiguousArray<RecordIndex>
  }

  private let plan: SelectionPlan
  let bound: BoundPlan
  let queue: MirrorQueue
  private var known: [RecordIndex: Known] = [:]
  /// The records that were looked at for others, and for which.
  private var watchers: [RecordIndex: Set<RecordIndex>] = [:]
  /// What was told of records that the store has let go of.
  private var toldBefore: [DataID: Digest] = [:]
  /// Whether the concrete types that were met may satisfy the fragment's, where that is an abstract one.
  private var types: [ByteString: Bool] = [:]

  init(_ plan: SelectionPlan, _ bound: BoundPlan, queue: MirrorQueue) {
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
      if plan.isAbstract { noteType(index, in: source, &affected) }
    }
    var isNews = false
    // Records of one response may all see the same: what they read together is limited, too.
    var budget = ReadBudget(source.readLimits)
    budget.rows += min(64 * affected.count, .max - budget.rows)
    for index in affected.indexes where read(index, in: source, within: &budget) { isNews = true }
    return isNews
  }

  /// Notes what a record says of a type, where it is one of those that do, and is news: all records of the type are concerned.
  private mutating func noteType(
    _ index: RecordIndex, in source: LayeredSource, _ affected: inout RecordList
  ) {
    let record = source[index].storage
    guard record.isTypeSchema, let typeName = record.id.schemaTypeName,
      let before = types[ByteString(typeName)]
    else { return }
    let satisfies = source.satisfies(typeName, plan).answer ?? true
    if satisfies == before { return }
    types[ByteString(typeName)] = satisfies
    for position in 0..<source.base.numberCount {
      let other = RecordIndex(position)
      if source[other].typeName?.hasSameBytes(as: typeName) == true { affected.insert(other) }
    }
  }

  /// Whether a record is one of those that are mirrored.
  private mutating func isMirrored(_ record: Record, in source: LayeredSource) -> Bool {
    guard record.state == .present, let typeName = record.typeName else { return false }
    if let known = types[ByteString(typeName)] { return known }
    // A record of a type that nobody knows of is mirrored if it has all the fields.
    let satisfies = source.satisfies(typeName, plan).answer ?? true
    if !plan.isAbstract { return satisfies }
    types[ByteString(typeName)] = satisfies
    return satisfies
  }

  private mutating func read(
    _ index: RecordIndex, in source: LayeredSource, within budget: inout ReadBudget
  ) -> Bool {
    let record = source[index]
    let old = forget(index)
    guard let id = source.id(of: index), isMirrored(record, in: source) else {
      return noteEnd(old, record, source.id(of: index))
    }
    let new = RecordReader.read(index, bound, from: source, within: &budget)
    let before = old?.told ?? toldBefore.removeValue(forKey: id).map(Told.digest)
    let row = new.isWhole ? new.row : nil
    let isNews = row.map { before?.isOf($0) != true } ?? false
    // Of what is not whole any more, the store does not have the old values.
    let told = row.map(Told.row) ?? before.map { .digest($0.digest) }
    remember(index, Known(id: id, told: told, seen: new.seen.unique))
    if isNews, let row { queue.note(id, row) }
    return isNews
  }

  /// Notes that a record is none of those that are mirrored, or not any more.
  private mutating func noteEnd(_ old: Known?, _ record: Record, _ id: DataID?) -> Bool {
    guard let id = old?.id ?? id else { return false }
    switch record.state {
    case .deleted:
      let before = toldBefore.removeValue(forKey: id)
      guard old?.told != nil || before != nil else { return false }
      queue.note(id, nil)
      return true
    case .unknown: letGo(old)
    case .present: break
    }
    return false
  }

  // MARK: What is gone

  /// Lets go of the values of records that were collected.
  mutating func letGo(_ collected: some Sequence<RecordIndex>) {
    for index in collected {
      for other in watchers[index] ?? [] where other != index {
        if let told = known[other]?.told { known[other]?.told = .digest(told.digest) }
      }
      letGo(forget(index))
    }
  }

  /// Lets go of what is known of types that no record has.
  mutating func letGoOfTypes(in source: LayeredSource) {
    if types.count > source.knownTypeCount { types = types.filter { source.knows($0.key) } }
  }

  private mutating func letGo(_ old: Known?) {
    if let old, let told = old.told { toldBefore[old.id] = told.digest }
  }

  private mutating func remember(_ index: RecordIndex, _ record: Known) {
    known[index] = record
    for seen in record.seen { watchers[seen, default: []].insert(index) }
  }

  private mutating func forget(_ index: RecordIndex) -> Known? {
    guard let old = known.removeValue(forKey: index) else { return nil }
    for seen in old.seen {
      watchers[seen]?.remove(index)
      if watchers[seen]?.isEmpty == true { watchers[seen] = nil }
    }
    return old
  }
}

extension FragmentReplica {
  /// What tells a row from others without holding it: a hash of its values, seeded for each process.
  fileprivate struct Digest: Equatable {
    private let value: Int

    init(_ row: RowStorage) {
      var hasher = Hasher()
      var hashing = RowHashing(isExact: true)
      hashing.combine(row, into: &hasher)
      value = hasher.finalize()
    }
  }
}

extension FragmentReplica.Told {
  fileprivate var digest: FragmentReplica.Digest {
    switch self {
    case .row(let row): FragmentReplica.Digest(row)
    case .digest(let digest): digest
    }
  }

  /// Whether it is what a row says.
  fileprivate func isOf(_ row: RowStorage) -> Bool {
    switch self {
    case .row(let known): Row(known) == Row(row)
    case .digest(let digest): digest == FragmentReplica.Digest(row)
    }
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
  mutating func mirror(_ plan: SelectionPlan, _ scope: VariableScope, _ queue: MirrorQueue)
    -> UInt64
  {
    var mirror = FragmentReplica(plan, bind(plan, scope), queue: queue)
    _ = mirror.note(source.allIDs.map(\.index), in: source)
    let number = makeNumber()
    mirrors[number] = mirror
    collector.keepFields(of: mirror.bound)
    source.notesCollected = true
    return number
  }

  /// Ends a mirror.
  mutating func endMirror(_ number: UInt64) {
    mirrors[number] = nil
    source.notesCollected = !mirrors.isEmpty
  }

  /// Has mirrors let go of what the collector has taken.
  mutating func letGoInMirrors() {
    let collected = source.takeCollected()
    if collected.isEmpty { return }
    for number in mirrors.keys {
      mirrors[number]?.letGo(collected)
      mirrors[number]?.letGoOfTypes(in: source)
    }
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
    _ plan: SelectionPlan, _ scope: VariableScope,
    _ tell: @escaping @Sendable (MirrorQueue.Changes) -> Void
  ) -> ObservationHandle {
    let queue = MirrorQueue(tell)
    let number = withState { $0.mirror(plan, scope, queue) }
    queue.deliver(RowSnapshot())
    return ObservationHandle(receiver: queue) { [self] in
      afterUpdater { store in store.state.withLock { $0.endMirror(number) } }
    }
  }
}
