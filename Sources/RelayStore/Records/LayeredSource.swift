/// The records of a store: what the server and the program have settled (the base), and over it
/// what optimistic updates show for now.
///
/// What can be seen is the overlay's record where there is one, else the base's. The overlay holds whole
/// records, copied from the base when first written, and is made anew at each publish.
package struct LayeredSource {
  /// Which of the two is written.
  package enum Layer { case base, overlay }

  package var keys = KeyTable()
  var shapes = ShapeTable()
  var base = RecordTable()
  private var overlay: [RecordIndex: Record] = [:]
  private var changedInBase = RecordList()
  /// What was written to the overlay since the last call of ``takeWrittenInOverlay()``.
  private var writtenInOverlay: Set<RecordIndex> = []
  /// What is known of the lists of connections in the base.
  var connectionLists = ConnectionEdgeIndex()
  package var invalidations = InvalidationTable()
  package var missingFieldHandlers: [MissingFieldHandler] = []
  /// Whether a deleted record takes a list of non-null elements with it, as a null does.
  package var deletedRecordsBubble = false
  /// How much one read gives.
  package var readLimits = ReadLimits()
  /// Told when an object of an updater is used that has ended, with its type.
  package var reportLateUse: (@Sendable (String) -> Void)?
  /// The fields that updaters have written and no plan selects, although plans select others of their types.
  private var unknownFields: [UnknownField] = []
  /// Whether someone wants to know which records the collector has taken.
  var notesCollected = false { didSet { if !notesCollected { collected = [] } } }
  /// Those since the last call of ``takeCollected()``.
  var collected: ContiguousArray<RecordIndex> = []
  /// The types that updaters' values are checked against; `nil` where nothing is checked.
  package var fieldTypes: (any FieldTypes)?
  /// What readers remember of records; `nil` where they remember nothing.
  package var memory: (any RecordMemory)?
  private var typeCollisions: [TypeCollision] = []
  private var knownTypes: Set<ByteString> = []
  /// The types of what was written since a collection began; `nil` where none is going on.
  var recentTypes: Set<ByteString>?
  /// Fields with arguments of the base that an updater or a dump wrote, and no response since.
  private var writtenByHand: [RecordIndex: Set<FieldKey>] = [:]

  /// What stands for a number that no record has.
  private static let unknown = Record(RecordStorage.unknown(id: .init(start: nil, count: 0)))

  package init() {
    let shape = shapes.intern("__Root", [])
    let root = DataID.root.withBytes { id in
      base.insert(.make(shape, .present, id: id), hash: RecordTable.hash(id))
    }
    assert(root.position == 0)
  }

  /// One without anything, of which every copy is the same memory; it is never written.
  nonisolated(unsafe) private static let blank = LayeredSource()

  /// Moves everything out; what stays is as new.
  mutating func take() -> LayeredSource {
    var taken = Self.blank
    swap(&taken, &self)
    return taken
  }

  /// What can be seen of a record.
  package subscript(index: RecordIndex) -> Record {
    if !overlay.isEmpty, let record = overlay[index] { return record }
    return self[base: index]
  }

  /// What the base holds of a record.
  package subscript(base index: RecordIndex) -> Record {
    base[index].map(Record.init) ?? Self.unknown
  }

  /// What one layer sees of a record.
  package func record(_ index: RecordIndex, in layer: Layer) -> Record {
    layer == .base ? self[base: index] : self[index]
  }

  /// What one layer sees of a record.
  ///
  /// The same as ``record(_:in:)`` for what is held by an object: it is not copied first, as it would be to be looked
  /// at only.
  mutating func found(_ index: RecordIndex, in layer: Layer) -> Record { record(index, in: layer) }

  /// The records that optimistic updates have written.
  package var overlaid: [RecordIndex: Record] { overlay }

  // MARK: Ids

  /// The number of an id, a new one if it has none.
  package mutating func intern(_ id: DataID) -> RecordIndex {
    id.withBytes { bytes in
      let hash = RecordTable.hash(bytes)
      return base.index(of: bytes, hash: hash)
        ?? base.insert(.unknown(id: bytes), hash: hash)
    }
  }

  /// The number of an id, if it has one.
  package func index(of id: DataID) -> RecordIndex? {
    id.withBytes { base.index(of: $0, hash: RecordTable.hash($0)) }
  }

  /// The id behind a number that is in use.
  package func id(of index: RecordIndex) -> DataID? { base.id(of: index) }

  /// Every number in use with its id.
  package var allIDs: [(index: RecordIndex, id: DataID)] {
    (0..<base.numberCount).compactMap { position in
      base.id(of: RecordIndex(position)).map { (RecordIndex(position), $0) }
    }
  }

  // MARK: Writing

  /// Puts a record in another's place.
  mutating func put(_ record: RecordStorage, at index: RecordIndex, in layer: Layer) {
    switch layer {
    case .base:
      if !connectionLists.isEmpty { connectionLists.note(base[index], record, at: index) }
      base.replace(index, by: record)
      changedInBase.insert(index)
    case .overlay: show(Record(record), at: index)
    }
  }

  private mutating func show(_ record: Record, at index: RecordIndex) {
    overlay[index] = record
    writtenInOverlay.insert(index)
  }

  /// Notes that the base has a record that it did not have before.
  mutating func noteNew(_ index: RecordIndex) { changedInBase.insert(index) }

  /// Changes a record in a layer; the closure says whether it changed anything.
  package mutating func update(
    _ index: RecordIndex, in layer: Layer, _ change: (inout RecordDraft) -> Bool
  ) {
    let old = record(index, in: layer)
    var draft = RecordDraft(old)
    if change(&draft) {
      put(draft.record(&shapes).storage, at: index, in: layer)
    } else if layer == .overlay {
      // What an optimistic update has written is kept from the collector.
      show(old, at: index)
    }
  }

  /// Makes the record an object of a type, without fields.
  package mutating func make(_ index: RecordIndex, typeName: String?, in layer: Layer) {
    if let typeName { know(typeName) }
    update(index, in: layer) { draft in
      draft.clear()
      return draft.become(present: typeName)
    }
  }

  /// Numbers the record that remembers a type's abstract types, so that readers can be told when
  /// it comes to know more.
  mutating func know(_ typeName: String) {
    let name = ByteString(typeName)
    recentTypes?.insert(name)
    if knownTypes.insert(name).inserted { _ = intern(.typeSchema(typeName)) }
  }

  /// Forgets that a type was met.
  mutating func forgetType(_ typeName: ByteString) { knownTypes.remove(typeName) }

  /// Whether a record may be of a type.
  func knows(_ typeName: ByteString) -> Bool { knownTypes.contains(typeName) }

  var knownTypeCount: Int { knownTypes.count }

  // MARK: Fields that are not from a server

  /// Whether the collector keeps a field because no server could give it again.
  func isWrittenByHand(_ key: FieldKey, of index: RecordIndex) -> Bool {
    writtenByHand[index]?.contains(key) ?? false
  }

  /// Notes that an updater or a dump wrote fields of the base.
  mutating func noteWrittenByHand(_ written: [RecordIndex: Set<FieldKey>]) {
    for (index, fields) in written {
      let record = self[base: index]
      let kept = fields.filter { self.keys.isDroppable($0) && record[$0] != nil }
      if !kept.isEmpty { writtenByHand[index, default: []].formUnion(kept) }
    }
  }

  /// Notes that a response wrote fields of the base.
  @inline(__always)
  mutating func noteWritten(_ keys: ContiguousArray<FieldKey>, of index: RecordIndex) {
    if !writtenByHand.isEmpty { noteAnswered(keys, of: index) }
  }

  private mutating func noteAnswered(_ keys: ContiguousArray<FieldKey>, of index: RecordIndex) {
    guard var written = writtenByHand[index] else { return }
    written.subtract(keys)
    writtenByHand[index] = written.isEmpty ? nil : written
  }

  /// Forgets what was written by hand of a record that is gone.
  mutating func forgetWrittenByHand(_ index: RecordIndex) {
    if !writtenByHand.isEmpty { writtenByHand[index] = nil }
  }

  /// Marks a record as known not to exist.
  package mutating func delete(_ index: RecordIndex, in layer: Layer) {
    let record = record(index, in: layer).storage
    if record.state == .deleted, layer == .base { return }
    put(record.withID { .make(.empty, .deleted, id: $0) }, at: index, in: layer)
  }

  /// Forgets what is known of every record; ids keep their numbers.
  mutating func removeAll() {
    for position in 0..<base.numberCount {
      guard let record = base[RecordIndex(position)], record.state != .unknown else { continue }
      let empty: RecordStorage =
        position == 0
        ? record.withID { .make(shapes.intern("__Root", []), .present, id: $0) }
        : record.withID { .unknown(id: $0) }
      put(empty, at: RecordIndex(position), in: .base)
    }
    invalidations = InvalidationTable()
    connectionLists.forgetAll()
    writtenByHand = [:]
    memory?.forgetAll()
    typeCollisions = []
  }

  /// Puts a record back as it was.
  package mutating func restore(_ record: Record, at index: RecordIndex, in layer: Layer) {
    if layer == .overlay, record == self[base: index] {
      overlay[index] = nil
    } else if self.record(index, in: layer) != record {
      put(record.storage, at: index, in: layer)
    }
  }

  // MARK: Publishing

  /// Takes the overlay away, so that it can be made anew.
  package mutating func liftOverlay() -> [RecordIndex: Record] {
    defer { overlay = [:] }
    return overlay
  }

  /// The records that were written to the overlay since the last call, changed or not.
  mutating func takeWrittenInOverlay() -> Set<RecordIndex> {
    defer { writtenInOverlay = [] }
    return writtenInOverlay
  }

  /// Puts the overlay back as it was.
  package mutating func restoreOverlay(_ before: [RecordIndex: Record]) { overlay = before }

  /// The records whose visible state has changed since the last call.
  ///
  /// - Parameter lifted: The overlay as it was before.
  package mutating func takeChanges(lifted: [RecordIndex: Record]) -> RecordList {
    var changed = RecordList()
    swap(&changed, &changedInBase)
    for (index, old) in lifted where self[index] != old { changed.insert(index) }
    for (index, new) in overlay where lifted[index] == nil && self[base: index] != new {
      changed.insert(index)
    }
    return changed
  }

  /// The records that the collector has taken since the last call.
  mutating func takeCollected() -> ContiguousArray<RecordIndex> {
    if collected.isEmpty { return [] }
    defer { collected = [] }
    return collected
  }

  /// Notes two types under one id, where a record took another's place with another type.
  mutating func noteTypes(_ old: RecordStorage, _ new: RecordStorage) {
    guard old.shape !== new.shape, old.state == .present, let a = old.shape.typeName,
      let b = new.shape.typeName, !a.hasSameBytes(as: b)
    else { return }
    typeCollisions.append(TypeCollision(old: a, new: b))
  }

  /// Notes a field that an updater has written and that may be misspelt.
  package mutating func note(_ unknown: UnknownField) { unknownFields.append(unknown) }

  /// The fields that were noted since the last call.
  package mutating func takeUnknownFields() -> [UnknownField] {
    if unknownFields.isEmpty { return [] }
    defer { unknownFields = [] }
    return unknownFields
  }

  /// The types that have met under one id since the last call.
  package mutating func takeTypeCollisions() -> [TypeCollision] {
    if typeCollisions.isEmpty { return [] }
    defer { typeCollisions = [] }
    return typeCollisions
  }
}

extension RecordStorage {
  /// Whether it remembers the abstract types of a concrete type.
  var isTypeSchema: Bool {
    let prefix: StaticString = "client:__type:"
    return withID { id in
      id.count > prefix.utf8CodeUnitCount
        && prefix.withUTF8Buffer {
          UnsafeRawBufferPointer(rebasing: id.prefix($0.count))
            .hasSameBytes(as: UnsafeRawBufferPointer($0))
        }
    }
  }
}
