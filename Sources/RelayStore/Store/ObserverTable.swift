/// Who has to be told when which record changes.
struct ObserverTable {
  /// A consumer's number; later ones are larger.
  struct ID: Hashable, Comparable, Sendable {
    let rawValue: UInt64
    static func < (left: ID, right: ID) -> Bool { left.rawValue < right.rawValue }
  }

  /// A snapshot on its way to a consumer, delivered once the store is unlocked.
  struct Delivery: Sendable {
    let receiver: any SnapshotReceiver
    let snapshot: RowSnapshot

    func callAsFunction() { receiver.deliver(snapshot) }
  }

  private struct Observer {
    let record: RecordIndex
    let plan: BoundPlan
    let receiver: any SnapshotReceiver
    var snapshot: RowSnapshot
  }

  private var observers: [ID: Observer] = [:]
  private var byRecord: [RecordIndex: Set<ID>] = [:]
  private var last: UInt64 = 0

  /// How many consumers there are.
  var count: Int { observers.count }

  /// Every record that a consumer has seen.
  var seen: some Collection<RecordIndex> { byRecord.keys }

  /// Where consumers start to read, and what.
  var roots: [(record: RecordIndex, plan: BoundPlan)] {
    observers.values.map { ($0.record, $0.plan) }
  }

  /// Adds a consumer that knows this snapshot.
  mutating func add(
    _ record: RecordIndex, _ plan: BoundPlan, _ receiver: any SnapshotReceiver,
    knowing snapshot: RowSnapshot
  ) -> ID {
    last += 1
    let id = ID(rawValue: last)
    observers[id] = Observer(
      record: record, plan: plan, receiver: receiver, snapshot: snapshot)
    for index in snapshot.seen { byRecord[index, default: []].insert(id) }
    return id
  }

  /// Forgets a consumer.
  ///
  /// - Complexity: O(*n*) in the records it saw.
  mutating func remove(_ id: ID) {
    guard let observer = observers.removeValue(forKey: id) else { return }
    for index in observer.snapshot.seen { forget(id, index) }
  }

  private mutating func forget(_ id: ID, _ index: RecordIndex) {
    byRecord[index]?.remove(id)
    if byRecord[index]?.isEmpty == true { byRecord[index] = nil }
  }

  /// Reads again for those who saw a changed record.
  ///
  /// - Returns: What is to be delivered, in the order of registration.
  /// - Complexity: O(*n*) in what the affected consumers read, whoever else observes.
  mutating func notify(
    of changed: RecordList, in source: LayeredSource, revision: UInt64
  ) -> [Delivery] {
    var affected: Set<ID> = []
    for index in changed.indexes { affected.formUnion(byRecord[index] ?? []) }
    return affected.sorted().compactMap { read($0, from: source, revision: revision) }
  }

  private mutating func read(_ id: ID, from source: LayeredSource, revision: UInt64) -> Delivery? {
    guard let observer = observers[id] else { return nil }
    var new = RecordReader.read(observer.record, observer.plan, from: source)
    new.revision = revision
    new.isStale = source.invalidations.isStale(any: new.seen)
    let old = observer.snapshot
    for index in old.seen.subtracting(new.seen) { forget(id, index) }
    for index in new.seen.subtracting(old.seen) { byRecord[index, default: []].insert(id) }
    let isDifferent = new.isDifferent(from: old)
    // An equal row is kept as it was, so that what the consumer holds stays shared.
    if !isDifferent { new.row = old.row }
    observers[id]?.snapshot = new
    return isDifferent ? Delivery(receiver: observer.receiver, snapshot: new) : nil
  }
}
