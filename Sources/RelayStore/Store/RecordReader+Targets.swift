/// The side effects of reads, collected during the reads and applied afterwards by
/// the store.
struct ReadEffects {
  /// A snapshot for the log and the timeline.
  typealias Read = (snapshot: RowSnapshot, plan: SelectionPlan, record: DataID)

  /// Whether reads are logged or added to a timeline.
  private let areReadsWanted: Bool

  init(areReadsWanted: Bool) { self.areReadsWanted = areReadsWanted }

  private(set) var reads: [Read] = []
  /// The private elements declared by the plans that were read.
  private(set) var privacy: [PrivateElements] = []

  mutating func add(_ read: @autoclosure () -> Read) {
    if areReadsWanted { reads.append(read()) }
  }

  mutating func add(_ elements: PrivateElements) { privacy.append(elements) }
}

extension RecordReader {
  /// Reads a target. The source is moved into the reader and back, unchanged.
  mutating func read(
    _ target: ReadTarget, from source: inout LayeredSource, revision: UInt64,
    _ bindings: PlanBindings, _ effects: inout ReadEffects
  ) -> RowSnapshot {
    if case .one(let reference, let plan) = target {
      var budget = ReadBudget(source.readLimits)
      return read(
        reference, plan, from: &source, revision: revision, within: &budget, bindings, &effects)
    }
    let parts = target.read(within: source.readLimits) {
      read($0, $1, from: &source, revision: revision, within: &$2, bindings, &effects)
    }
    return parts.snapshot(revision: revision, in: source)
  }

  /// Returns the plan bound to these variables.
  mutating func bind(
    _ plan: SelectionPlan, in scope: VariableScope, isRoot: Bool, _ bindings: PlanBindings,
    names: KeyTable
  ) -> BoundPlan {
    if recentPlans.isEmpty { recentPlans = ContiguousArray(repeating: nil, count: 64) }
    let address = UInt(bitPattern: ObjectIdentifier(plan))
    // Allocations are aligned to 16 bytes.
    let place = Int(bitPattern: (address >> 4 ^ address >> 10) % 64)
    if let last = recentPlans[place], last.plan.plan === plan, last.scope.isIdentical(to: scope) {
      return last.plan
    }
    let bound = bindings.bind(plan, scope: scope, isRoot: isRoot, names: names)
    recentPlans[place] = (scope, bound)
    return bound
  }

  mutating func read(
    _ reference: SpreadReference, _ plan: SelectionPlan, from source: inout LayeredSource,
    revision: UInt64, within budget: inout ReadBudget, _ bindings: PlanBindings,
    _ effects: inout ReadEffects
  ) -> RowSnapshot {
    switch reference {
    case .record(let id, let scope):
      if let privacy = plan.privacy { effects.add(privacy) }
      let bound = bind(plan, in: scope, isRoot: id == .root, bindings, names: source.keys)
      // An id without an index reads as an unknown record, as `.none` does.
      let index = source.index(of: source.resolved(id)) ?? .none
      var snapshot = read(index, bound, from: &source, within: &budget)
      source.complete(&snapshot, of: bound, at: index, revision: revision, with: &self)
      if index == .none {
        snapshot.isStale = source.observers.invalidations.isStale(any: CollectionOfOne(.none))
        snapshot.details.hidden = [id.withBytes { Record(.unknown(id: $0)) }]
      }
      effects.add((snapshot, plan, id))
      return snapshot
    case .value(let row):
      var snapshot = RowSnapshot()
      snapshot.row = row
      return snapshot
    case .nothing: return RowSnapshot()
    }
  }
}

extension LayeredSource {
  /// Adds the store's information about the snapshot's records, in addition to their fields.
  mutating func complete(
    _ snapshot: inout RowSnapshot, of plan: BoundPlan, at index: RecordIndex, revision: UInt64,
    with reader: inout RecordReader
  ) {
    if snapshot.isOptimistic, !snapshot.holes.isEmpty {
      let settled = reader.settledHoles(at: index, plan, from: &self)
      var details = snapshot.details
      details.optimisticHoles = details.holes.subtracting(settled)
      details.holes = settled
      snapshot.details = details
    }
    snapshot.revision = revision
    snapshot.isStale = observers.invalidations.isStale(any: snapshot.seen)
    snapshot.captureHiddenRecords(in: self)
    snapshot.captureNotLoaded(in: self)
    snapshot.capturePendingParts(of: plan.plan, at: index, in: self)
  }

  /// Reads a record for an observer and makes the observer depend on the live fields it reads.
  /// Fields and records that no observer depended on before receive an index, and the record is read
  /// once more.
  ///
  /// - Parameters: See ``RecordReader/read(_:_:from:old:changed:keeping:within:)``.
  mutating func readForObserver(
    _ index: RecordIndex, _ plan: BoundPlan, with reader: inout RecordReader,
    old: RowBox? = nil, changed: RecordList? = nil, keeping previous: RowSnapshot? = nil,
    within budget: inout ReadBudget
  ) -> RowSnapshot {
    reader.isForObserver = true
    defer { reader.isForObserver = false }
    let whole = budget
    // A handler that returns another id each time would not end the loop.
    var mayIntern = true
    while true {
      let snapshot = reader.read(
        index, plan, from: &self, old: old, changed: changed, keeping: previous, within: &budget)
      let (fields, unknown) = (reader.takeUnindexed(), reader.takeUnknownIDs())
      let (ids, live) = (mayIntern ? unknown : [], derivations?.live)
      if ids.isEmpty, fields.isEmpty || live == nil { return snapshot }
      for id in ids { _ = intern(resolved(id)) }
      mayIntern = false
      for (field, owner) in fields {
        let id = DataID.liveField(field.name.text, of: id(of: field.record) ?? .root, owner: owner)
        live?.setIndex(intern(id), of: field)
      }
      budget = whole
    }
  }
}
