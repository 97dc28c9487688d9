/// The parts of the base that are never persisted: records of private types, private fields, and
/// the embedded objects below both.
///
/// An embedded object has no server id. Its client id contains its parent's id and the field that
/// leads to it, with arguments. So its id is not persisted either.
package struct PrivateRecords: BaseObserver {
  /// The types and fields that plans or the storage have named.
  package private(set) var elements = PrivateElements()
  /// The elements that this program's plans have named.
  private var ownElements = PrivateElements()
  /// The elements that no batch has accounted for yet.
  package private(set) var newElements = PrivateElements()
  /// Whether an id was persisted whose record has since become private.
  private var hasStoredRecords = false
  /// The elements, indexed by name.
  package private(set) var fields = PrivateFields()
  /// The records that are, or were, of a private type.
  private var records = RecordSet()
  /// The ids that were persisted before they had a record.
  private var storedIDs = RecordSet()
  /// The records whose ids were examined, and the ones found to be embedded in private data.
  private var examined = RecordSet()
  private var embedded = RecordSet()

  /// Whether everything may be persisted.
  package var isEmpty: Bool { elements.isEmpty }

  // MARK: Elements

  /// Adds the elements of a plan.
  package mutating func insert(_ new: PrivateElements) {
    if ownElements.covers(new) { return }
    ownElements.formUnion(new)
    if elements.covers(new) { return }
    newElements.formUnion(new)
    add(new)
  }

  /// Adds the elements that a storage already excludes.
  package mutating func insertStored(_ stored: PrivateElements, in base: RecordTable) {
    newElements.subtract(stored)
    if !elements.covers(stored) { add(stored) }
    // The elements of persisted operations may be known already, but no batch will search for their
    // records.
    insertRecords(of: base, decodingAll: false)
  }

  private mutating func add(_ new: PrivateElements) {
    elements.formUnion(new)
    (examined, embedded) = (RecordSet(), RecordSet())
    fields.insert(new)
  }

  /// Starts a batch that accounts for all elements.
  ///
  /// - Returns: Whether a record that has become private was persisted.
  package mutating func beginBatch() -> Bool {
    defer { (newElements, hasStoredRecords) = (PrivateElements(), false) }
    return hasStoredRecords
  }

  /// Adds the base's records of private types.
  package mutating func insertRecords(of base: RecordTable, decodingAll: Bool) {
    for index in (0..<base.indexBound).lazy.map({ RecordIndex($0) }) {
      guard decodingAll || base.isDecoded(index), let record = base[index] else { continue }
      insert(record, at: index)
    }
  }

  private mutating func insert(_ record: RecordBox, at index: RecordIndex) {
    if fields.hasType(record.shape.typeName) { insert(index) }
  }

  /// Adds a record of a private type.
  package mutating func insert(_ index: RecordIndex) {
    if records.contains(index) { return }
    records.insert(index)
    if storedIDs.contains(index) { hasStoredRecords = true }
    // The records below it were examined before it was private.
    (examined, embedded) = (RecordSet(), RecordSet())
  }

  /// Adds an id that is persisted although it has no record.
  package mutating func insertStoredID(_ index: RecordIndex) { storedIDs.insert(index) }

  /// Adds ids that are persisted although they have no record.
  package mutating func insertStoredIDs(_ indexes: RecordSet) { storedIDs.formUnion(indexes) }

  // MARK: What is private

  /// Whether a type's records are private.
  package func isPrivate(_ typeName: String?) -> Bool {
    fields.hasType(typeName)
  }

  /// Whether a record is not persisted at all, not even its id.
  package mutating func isPrivate(_ index: RecordIndex, in base: RecordTable) -> Bool {
    if isEmpty { return false }
    if records.contains(index) { return true }
    if examined.contains(index) { return embedded.contains(index) }
    var isEmbedded = false
    base.withID(of: index) { isEmbedded = self.isEmbedded($0, in: base) }
    examined.insert(index)
    if isEmbedded { embedded.insert(index) }
    return isEmbedded
  }

  /// Whether an id belongs to an object embedded in private data: an object on its path is private
  /// or reaches it through a private field.
  ///
  /// Ids may contain colons, so each colon may be the end of a parent's id.
  private func isEmbedded(_ id: UnsafeRawBufferPointer, in base: RecordTable) -> Bool {
    let prefix = "client:".utf8
    guard id.starts(with: prefix) else { return false }
    var end = prefix.count
    while let colon = id[end...].firstIndex(of: UInt8(ascii: ":")) {
      end = colon + 1
      let name = id[end...].prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "(") }
      let field = String(decoding: name, as: UTF8.self)
      let parents = [id[..<colon], id[prefix.count..<colon]].compactMap { parent in
        let parent = UnsafeRawBufferPointer(rebasing: parent)
        return base.find(parent, hash: RecordTable.hash(parent)).index
      }
      // A parent that no longer exists may have been of any type.
      if parents.isEmpty, fields.hasField(field) { return true }
      for parent in parents {
        if records.contains(parent) { return true }
        guard let record = base[parent], record.state == .present else {
          if fields.hasField(field) { return true }
          continue
        }
        if fields.hasField(field, of: record.shape.typeName) { return true }
      }
    }
    return false
  }

  /// Returns the fields of a record that are not persisted.
  package mutating func fields(of record: Record, in base: RecordTable, keys: KeyTable)
    -> [FieldKey]
  {
    zip(record.keys, record.values).compactMap { key, value in
      let name = String(keys.text(of: key).prefix { $0 != "(" })
      return self.fields.hasField(name, of: record.typeName) || hasPrivateLink(value, in: base)
        ? key : nil
    }
  }

  /// Whether a value links to a record that is not persisted.
  private mutating func hasPrivateLink(_ value: FieldValue, in base: RecordTable) -> Bool {
    switch value {
    case .link(let index): isPrivate(index, in: base)
    case .links(let indexes): indexes.contains { $0 != .none && isPrivate($0, in: base) }
    case .list(let values): values.contains { hasPrivateLink($0, in: base) }
    default: false
    }
  }

  // MARK: Changes of the base

  @inline(__always)
  mutating func recordWillChange(
    at index: RecordIndex, to record: RecordBox, in base: RecordTable
  ) {
    if !elements.types.isEmpty { insert(record, at: index) }
  }

  @inline(__always)
  mutating func recordWasInserted(_ record: RecordBox, at index: RecordIndex) {
    if !elements.types.isEmpty { insert(record, at: index) }
  }

  /// Clears the state of a reused index, which may have belonged to a private record. Not all
  /// collections report the ids they drop.
  @inline(__always)
  mutating func idWasAssigned(to index: RecordIndex) {
    records.remove(index)
    storedIDs.remove(index)
    examined.remove(index)
    embedded.remove(index)
  }

  /// Ids keep their indexes, so private records remain private. Elements that only the storage
  /// named are persisted from now on, because the storage is empty.
  mutating func baseWasCleared() {
    (elements, newElements, hasStoredRecords) = (PrivateElements(), PrivateElements(), false)
    (fields, storedIDs) = (PrivateFields(), RecordSet())
    add(ownElements)
  }
}
