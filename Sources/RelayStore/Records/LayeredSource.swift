/// The records of a store in two layers: the base, with committed data (responses and local
/// updates), and the overlay, with the effects of optimistic updates.
///
/// The visible record is the overlay's if there is one, otherwise the base's. The overlay holds
/// complete records, copied from the base when first written. A publish rebases the overlay, unless
/// it only adds an optimistic update.
package struct LayeredSource {
  /// A layer of the source, as the target of a write.
  package enum Layer { case base, overlay }

  private let addressOnly = AddressOnly()
  package internal(set) var keys = KeyTable()
  package var shapes = ShapeTable()
  /// Whether persisted records are still being loaded. Until then, a record or field that the
  /// source does not have counts as not loaded rather than missing.
  package var isLoading = false
  /// The base records that were deleted or created while the source was loading. Their persisted
  /// fields are outdated.
  package var replacedWhileLoading: Set<RecordIndex> = []
  /// The base. Each change is reported to ``observers``.
  ///
  /// Only ``setRecord(_:at:in:)``, ``insert(_:hash:)`` and the garbage collector write records. The
  /// collector does not mark the records it removes as changed, because no observed snapshot reads
  /// them.
  package var base = RecordTable()
  /// The overlay: complete records written by optimistic updates, which hide the base's records.
  package internal(set) var overlay: [RecordIndex: Record] = [:]
  /// The records changed in the base since the last call of ``drainChanges(previousOverlay:)``.
  var changedInBase = RecordList()
  /// The base records as they were before the changes in ``changedInBase``, without inserted ones;
  /// `nil` unless a timeline is recorded.
  var replaced: ReplacedRecords?
  /// The previous overlay entries, `nil` for a new one, of the records written to the overlay since
  /// the last call of ``drainWrittenInOverlay()``.
  private var replacedInOverlay: [RecordIndex: Record?] = [:]
  /// The tables that follow the base.
  package var observers = BaseObservers()
  package var missingFieldHandlers: [MissingFieldHandler] = []
  /// Whether a link to a deleted record, or to a record with a missing field, propagates null from
  /// a list of non-null elements, as a null element does. Otherwise the list omits the element.
  package var deletedRecordsBubble = false
  /// The limits of each read.
  package var readLimits = ReadLimits()
  /// Reports the type of an updater's object that was used after the updater returned.
  var reportLateUse: (@Sendable (String) -> Void)?
  /// The server's ids of records that were created on the client.
  var serverIDs = ServerIDs()
  /// Fields written by updaters that may be misspelled: no plan selects them, although plans select
  /// other fields of the same type.
  private var unknownFields: [UnknownField] = []
  /// The types that updaters' values are checked against; `nil` turns the check off.
  package var fieldTypes: (any FieldTypes)?
  private var typeCollisions: [TypeCollision] = []
  /// The number of the version that is being written.
  var version: UInt64 = 0
  /// Whether anything but records and ids has changed since the last version.
  var isChanged = true
  /// The tables that earlier versions have, with the number of the version that replaced them.
  var replacedBases: [(version: UInt64, base: RecordTable)] = []
  var registeredTypes: Set<ByteString> = []
  /// The types written since the current garbage collection run started; `nil` outside a run.
  var recentTypes: Set<ByteString>?

  /// The record returned for an index that is not in use.
  private static let unknown = Record(RecordBox.unknown(id: .init(start: nil, count: 0)))

  package init() {
    let shape = shapes.intern("__Root", [])
    let root = DataID.root.withBytes { id in
      base.insert(.make(shape, .present, id: id), hash: RecordTable.hash(id))
    }
    assert(root.position == 0)
  }

  /// The empty source left behind by ``moveOut()``. Shared, because creating one allocates its
  /// tables.
  static let blank = LayeredSource()

  /// Moves the contents out and leaves an empty source.
  ///
  /// The caller then holds the only reference to the storage and can mutate it without a copy.
  mutating func moveOut() -> LayeredSource {
    var contents = Self.blank
    swap(&contents, &self)
    return contents
  }

  /// The visible record: the overlay's if there is one, otherwise the base's.
  package subscript(index: RecordIndex) -> Record {
    if !overlay.isEmpty, let record = overlay[index] { return record }
    return self[base: index]
  }

  /// The record in the base.
  package subscript(base index: RecordIndex) -> Record {
    base[index].map(Record.init) ?? Self.unknown
  }

  /// Returns a record as one layer sees it.
  package func record(_ index: RecordIndex, in layer: Layer) -> Record {
    layer == .base ? self[base: index] : self[index]
  }

  /// Returns a record as one layer sees it.
  ///
  /// Same as ``record(_:in:)``, for a source in a stored property of a class. Reading such a
  /// property may copy the source and retain each of its buffers; a mutating access works in place.
  mutating func recordInPlace(_ index: RecordIndex, in layer: Layer) -> Record {
    record(index, in: layer)
  }

  /// The source without the effects of optimistic updates.
  package var withoutOverlay: LayeredSource {
    var settled = self
    settled.overlay = [:]
    return settled
  }

  // MARK: Ids

  /// Returns the index of an id, assigning one if the id is new.
  package mutating func intern(_ id: DataID) -> RecordIndex {
    id.withBytes { bytes in
      let hash = RecordTable.hash(bytes)
      return base.index(of: bytes, hash: hash) ?? insert(.unknown(id: bytes), hash: hash)
    }
  }

  /// Returns the index of an id; `nil` if the id has none.
  package func index(of id: DataID) -> RecordIndex? {
    id.withBytes { base.index(of: $0, hash: RecordTable.hash($0)) }
  }

  /// Returns the id of an index that is in use.
  package func id(of index: RecordIndex) -> DataID? { base.id(of: index) }

  /// Every index in use, with its id.
  package var allIDs: [(index: RecordIndex, id: DataID)] {
    (0..<base.indexBound).compactMap { position in
      base.id(of: RecordIndex(position)).map { (RecordIndex(position), $0) }
    }
  }

  // MARK: Writing

  /// Inserts a record into the base and returns its index.
  ///
  /// - Precondition: No record in the base has its id.
  @inline(__always)
  mutating func insert(_ record: RecordBox, hash: UInt32) -> RecordIndex {
    let index = base.insert(record, hash: hash)
    observers.idWasAssigned(to: index)
    observers.recordWasInserted(record, at: index)
    return index
  }

  /// Replaces a record in a layer.
  mutating func setRecord(_ record: RecordBox, at index: RecordIndex, in layer: Layer) {
    switch layer {
    case .base:
      observers.recordWillChange(at: index, to: record, in: base)
      if replaced != nil { saveReplaced(index) }
      base.replace(index, by: record)
      changedInBase.insert(index)
    case .overlay: setOverlayRecord(Record(record), at: index)
    }
  }

  /// Writes a record to the overlay.
  private mutating func setOverlayRecord(_ record: Record, at index: RecordIndex) {
    let old = overlay.updateValue(record, forKey: index)
    if replacedInOverlay[index] == nil { replacedInOverlay[index] = .some(old) }
  }

  /// Marks a record that was inserted into the base as changed.
  package mutating func markInserted(_ index: RecordIndex) { changedInBase.insert(index) }

  /// Changes a record in a layer.
  ///
  /// - Parameter change: Mutates a draft of the record and returns whether anything changed.
  package mutating func update(
    _ index: RecordIndex, in layer: Layer, _ change: (inout RecordDraft) -> Bool
  ) {
    let old = record(index, in: layer)
    var draft = RecordDraft(old)
    if change(&draft) {
      setRecord(draft.record(&shapes).box, at: index, in: layer)
    } else if layer == .overlay {
      // The collector retains every record that an optimistic update has written, changed or not.
      setOverlayRecord(old, at: index)
    }
  }

  /// Replaces a record with a present record of a type, without fields.
  package mutating func make(_ index: RecordIndex, typeName: String?, in layer: Layer) {
    if let typeName { registerType(typeName) }
    if isLoading, layer == .base { replacedWhileLoading.insert(index) }
    update(index, in: layer) { draft in
      draft.clear()
      return draft.become(present: typeName)
    }
  }

  /// Registers a type, and assigns an index to its type schema record, so that readers can observe
  /// it before it exists.
  package mutating func registerType(_ typeName: String) {
    let name = ByteString(typeName)
    recentTypes?.insert(name)
    if registeredTypes.insert(name).inserted { _ = intern(.typeSchema(typeName)) }
  }

  /// Whether a type is registered. Every record's type is.
  func isRegisteredType(_ typeName: ByteString) -> Bool { registeredTypes.contains(typeName) }

  var registeredTypeCount: Int { registeredTypes.count }

  /// Marks fields of the base as client-written; skips fields without arguments.
  mutating func markClientWritten(_ written: [RecordIndex: Set<FieldKey>]) {
    for (index, fields) in written {
      let record = self[base: index]
      let kept = keys.droppable(among: fields).filter { record[$0] != nil }
      observers.clientWritten.insert(kept, of: index)
    }
  }

  /// Replaces a record with a deleted one, without fields.
  package mutating func delete(_ index: RecordIndex, in layer: Layer) {
    let record = record(index, in: layer).box
    if isLoading, layer == .base { replacedWhileLoading.insert(index) }
    if record.state == .deleted, layer == .base { return }
    setRecord(record.withID { .make(.empty, .deleted, id: $0) }, at: index, in: layer)
  }

  /// Replaces every record of the base with an unknown one, and the root with an empty record.
  ///
  /// Ids keep their indexes. The overlay does not change.
  mutating func removeAll() {
    // No observer has read a record that is not decoded yet.
    base.moveDecoded()
    base.removePersisted()
    for position in 0..<base.indexBound {
      guard let record = base[RecordIndex(position)], record.state != .unknown else { continue }
      let empty: RecordBox =
        position == 0
        ? record.withID { .make(shapes.intern("__Root", []), .present, id: $0) }
        : record.withID { .unknown(id: $0) }
      setRecord(empty, at: RecordIndex(position), in: .base)
    }
    observers.baseWasCleared()
    serverIDs = ServerIDs()
    typeCollisions = []
  }

  /// Restores a record's previous state in a layer.
  package mutating func restore(_ record: Record, at index: RecordIndex, in layer: Layer) {
    if layer == .overlay, record == self[base: index] {
      overlay[index] = nil
    } else if self.record(index, in: layer) != record {
      setRecord(record.box, at: index, in: layer)
    }
  }

  // MARK: Publishing

  /// Removes and returns the overlay, before it is rebased.
  mutating func removeOverlay() -> [RecordIndex: Record] {
    defer { overlay = [:] }
    return overlay
  }

  /// Returns the records written to the overlay since the last call, changed or not.
  mutating func drainWrittenInOverlay() -> Set<RecordIndex> {
    defer { replacedInOverlay = [:] }
    return Set(replacedInOverlay.keys)
  }

  /// Reverts the overlay writes since the last call of ``drainWrittenInOverlay()``.
  mutating func undoWritesInOverlay() {
    for (index, record) in replacedInOverlay { overlay[index] = record }
    replacedInOverlay = [:]
  }

  /// Returns the records whose visible state may have changed since the last call: the records
  /// written in the base, even under an overlay that hides the change, and the records that differ
  /// between the overlays.
  ///
  /// - Parameter oldOverlay: The overlay before it was rebased.
  package mutating func drainChanges(previousOverlay oldOverlay: [RecordIndex: Record])
    -> RecordList
  {
    var changed = RecordList()
    swap(&changed, &changedInBase)
    for (index, old) in oldOverlay where self[index] != old { changed.insert(index) }
    // A new entry equal to the base's record has no visible effect.
    for (index, new) in overlay where oldOverlay[index] == nil && self[base: index] != new {
      changed.insert(index)
    }
    return changed
  }

  /// Adds a type collision if a record was replaced by one of another type.
  mutating func detectTypeCollision(of old: RecordBox, with new: RecordBox) {
    guard old.shape !== new.shape, old.state == .present, let a = old.shape.typeName,
      let b = new.shape.typeName, !a.hasSameBytes(as: b)
    else { return }
    typeCollisions.append(TypeCollision(old: a, new: b))
  }

  /// Adds a field that an updater has written and that may be misspelled.
  package mutating func append(_ field: UnknownField) { unknownFields.append(field) }

  /// Returns the unknown fields written since the last call.
  mutating func drainUnknownFields() -> [UnknownField] {
    if unknownFields.isEmpty { return [] }
    return unknownFields.drain()
  }

  /// Returns the type collisions since the last call.
  mutating func drainTypeCollisions() -> [TypeCollision] {
    if typeCollisions.isEmpty { return [] }
    return typeCollisions.drain()
  }
}

extension RecordBox {
  /// Whether this is a type schema record (`client:__type:T`): the list of a concrete type's
  /// abstract types.
  var isTypeSchema: Bool {
    withID { $0.hasPrefix("client:__type:") }
  }
}
