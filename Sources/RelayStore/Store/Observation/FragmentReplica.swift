/// A replica of a fragment's values for all records of its type. It finds the records whose values
/// a commit has changed.
///
/// A replica does not protect records from the garbage collector and holds no value of a collected
/// record. A mirror's replica retains the id and a digest of the last delivered value, to recognize
/// an unchanged value when the record is written again.
package struct FragmentReplica {
  /// The last delivered value of a record.
  fileprivate enum Delivered {
    /// The row, while the store has the records it was read from.
    case row(RowBox)
    case digest(Digest)
    /// A value newer than the store's value `stored`: the store lost the newer value when the last
    /// run of the program ended.
    case ahead(Digest, stored: Digest)
  }

  /// A record at its last read.
  private struct Entry {
    let id: DataID
    /// The delivered value; `nil` if the record was never complete.
    var delivered: Delivered?
    /// Whether only an optimistic update created the record.
    let isOptimistic: Bool
    /// The records that were read for it.
    let seen: ContiguousArray<RecordIndex>
  }

  private let plan: SelectionPlan
  let bound: BoundPlan
  let queue: ReplicaQueue
  /// Whether the consumer has exactly the store's complete rows. A collected or no longer complete
  /// record then leaves the replica like a deleted one. Otherwise the consumer retains the value of
  /// such a record, and the replica retains its digest.
  let isExact: Bool
  /// Whether the consumer saves stamps, which must not include private values.
  private let hasStamps: Bool
  private var hashing: FragmentHashing
  private var entries: [RecordIndex: Entry] = [:]
  /// The inverse of the entries' `seen`: for each record, the entries that depend on it.
  private var dependents: [RecordIndex: Set<RecordIndex>] = [:]
  /// The digests of delivered values whose records are no longer in the store.
  private var evictedDigests: [DataID: Digest] = [:]
  /// The records whose delivered values the store has lost, while the replica starts.
  private var aheadIDs: Set<DataID> = []
  /// Whether each concrete type may satisfy the fragment's type, if the latter is abstract.
  private var types: [ByteString: Bool] = [:]

  init(
    _ plan: SelectionPlan, bound: BoundPlan, queue: ReplicaQueue, isExact: Bool,
    hasStamps: Bool = false
  ) {
    self.plan = plan
    self.bound = bound
    self.queue = queue
    self.isExact = isExact
    self.hasStamps = hasStamps
    hashing = FragmentHashing(selections: isExact ? 0 : plan.readHash)
  }

  /// Reads all records, and queues the values that were not delivered in earlier runs of the
  /// program.
  ///
  /// - Parameters:
  ///   - stamps: The stamps of the values delivered in earlier runs.
  ///   - run: The run of a persisted store.
  ///   - revision: The revision of the store, for new stamps.
  mutating func begin(
    with stamps: [DataID: FragmentStamp], run: PersistenceRun?, at revision: PersistenceRevision?,
    in source: inout LayeredSource, with reader: inout RecordReader
  ) {
    for (id, stamp) in stamps {
      evictedDigests[id] = Digest(value: stamp.digest)
      if stamp.revision?.wasLost(by: run?.loaded) == true { aheadIDs.insert(id) }
    }
    _ = update(source.allIDs.map(\.index), at: revision, in: &source, with: &reader)
    aheadIDs = []
  }

  /// Rereads the records affected by changes, and queues new values.
  ///
  /// - Parameter revision: The revision of the store, for the stamps of new values.
  /// - Returns: Whether a value was queued.
  mutating func update(
    _ changed: some Sequence<RecordIndex>, at revision: PersistenceRevision?,
    in source: inout LayeredSource, with reader: inout RecordReader
  ) -> Bool {
    if hasStamps { hashing.hidden = source.observers.privateRecords.fields }
    var affected = RecordList()
    for index in changed {
      affected.insert(index)
      for other in dependents[index] ?? [] { affected.insert(other) }
      if plan.isAbstract { updateType(from: index, in: source, affected: &affected) }
    }
    var hasChanges = false
    // All records share one budget, because the records of one response may all read the same other
    // records.
    var budget = ReadBudget(source.readLimits)
    budget.rows += min(64 * affected.count, .max - budget.rows)
    for index in affected.indexes
    where read(index, at: revision, in: &source, with: &reader, within: &budget) {
      hasChanges = true
    }
    return hasChanges
  }

  /// Adds all records of a type to `affected`, if the record at `index` is a type schema record
  /// that changes whether the type satisfies the fragment's type.
  private mutating func updateType(
    from index: RecordIndex, in source: LayeredSource, affected: inout RecordList
  ) {
    let record = source[index].box
    guard record.isTypeSchema, let typeName = record.id.schemaTypeName,
      let before = types[ByteString(typeName)]
    else { return }
    let satisfies = source.satisfies(typeName, plan).isSatisfied ?? true
    if satisfies == before { return }
    types[ByteString(typeName)] = satisfies
    for position in 0..<source.base.indexBound {
      let other = RecordIndex(position)
      if source[other].typeName?.hasSameBytes(as: typeName) == true { affected.insert(other) }
    }
  }

  /// Returns whether a record is of the fragment's type.
  private mutating func isReplicated(_ record: Record, in source: LayeredSource) -> Bool {
    guard record.state == .present, let typeName = record.typeName else { return false }
    if let satisfies = types[ByteString(typeName)] { return satisfies }
    // A record of an undecided type is replicated if it has all the fields.
    let satisfies = source.satisfies(typeName, plan).isSatisfied ?? true
    if !plan.isAbstract { return satisfies }
    types[ByteString(typeName)] = satisfies
    return satisfies
  }

  /// Rereads a record.
  ///
  /// - Returns: Whether a new value, or the end of one, was queued.
  private mutating func read(
    _ index: RecordIndex, at revision: PersistenceRevision?, in source: inout LayeredSource,
    with reader: inout RecordReader, within budget: inout ReadBudget
  ) -> Bool {
    let record = source[index]
    let old = removeEntry(index)
    guard let id = source.id(of: index), isReplicated(record, in: source) else {
      return endReplication(of: old, record: record, id: source.id(of: index))
    }
    let new = reader.read(index, bound, from: &source, within: &budget)
    var before = old?.delivered ?? evictedDigests.removeValue(forKey: id).map(Delivered.digest)
    let row = new.isWhole ? new.row : nil
    if let row, case .digest(let digest)? = before, aheadIDs.contains(id) {
      before = .ahead(digest, stored: Digest(row, hashing))
    }
    let isNew = row.map { before?.isValue(of: $0, hashing) != true } ?? false
    // The store does not have the old values of a record that is no longer complete.
    let kept = isExact ? nil : before.map { Delivered.digest($0.digest(hashing)) }
    let isLost = isExact && row == nil && before != nil
    let delivered = row.map { before?.ahead(of: $0, hashing) ?? .row($0) } ?? kept
    let isOptimistic = source[base: index].state == .unknown
    insert(
      Entry(
        id: id, delivered: delivered, isOptimistic: isOptimistic, seen: new.seen.unique), at: index)
    if isNew || isLost { queue.enqueue(id, row, at: revision, hasStamps ? hashing : nil) }
    return isNew || isLost
  }

  /// Ends the replication of a record that was deleted, collected, or is of another type.
  ///
  /// - Returns: Whether the end of its value was queued.
  private mutating func endReplication(of old: Entry?, record: Record, id: DataID?) -> Bool {
    guard let id = old?.id ?? id else { return false }
    if isExact {
      if old?.delivered == nil { return false }
      queue.enqueue(id, nil, at: nil)
      return true
    }
    switch record.state {
    case .deleted:
      // The record was created again by a commit that the store has lost.
      if aheadIDs.contains(id) { return false }
      let before = evictedDigests.removeValue(forKey: id)
      guard old?.delivered != nil || before != nil else { return false }
      queue.enqueue(id, nil, at: nil)
      return true
    case .unknown where old?.isOptimistic == true:
      // The update that created it was reverted.
      if old?.delivered == nil { return false }
      queue.enqueue(id, nil, at: nil)
      return true
    case .unknown: evict(old)
    case .present: break
    }
    return false
  }

  // MARK: Eviction

  /// Replaces the values of collected records, and values that depend on them, with their digests.
  /// An exact replica ends these values instead.
  ///
  /// - Returns: Whether a change was queued.
  mutating func evict(
    _ collected: some Sequence<RecordIndex>, from source: inout LayeredSource,
    with reader: inout RecordReader
  ) -> Bool {
    if isExact { return update(collected, at: nil, in: &source, with: &reader) }
    for index in collected {
      for other in dependents[index] ?? [] where other != index {
        if let delivered = entries[other]?.delivered {
          entries[other]?.delivered = .digest(delivered.digest(hashing))
        }
      }
      evict(removeEntry(index))
    }
    return false
  }

  /// Evicts memoized types without records.
  mutating func evictTypes(notIn source: LayeredSource) {
    if types.count > source.registeredTypeCount {
      types = types.filter { source.isRegisteredType($0.key) }
    }
  }

  private mutating func evict(_ entry: Entry?) {
    if let entry, let delivered = entry.delivered {
      evictedDigests[entry.id] = delivered.digest(hashing)
    }
  }

  private mutating func insert(_ entry: Entry, at index: RecordIndex) {
    entries[index] = entry
    for seen in entry.seen { dependents[seen, default: []].insert(index) }
  }

  private mutating func removeEntry(_ index: RecordIndex) -> Entry? {
    guard let old = entries.removeValue(forKey: index) else { return nil }
    for seen in old.seen {
      dependents[seen]?.remove(index)
      if dependents[seen]?.isEmpty == true { dependents[seen] = nil }
    }
    return old
  }
}

extension FragmentReplica {
  /// The digest of a value, to compare the value without holding it.
  fileprivate struct Digest: Equatable {
    let value: UInt64

    init(value: UInt64) { self.value = value }

    init(_ row: RowBox, _ hashing: FragmentHashing) { value = hashing.digest(of: row) }
  }
}

extension FragmentReplica.Delivered {
  fileprivate func digest(_ hashing: FragmentHashing) -> FragmentReplica.Digest {
    switch self {
    case .row(let row): FragmentReplica.Digest(row, hashing)
    case .digest(let digest), .ahead(let digest, _): digest
    }
  }

  /// Returns whether a row has the delivered value, or the older value that the store has instead.
  fileprivate func isValue(of row: RowBox, _ hashing: FragmentHashing) -> Bool {
    switch self {
    case .row(let delivered): return Row(delivered) == Row(row)
    case .digest(let digest): return digest == FragmentReplica.Digest(row, hashing)
    case .ahead(let digest, let stored):
      let own = FragmentReplica.Digest(row, hashing)
      return own == digest || own == stored
    }
  }

  /// Returns the delivered value if it is newer than `row`, the store's value; otherwise `nil`.
  fileprivate func ahead(of row: RowBox, _ hashing: FragmentHashing) -> Self? {
    guard case .ahead(let digest, let stored) = self else { return nil }
    let own = FragmentReplica.Digest(row, hashing)
    return own == stored && own != digest ? self : nil
  }
}
