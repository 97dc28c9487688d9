/// The parts of the base that are never stored: records of private types, private fields, and embedded
/// objects below these.
///
/// An embedded object has no id of its own, so the names of the fields that lead to it are in the
/// client's: `client:root:session:token`.
struct PrivateRecords: BaseObserver {
  /// The types and fields that plans have named so far.
  private(set) var elements = PrivateElements()
  /// Whether elements were added whose values may be stored already.
  var hasNewElements = false
  /// The names of the private fields of each type, and those of all types.
  private var fields: [String: Set<String>] = [:]
  private var names: Set<String> = []
  /// The records that are, or were, of a private type.
  private var records = RecordSet()

  /// Whether everything may be stored.
  var isEmpty: Bool { elements.types.isEmpty && elements.fields.isEmpty }

  /// Adds the elements of a plan or of a storage.
  ///
  /// - Parameter isStored: Whether the storage is known to have nothing of them.
  mutating func insert(_ new: PrivateElements, isStored: Bool = false) {
    if elements.covers(new) { return }
    elements.formUnion(new)
    if !isStored { hasNewElements = true }
    for coordinate in new.fields {
      let parts = coordinate.split(separator: ".").map(String.init)
      guard parts.count == 2 else { continue }
      fields[parts[0], default: []].insert(parts[1])
      names.insert(parts[1])
    }
  }

  /// Adds the records of private types that a base has. Decodes all its records.
  mutating func insertRecords(of base: RecordTable) {
    for index in (0..<base.indexBound).lazy.map({ RecordIndex($0) }) {
      if let record = base[index] { insert(record, at: index) }
    }
  }

  private mutating func insert(_ record: RecordStorage, at index: RecordIndex) {
    if let typeName = record.shape.typeName, elements.types.contains(typeName) {
      records.insert(index)
    }
  }

  // MARK: What is private

  /// Whether nothing of a record is stored, not even its id.
  func isPrivate(_ index: RecordIndex, in base: RecordTable) -> Bool {
    if records.contains(index) { return true }
    if names.isEmpty { return false }
    var isBelow = false
    base.withID(of: index) { isBelow = isBelowPrivateField($0) }
    return isBelow
  }

  /// Whether an id is that of an embedded object below a private field.
  private func isBelowPrivateField(_ id: UnsafeRawBufferPointer) -> Bool {
    guard id.starts(with: "client:".utf8) else { return false }
    return id.split(separator: UInt8(ascii: ":")).contains { component in
      let name = component.prefix { $0 != UInt8(ascii: "(") }
      return names.contains(String(decoding: name, as: UTF8.self))
    }
  }

  /// Returns the fields of a record that are not stored.
  func fields(of record: Record, in base: RecordTable, keys: KeyTable) -> [FieldKey] {
    let own = record.typeName.flatMap { fields[$0] }
    return zip(record.keys, record.values).compactMap { key, value in
      let isPrivate =
        own?.contains(String(keys.text(of: key).prefix { $0 != "(" })) == true
        || hasPrivateLink(value, in: base)
      return isPrivate ? key : nil
    }
  }

  /// Whether a value links to a record that is not stored.
  private func hasPrivateLink(_ value: FieldValue, in base: RecordTable) -> Bool {
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
    at index: RecordIndex, to record: RecordStorage, in base: RecordTable
  ) {
    if !elements.types.isEmpty { insert(record, at: index) }
  }

  mutating func idWillBeDropped(from index: RecordIndex) { records.remove(index) }

  mutating func baseWasCleared() { records = RecordSet() }
}
