/// The sweep of unneeded fields with arguments in retained records, during a garbage collection.
///
/// Fields without arguments are bounded by the schema, but there can be as many fields with
/// arguments as there are searches. A field is retained if a selection reaches it, if it is
/// client-written, or if its record is in the overlay.
struct FieldSweep {
  /// The groups: the fields with arguments of a selection, and the records that the selection
  /// reaches.
  private var groups: [(keys: [FieldKey], records: RecordSet)] = []
  private var groupIndexes: [[FieldKey]: Int] = [:]
  private var groupIndexesOfKey: [FieldKey: [Int]] = [:]
  /// The fields that are retained on every record.
  private var kept: Set<FieldKey> = []
  /// The large records in progress, each with the key to continue from.
  private var inProgress: [(index: RecordIndex, next: FieldKey)] = []
  /// The number of fields of a large record that one step visits.
  private static let stepSize = 128
  /// The memoized fields with arguments of each shape. An entry retains its shape, so the identity
  /// is not reused.
  private var argumentKeys: [ObjectIdentifier: (shape: RecordShape, keys: [FieldKey])] = [:]
  private var lastShape: (shapeID: ObjectIdentifier, keys: [FieldKey])?

  // MARK: Selecting

  /// Returns the group of a selection's fields with arguments; `nil` if it has no such fields.
  mutating func group(of plan: BoundPlan) -> Int? {
    if plan.argumentKeys.isEmpty { return nil }
    if let group = groupIndexes[plan.argumentKeys] { return group }
    let group = groups.count
    groups.append((plan.argumentKeys, RecordSet()))
    groupIndexes[plan.argumentKeys] = group
    for key in plan.argumentKeys { groupIndexesOfKey[key, default: []].append(group) }
    return group
  }

  /// Marks a record as reached by a selection with the fields of a group.
  mutating func select(_ group: Int, of index: RecordIndex) { groups[group].records.insert(index) }

  /// Retains the fields of a selection, at any depth, on every record.
  mutating func keepAll(of plan: BoundPlan) {
    var (pending, visited) = ([plan], Set<ObjectIdentifier>())
    while let plan = pending.popLast() {
      guard visited.insert(ObjectIdentifier(plan)).inserted else { continue }
      kept.formUnion(plan.argumentKeys)
      pending += plan.children.compactMap { $0 }
      if let clientPlan = plan.clientPlan { pending.append(clientPlan) }
    }
  }

  private func isSelected(_ key: FieldKey, of index: RecordIndex) -> Bool {
    if kept.contains(key) { return true }
    return groupIndexesOfKey[key]?.contains { groups[$0].records.contains(index) } ?? false
  }

  // MARK: Dropping

  /// Drops the unneeded fields of a retained record.
  ///
  /// - Returns: Whether the record is done; otherwise ``step(on:)`` continues with it.
  mutating func collect(_ index: RecordIndex, on source: inout LayeredSource) -> Bool {
    guard let record = source.base.unretained(index) else { return true }
    // Unretained: the base owns the record, and is not written before the last use of `record`.
    let shapeID = record._withUnsafeGuaranteedRef { $0.shapeID }
    if let lastShape, lastShape.shapeID == shapeID, lastShape.keys.isEmpty { return true }
    let shape = record._withUnsafeGuaranteedRef { $0.shape }
    if shape.isLarge {
      inProgress.append((index, FieldKey(rawValue: 0)))
      return false
    }
    let keys = argumentKeys(of: shape, in: source)
    if !keys.isEmpty { drop(keys, of: index, on: &source) }
    return true
  }

  /// Continues with a large record.
  ///
  /// - Returns: The number of fields visited, and the record if it is done; `nil` if there is no
  ///   large record.
  mutating func step(on source: inout LayeredSource) -> (count: Int, finished: RecordIndex?)? {
    guard let (index, next) = inProgress.popLast() else { return nil }
    let record = source[base: index].box
    guard let fields = record.fields else {
      // The record has lost so many fields that it is no longer large.
      drop(argumentKeys(of: record.shape, in: source), of: index, on: &source)
      return (1, index)
    }
    let batch = fields.fields(from: next, limit: Self.stepSize)
    drop(
      source.keys.droppable(among: batch.map(\.key)), of: index, on: &source)
    guard batch.count == Self.stepSize, let last = batch.last, last.key.rawValue < .max else {
      return (batch.count + 1, index)
    }
    inProgress.append((index, FieldKey(rawValue: last.key.rawValue + 1)))
    return (batch.count, nil)
  }

  #if DEBUG || RELAYSTORE_CHECK_INVARIANTS
    /// Returns whether ``step(on:)`` still has to visit fields of a record.
    func isInProgress(_ index: RecordIndex) -> Bool { inProgress.contains { $0.index == index } }
  #endif

  private mutating func drop(
    _ keys: [FieldKey], of index: RecordIndex, on source: inout LayeredSource
  ) {
    if source.overlay[index] != nil { return }
    let dropped = keys.filter {
      !isSelected($0, of: index) && !source.observers.clientWritten.contains($0, of: index)
    }
    if !dropped.isEmpty { source.drop(dropped, of: index) }
  }

  private mutating func argumentKeys(
    of shape: RecordShape, in source: LayeredSource
  ) -> [FieldKey] {
    let shapeID = ObjectIdentifier(shape)
    if let lastShape, lastShape.shapeID == shapeID { return lastShape.keys }
    if let cached = argumentKeys[shapeID] {
      lastShape = (shapeID, cached.keys)
      return cached.keys
    }
    let keys = source.keys.droppable(among: shape.keys)
    argumentKeys[shapeID] = (shape, keys)
    lastShape = (shapeID, keys)
    return keys
  }
}

extension LayeredSource {
  /// Removes fields from a record of the base.
  fileprivate mutating func drop(_ keys: [FieldKey], of index: RecordIndex) {
    var draft = RecordDraft(self[base: index])
    for key in keys { _ = draft.remove(key) }
    let record = draft.record(&shapes).box
    observers.recordWillChange(at: index, to: record, in: base)
    base.replace(index, by: record)
  }
}
