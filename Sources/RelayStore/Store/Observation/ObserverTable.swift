/// An index from records to the observers that have read them.
package struct ObserverTable {
  /// The new snapshot of an observer.
  package struct Change {
    let observer: Observer
    let snapshot: RowSnapshot
    /// Whether the receiver is notified. If not, only the seen records differ, which a list of
    /// fragments needs to know.
    let isDelivered: Bool
    /// The paths that a write has left out, if the previous snapshot was complete.
    var lost: [ResponsePath] = []
    /// The fields that are missing because of optimistic updates, and were not in the previous
    /// snapshot.
    var optimisticHoles: [Hole] = []
  }

  /// A link of a record's singly linked list: an observer that has read the record, and the index
  /// of the next link. The slot may have been reused: if its observer has another ordinal, the link
  /// is stale.
  struct Link {
    let slot: UInt32
    let ordinal: UInt64
    let next: UInt32
  }

  package var observers: ContiguousArray<Observer?> = []
  var free: [UInt32] = []
  /// The links of all records. ``compactLinks()`` removes stale links in bulk: links to removed
  /// observers, and links from records that their observer no longer reads.
  var links: ContiguousArray<Link> = []
  /// The index of each record's first link; `noLink` if there is none.
  var heads: ContiguousArray<UInt32> = []
  /// The estimated number of stale links.
  var staleCount = 0
  var lastOrdinal: UInt64 = 0
  /// The number of calls of ``notify(of:unread:in:with:revision:_:)``.
  var pass: UInt64 = 0
  static let noLink = UInt32.max
  /// The records through which observers depend on live derived fields.
  var liveFields = RecordSet()
  /// The elements of ``liveFields`` that an observer has stopped depending on since the last call
  /// of ``takeReleased()``. Other observers may still depend on them.
  var released: [RecordIndex] = []
  var liveFieldCount = 0

  /// The number of observers.
  var count = 0
  /// The recorder of a timeline; `nil` for none.
  var recorder: TimelineRecorder?

  /// All records that an observer has read.
  var seen: RecordList {
    var all = RecordList()
    for case let observer? in observers { observer.snapshot.seen.forEach { all.insert($0) } }
    return all
  }

  /// The root record and plan of each observer.
  package var roots: [(record: RecordIndex, plan: BoundPlan)] {
    observers.compactMap { $0.map { ($0.record, $0.plan) } }
  }

  /// Adds an observer. Its snapshot is not delivered.
  mutating func add(_ observer: Observer) {
    compactLinks()
    lastOrdinal += 1
    count += 1
    let slot = free.popLast() ?? UInt32(observers.count)
    if slot == observers.count {
      observers.append(nil)
      // Ensures that removing observers never allocates.
      if free.capacity < observers.count { free.reserveCapacity(observers.capacity) }
    }
    (observer.ordinal, observer.slot) = (lastOrdinal, slot)
    observers[Int(slot)] = observer
    link(observer.snapshot.seen, to: slot, except: SeenRecords())
  }

  /// Removes an observer. Its links remain until the next observer is added or notified, so
  /// removing a screen's observers does not compact the links of the remaining ones each time.
  ///
  /// - Complexity: O(1) in the number of links.
  mutating func remove(_ observer: Observer) {
    guard let slot = observer.slot else { return }
    if liveFieldCount > 0 { release(observer.snapshot.seen, except: SeenRecords()) }
    observer.slot = nil
    observers[Int(slot)] = nil
    free.append(slot)
    count -= 1
    staleCount += observer.linkCount
    if count == 0 { (links, heads, staleCount) = ([], [], 0) }
  }

  /// Stops observers from showing rows of their snapshots, because all records were removed.
  mutating func forgetRows() {
    for case let observer? in observers { observer.forgetsRows = true }
  }

  // MARK: Links

  /// Adds a link to the observer for each record that it has read.
  ///
  /// - Parameter linked: The records that already have a link to the observer.
  private mutating func link(_ seen: SeenRecords, to slot: UInt32, except linked: SeenRecords) {
    guard let observer = observers[Int(slot)] else { return }
    seen.forEach(notIn: linked) { index in
      if index.position >= heads.count {
        let missing = index.position + 1 - heads.count
        heads.append(contentsOf: repeatElement(Self.noLink, count: missing))
      }
      let head = heads[index.position]
      // The record already has a link, because several elements of a list have read it. The links
      // added by this call are at the head.
      if head != Self.noLink, links[Int(head)].ordinal == observer.ordinal { return }
      links.append(Link(slot: slot, ordinal: observer.ordinal, next: head))
      heads[index.position] = UInt32(links.count - 1)
      observer.linkCount += 1
    }
  }

  /// Rebuilds the links if more than half of them are estimated to be stale.
  private mutating func compactLinks() {
    guard staleCount > 1024, staleCount * 2 > links.count else { return }
    links.removeAll()
    heads.removeAll(keepingCapacity: true)
    staleCount = 0
    for slot in observers.indices {
      guard let observer = observers[slot] else { continue }
      observer.linkCount = 0
      link(observer.snapshot.seen, to: UInt32(slot), except: SeenRecords())
    }
  }

  // MARK: Notifying

  /// Rereads the data of the observers that have read a changed record.
  ///
  /// - Parameters:
  ///   - joined: The observers whose snapshots are of an earlier version.
  ///   - unread: The records with undelivered changes: the changed ones, and the records of open
  ///     batches.
  ///   - publishes: The publishes; `nil` without a timeline.
  /// - Returns: The changes to deliver, in the order of registration.
  /// - Complexity: O(*n* + *k* log *k*) in the records that the *k* affected observers read and the
  ///   links of the changed records. Other observers cost no time.
  mutating func notify(
    of changed: RecordList, and joined: [Observer] = [], unread: RecordList,
    in source: inout LayeredSource, with reader: inout RecordReader, revision: UInt64,
    _ publishes: PublishGroup?
  ) -> [Change] {
    compactLinks()
    pass += 1
    var affected: [(ordinal: UInt64, slot: Int)] = []
    collect(changed, into: &affected) { _ in true }
    if unread.count > changed.count {
      // The elements of a list are delivered as one value, so each of them must include the changes
      // of open batches.
      let groups = Set(affected.compactMap { observers[$0.slot]?.group }).subtracting([0])
      if !groups.isEmpty { collect(unread, into: &affected) { groups.contains($0.group) } }
    }
    for observer in joined where observer.lastPass != pass {
      guard let slot = observer.slot else { continue }
      affected.append((observer.ordinal, Int(slot)))
    }
    affected.sort { $0.ordinal < $1.ordinal }
    var budgets: [UInt64: ReadBudget] = [:]
    var changes: [Change] = []
    for observer in affected {
      let change = read(
        observer.slot, unread: unread, from: &source, with: &reader, revision: revision,
        budgets: &budgets, publishes)
      if let change { changes.append(change) }
    }
    return changes
  }

  /// Appends the observers that have read one of the records, each once in a pass.
  private func collect(
    _ records: RecordList, into affected: inout [(ordinal: UInt64, slot: Int)],
    where isWanted: (Observer) -> Bool
  ) {
    for index in records.indexes where index.position < heads.count {
      var position = heads[index.position]
      while position != Self.noLink {
        let link = links[Int(position)]
        position = link.next
        guard let observer = observers[Int(link.slot)], observer.ordinal == link.ordinal,
          observer.lastPass != pass, isWanted(observer)
        else { continue }
        observer.lastPass = pass
        observer.trigger = index
        affected.append((link.ordinal, Int(link.slot)))
      }
    }
  }

  /// Rereads one observer's data.
  ///
  /// - Parameter budgets: The remaining budget of each group. The observers of a group consume it
  ///   in the order of registration.
  private mutating func read(
    _ slot: Int, unread: RecordList, from source: inout LayeredSource,
    with reader: inout RecordReader, revision: UInt64, budgets: inout [UInt64: ReadBudget],
    _ publishes: PublishGroup?
  ) -> Change? {
    guard let observer = observers[slot] else { return nil }
    let old = observer.snapshot
    let group = observer.group
    var budget = budgets[group] ?? ReadBudget(source.readLimits)
    let keepsRows = !observer.forgetsRows
    let isOfEarlierVersion = observer.isOfEarlierVersion
    // Lists inside a row that is shown instead of one with a hole are older than the last read: the
    // elements may have got holes since.
    var new = source.readForObserver(
      observer.record, observer.plan, with: &reader, old: isOfEarlierVersion ? nil : old.row,
      changed: isOfEarlierVersion || old.keepsRows ? nil : unread,
      keeping: keepsRows ? old : nil, within: &budget)
    (observer.forgetsRows, observer.isOfEarlierVersion) = (false, false)
    if group != 0 { budgets[group] = budget }
    // Rows of the previous snapshot that were not read again may have links to deleted records that
    // this read has not found, so the flag is never cleared.
    if old.hasHiddenRecords { new.hasHiddenRecords = true }
    source.complete(
      &new, of: observer.plan, at: observer.record, revision: revision, with: &reader)
    let isDifferent = new.isDifferent(from: old)
    // Replaced even without a difference, so that the stored dependencies are from this read.
    observer.snapshot = new
    if liveFieldCount > 0 { release(old.seen, except: new.seen) }
    let before = observer.linkCount
    link(new.seen, to: UInt32(slot), except: old.seen)
    // An estimate: each new link is assumed to replace one that is now stale. An observer that
    // reads fewer records than before has more stale links; removing the observer counts them.
    staleCount += observer.linkCount - before
    if let publishes {
      new = trace(
        observer, old: old, new: new, isDelivered: isDifferent, after: publishes, in: &source)
    }
    if !isDifferent, group == 0 { return nil }
    var change = Change(observer: observer, snapshot: new, isDelivered: isDifferent)
    // If the record itself is gone, as after a reset or a revert, the write did not leave its
    // fields out.
    if isDifferent, new.lacksData, old.row != nil, !old.lacksData, new.pending.isEmpty,
      !new.isNotLoaded, keepsRows, source[observer.record].state == .present
    {
      change.lost = new.missing
    }
    if !new.optimisticHoles.isEmpty {
      change.optimisticHoles = new.optimisticHoles.subtracting(
        isOfEarlierVersion ? [] : old.optimisticHoles)
    }
    return change
  }
}
