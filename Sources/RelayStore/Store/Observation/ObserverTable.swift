/// Who has to be told when which record changes.
struct ObserverTable {
  /// A consumer's number, which is larger the later it came, and its place in the table.
  struct ID: Hashable, Sendable {
    fileprivate let number: UInt64
    fileprivate let place: UInt32
  }

  /// The new snapshot of an observer.
  struct Change {
    let receiver: SnapshotReceiver
    let snapshot: RowSnapshot
  }

  /// A class, so that looking at one copies nothing; only the table, which one thread at a time uses,
  /// knows it.
  final class Observer {
    let number: UInt64
    let record: RecordIndex
    let plan: BoundPlan
    let receiver: SnapshotReceiver
    var snapshot: RowSnapshot
    /// The consumer that it is a part of, with others that share the limits of a read; 0 for none.
    let group: UInt64
    /// How many links lead to it.
    var linkCount = 0
    /// The last notification in which it was told, or found to know all.
    var lastPass: UInt64 = 0

    init(
      number: UInt64, record: RecordIndex, plan: BoundPlan, receiver: SnapshotReceiver,
      snapshot: RowSnapshot, group: UInt64
    ) {
      self.group = group
      self.number = number
      self.record = record
      self.plan = plan
      self.receiver = receiver
      self.snapshot = snapshot
    }
  }

  /// One observer that has looked at a record, and the next link of the same record.
  struct Link {
    let place: UInt32
    let number: UInt64
    let next: UInt32
  }

  var observers: ContiguousArray<Observer?> = []
  var free: [UInt32] = []
  /// The links of all records; those of observers that have gone, or do not look at the record any
  /// more, stay until there are too many.
  var links: ContiguousArray<Link> = []
  /// For each record the first of its links; `noLink` where there is none.
  var heads: ContiguousArray<UInt32> = []
  var staleCount = 0
  var last: UInt64 = 0
  var pass: UInt64 = 0
  static let noLink = UInt32.max

  /// How many consumers there are.
  var count = 0

  /// Every record that a consumer has seen.
  var seen: RecordList {
    var all = RecordList()
    for case let observer? in observers { observer.snapshot.seen.forEach { all.insert($0) } }
    return all
  }

  /// Where consumers start to read, and what.
  var roots: [(record: RecordIndex, plan: BoundPlan)] {
    observers.compactMap { $0.map { ($0.record, $0.plan) } }
  }

  /// Adds a consumer that knows this snapshot.
  mutating func add(
    _ record: RecordIndex, _ plan: BoundPlan, _ receiver: SnapshotReceiver,
    knowing snapshot: RowSnapshot, group: UInt64 = 0
  ) -> ID {
    last += 1
    count += 1
    let place = free.popLast() ?? UInt32(observers.count)
    if place == observers.count { observers.append(nil) }
    observers[Int(place)] = Observer(
      number: last, record: record, plan: plan, receiver: receiver, snapshot: snapshot,
      group: group)
    link(snapshot.seen, to: place, knowing: SeenRecords())
    return ID(number: last, place: place)
  }

  /// Forgets a consumer.
  ///
  /// - Complexity: O(1), on average over all removals.
  mutating func remove(_ id: ID) {
    guard let observer = observers[Int(id.place)], observer.number == id.number else { return }
    observers[Int(id.place)] = nil
    free.append(id.place)
    count -= 1
    staleCount += observer.linkCount
    if count == 0 {
      (links, heads, staleCount) = ([], [], 0)
    } else {
      tidyLinks()
    }
  }

  // MARK: Links

  /// Links records to the observer that has looked at them.
  ///
  /// - Parameter known: Those that are linked to it already.
  private mutating func link(_ seen: SeenRecords, to place: UInt32, knowing known: SeenRecords) {
    guard let observer = observers[Int(place)] else { return }
    seen.forEach(notIn: known) { index in
      if index.position >= heads.count {
        let missing = index.position + 1 - heads.count
        heads.append(contentsOf: repeatElement(Self.noLink, count: missing))
      }
      let head = heads[index.position]
      // Many elements of a list look at one record.
      if head != Self.noLink, links[Int(head)].number == observer.number { return }
      links.append(Link(place: place, number: observer.number, next: head))
      heads[index.position] = UInt32(links.count - 1)
      observer.linkCount += 1
    }
  }

  /// Makes the links anew when more than half of them lead nowhere.
  private mutating func tidyLinks() {
    guard staleCount > 1024, staleCount * 2 > links.count else { return }
    links.removeAll()
    heads.removeAll(keepingCapacity: true)
    staleCount = 0
    for place in observers.indices {
      guard let observer = observers[place] else { continue }
      observer.linkCount = 0
      link(observer.snapshot.seen, to: UInt32(place), knowing: SeenRecords())
    }
  }

  // MARK: Notifying

  /// Reads again for those who saw a changed record.
  ///
  /// - Parameter unread: All records that may differ from what consumers have read: the changed ones, and those of batches
  ///   that are still open.
  /// - Returns: The changes to deliver, in the order of registration.
  /// - Complexity: O(*n*) in what the affected consumers read, whoever else observes.
  mutating func notify(
    of changed: RecordList, unread: RecordList, in source: LayeredSource, revision: UInt64
  ) -> [Change] {
    pass += 1
    var affected: [(number: UInt64, place: Int)] = []
    collect(changed, into: &affected) { _ in true }
    if unread.count > changed.count {
      // The parts of one consumer are delivered as one value: each must have what open batches have changed.
      let groups = Set(affected.compactMap { observers[$0.place]?.group }).subtracting([0])
      if !groups.isEmpty { collect(unread, into: &affected) { groups.contains($0.group) } }
    }
    affected.sort { $0.number < $1.number }
    var budgets: [UInt64: ReadBudget] = [:]
    return affected.compactMap {
      read($0.place, unread, from: source, revision: revision, &budgets)
    }
  }

  /// Adds the observers that have looked at one of the records, each once in a pass.
  private func collect(
    _ records: RecordList, into affected: inout [(number: UInt64, place: Int)],
    where isWanted: (Observer) -> Bool
  ) {
    for index in records.indexes where index.position < heads.count {
      var position = heads[index.position]
      while position != Self.noLink {
        let link = links[Int(position)]
        position = link.next
        guard let observer = observers[Int(link.place)], observer.number == link.number,
          observer.lastPass != pass, isWanted(observer)
        else { continue }
        observer.lastPass = pass
        affected.append((link.number, Int(link.place)))
      }
    }
  }

  /// - Parameter budgets: What is left of the limits of each group's read.
  private mutating func read(
    _ place: Int, _ unread: RecordList, from source: LayeredSource, revision: UInt64,
    _ budgets: inout [UInt64: ReadBudget]
  ) -> Change? {
    guard let observer = observers[place] else { return nil }
    let old = observer.snapshot
    let group = observer.group
    var budget = ReadBudget(source.readLimits)
    if group != 0, let left = budgets[group] { budget = left }
    var new = RecordReader.read(
      observer.record, observer.plan, from: source, old: old, changed: unread, within: &budget)
    if group != 0 { budgets[group] = budget }
    new.revision = revision
    new.isStale = source.invalidations.isStale(any: new.seen)
    // Of what is shared with the old reading, only that one knows.
    if old.hasDeletedLinks { new.hasDeletedLinks = true }
    new.noteHidden(in: source)
    let isDifferent = new.isDifferent(from: old)
    // Also where nothing differs: what is kept must know the records it was read from this time.
    observer.snapshot = new
    let before = observer.linkCount
    link(new.seen, to: UInt32(place), knowing: old.seen)
    // As many as are new may be of no use any more.
    staleCount += observer.linkCount - before
    tidyLinks()
    return isDifferent ? Change(receiver: observer.receiver, snapshot: new) : nil
  }
}
