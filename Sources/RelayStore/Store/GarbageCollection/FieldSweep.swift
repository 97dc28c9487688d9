/// The part of a garbage collection that drops fields with arguments from kept records.
///
/// Fields without arguments are bounded by the schema, but there can be as many fields with
/// arguments as there are searches. A field is kept if a selection reaches it, if it is
/// client-written, or if its record is in the overlay.
struct FieldSweep {
  /// The groups: the fields with arguments of a selection, and the records that the selection
  /// reaches.
  private var reached: [(keys: [FieldKey], records: RecordSet)] = []
  private var groups: [[FieldKey]: Int] = [:]
  private var groupsOfKey: [FieldKey: [Int]] = [:]
  /// The fields that are kept on every record.
  private var kept: Set<FieldKey> = []
  /// The large records in progress, each with the key to continue from.
  private var open: [(index: RecordIndex, next: FieldKey)] = []
  /// The number of fields of a large record that one step visits.
  private static let stepSize = 128
  /// The memoized fields with arguments of each shape. An entry retains its shape, so that the
  /// identity is not reused.
  private var argumentKeys: [ObjectIdentifier: (shape: RecordShape, keys: [FieldKey])] = [:]
  private var last: (shapeID: ObjectIdentifier, keys: [FieldKey])?

  // MARK: Selecting

  /// Returns the group of a selection's fields with arguments; `nil` if it has none.
  mutating func group(of plan: BoundPlan) -> Int? {
    if plan.argumentKeys.isEmpty { return nil }
    if let known = groups[plan.argumentKeys] { return known }
    let group = reached.count
    reached.append((plan.argumentKeys, RecordSet()))
    groups[plan.argumentKeys] = group
    for key in plan.argumentKeys { groupsOfKey[key, default: []].append(group) }
    return group
  }

  /// Marks a record as reached by a selection with the fields of a group.
  mutating func select(_ group: Int, of index: RecordIndex) { reached[group].records.insert(index) }

  /// Keeps the fields of a selection, at any depth, on every record.
  mutating func keepAll(of plan: BoundPlan) {
    var (open, known) = ([plan], Set<ObjectIdentifier>())
    while let plan = open.popLast() {
      guard known.insert(ObjectIdentifier(plan)).inserted else { continue }
      kept.formUnion(plan.argumentKeys)
      open += plan.children.compactMap { $0 }
      if let clientPlan = plan.clientPlan { open.append(clientPlan) }
    }
  }

  private func isSelected(_ key: FieldKey, of index: RecordIndex) -> Bool {
    if kept.contains(key) { return true }
    return groupsOfKey[key]?.contains { reached[$0].records.contains(index) } ?? false
  }

  // MARK: Dropping

  /// Drops those fields of a kept record that nothing keeps.
  ///
  /// - Returns: Whether the record is done; otherwise ``step(on:)`` continues with it.
  mutating func collect(_ index: RecordIndex, on source: inout LayeredSource) -> Bool {
    guard let record = source.base.unretained(index) else { return true }
    // Unretained: the base owns the record, and is not written before the last use of `record`.
    let shapeID = record._withUnsafeGuaranteedRef { $0.shapeID }
    if let last, last.shapeID == shapeID, last.keys.isEmpty { return true }
    let shape = record._withUnsafeGuaranteedRef { $0.shape }
    if shape.isLarge {
      open.append((index, FieldKey(rawValue: 0)))
      return false
    }
    let keys = argumentKeys(of: shape, in: source)
    if !keys.isEmpty { drop(keys, of: index, on: &source) }
    return true
  }

  /// Continues with a large record.
  ///
  /// - Returns: The number of fields visited, and the record if it is done; `nil` if there is none.
  mutating func step(on source: inout LayeredSource) -> (count: Int, finished: RecordIndex?)? {
    guard let (index, next) = open.popLast() else { return nil }
    let record = source[base: index].storage
    guard let fields = record.fields else {
      // So many fields were dropped that the record is no longer large.
      drop(argumentKeys(of: record.shape, in: source), of: index, on: &source)
      return (1, index)
    }
    let batch = fields.fields(from: next, limit: Self.stepSize)
    drop(
      batch.map(\.key).filter { source.keys.isDroppable($0) }, of: index, on: &source)
    guard batch.count == Self.stepSize, let last = batch.last, last.key.rawValue < .max else {
      return (batch.count + 1, index)
    }
    open.append((index, FieldKey(rawValue: last.key.rawValue + 1)))
    return (batch.count, nil)
  }

  #if DEBUG || RELAYSTORE_CHECK_INVARIANTS
    /// Whether ``step(on:)`` has still to visit fields of a record.
    func isInProgress(_ index: RecordIndex) -> Bool { open.contains { $0.index == index } }
  #endif

  private mutating func drop(
    _ keys: [FieldKey], of index: RecordIndex, on source: inout LayeredSource
  ) {
    if source.overlaid[index] != nil { return }
    let dropped = keys.filter {
      !isSelected($0, of: index) && !source.isClientWritten($0, of: index)
    }
    if !dropped.isEmpty { source.drop(dropped, of: index) }
  }

  private mutating func argumentKeys(
    of shape: RecordShape, in source: LayeredSource
  ) -> [FieldKey] {
    let shapeID = ObjectIdentifier(shape)
    if let last, last.shapeID == shapeID { return last.keys }
    if let known = argumentKeys[shapeID] {
      last = (shapeID, known.keys)
      return known.keys
    }
    let keys = shape.keys.filter { source.keys.isDroppable($0) }
    argumentKeys[shapeID] = (shape, Array(keys))
    last = (shapeID, Array(keys))
    return Array(keys)
  }
}

extension LayeredSource {
  /// Removes fields from a record of the base.
  fileprivate mutating func drop(_ keys: [FieldKey], of index: RecordIndex) {
    var draft = RecordDraft(self[base: index])
    for key in keys { _ = draft.remove(key) }
    base.replace(index, by: draft.record(&shapes).storage)
  }
}
