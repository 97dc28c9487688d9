/// Records that are not merged yet: the contents of a response, an optimistic response or a write
/// by client code.
///
/// A payload has its own record indexes, so it can be built without the store's lock. Strings are
/// ranges of the response's bytes. Other strings (with escapes, generated ids) are in a second
/// buffer, whose offsets follow the response's.
package struct RecordPayload: Sendable {
  /// The fields of one occurrence of an object.
  package struct Entry {
    var record: RecordIndex
    /// The index of the type and keys in ``shapes``.
    var shape: Int
    var firstCell: Int
  }

  /// A field of an entry, with the payload's record indexes as links.
  package struct Field: Sendable {
    package var key: FieldKey
    package var value: FieldValue
    package var errors: [StoredError] = []

    package init(key: FieldKey, value: FieldValue, errors: [StoredError] = []) {
      self.key = key
      self.value = value
      self.errors = errors
    }
  }

  /// The id of one occurrence of an object. Several occurrences can have the same id.
  struct Identity {
    var offset: Int
    var count: Int
    var hash: UInt32
  }

  private(set) var ids: ContiguousArray<Identity> = []
  private(set) var entries: ContiguousArray<Entry> = []
  private(set) var cells: ContiguousArray<FieldCell> = []
  private(set) var boxedValues: [FieldValue] = []
  private(set) var shapes: [RecordShape] = []
  /// The indexes of the shapes after the first `searchLimit`, which are searched linearly.
  private var shapeIndexes: [RecordShape.Key: Int] = [:]
  private static let searchLimit = 16
  /// The errors by entry, for entries with errors.
  private(set) var errors: [Int: [FieldKey: [StoredError]]] = [:]
  /// The handles to run on fields after all records are written, in order.
  package private(set) var handles: [(record: RecordIndex, handle: FieldHandle, isPart: Bool)] = []
  /// The elements that parts write to lists, in order.
  private(set) var patches: [ListPatch] = []
  /// The position of each list's last patch, which the next elements extend.
  private var patchPositions: [ObjectIdentifier: Int] = [:]
  private var parts = RecordSet()
  private let response: [UInt8]
  /// The strings that are not in the response. Never empty, so that the buffer has an address.
  private var texts: [UInt8] = [0]

  /// Creates an empty payload.
  ///
  /// - Parameter response: The bytes that the ranges of strings refer to.
  package init(response: [UInt8] = []) {
    self.response = response
    if response.isEmpty { return }
    // An estimate for a response of scalars. Unused capacity costs only address space.
    cells.reserveCapacity(8 + response.count / 20)
    ids.reserveCapacity(2 + response.count / 80)
    entries.reserveCapacity(2 + response.count / 80)
  }

  /// Calls the closure with the text bytes of cells and ids.
  @inline(__always)
  func withStrings<Result>(_ body: (StringBytes) throws -> Result) rethrows -> Result {
    try response.withUnsafeBytes { response in
      try texts.withUnsafeBytes { texts in
        // The buffer is never empty, so it has an address.
        let rest = texts.baseAddress ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
        return try body(
          StringBytes(
            first: response.baseAddress ?? rest, limit: response.count, rest: rest))
      }
    }
  }

  /// The contents as unsafe pointers, valid until the closure of ``withContents(_:)`` returns.
  struct Contents {
    let ids: UnsafePointer<Identity>
    let entries: UnsafeBufferPointer<Entry>
    let cells: UnsafePointer<FieldCell>
    let texts: StringBytes
  }

  /// Calls the closure with the contents, unless the payload is empty.
  func withContents(_ body: (Contents) -> Void) {
    withStrings { texts in
      ids.withUnsafeBufferPointer { ids in
        entries.withUnsafeBufferPointer { entries in
          cells.withUnsafeBufferPointer { cells in
            // An object without fields has no cells, so the placeholder address is never read.
            guard let ids = ids.baseAddress else { return }
            let none = UnsafePointer<FieldCell>(bitPattern: MemoryLayout<FieldCell>.alignment)
            body(
              Contents(
                ids: ids, entries: entries,
                cells: cells.baseAddress ?? none.unsafelyUnwrapped, texts: texts))
          }
        }
      }
    }
  }

  // MARK: Texts

  /// Appends a string that is not in the response, and returns its range for cells and ids.
  package mutating func appendText(_ bytes: some Sequence<UInt8>) -> Range<Int> {
    let start = response.count + texts.count
    texts.append(contentsOf: bytes)
    return start..<response.count + texts.count
  }

  /// Appends a string of the response with its escapes resolved, and returns its range.
  mutating func appendUnescaped(_ range: Range<Int>, of scanner: JSONScanner) -> Range<Int> {
    let start = response.count + texts.count
    if texts.count == 1 { texts.reserveCapacity(response.count / 8) }
    withUnsafeTemporaryAllocation(byteCount: range.count, alignment: 1) { buffer in
      texts.append(contentsOf: buffer[..<scanner.unescape(range, to: buffer)])
    }
    return start..<response.count + texts.count
  }

  /// Returns a string or the digits of a number as a cell.
  package mutating func cell(_ kind: FieldCell.Kind, textIn range: Range<Int>) -> FieldCell {
    if let cell = FieldCell(kind, offset: range.lowerBound, count: range.count) { return cell }
    let text = text(in: range)
    return cell(
      boxing: kind == .string ? .string(text) : .number(JSONNumber(digits: text)))
  }

  /// Boxes a value that does not fit into a cell.
  package mutating func cell(boxing value: FieldValue) -> FieldCell {
    boxedValues.append(value)
    return FieldCell(boxed: boxedValues.count - 1)
  }

  @inline(__always)
  package func text(in range: Range<Int>) -> String {
    withStrings {
      UnsafeRawBufferPointer(start: $0.at(range.lowerBound), count: range.count).text
    }
  }

  /// Returns any value as a cell.
  package mutating func cell(_ value: FieldValue) -> FieldCell {
    var (text, boxedValues): ([UInt8], [FieldValue]) = ([], [])
    let cell = FieldCell(value, texts: &text, boxedValues: &boxedValues)
    if let boxed = boxedValues.first { return self.cell(boxing: boxed) }
    return cell.isText ? self.cell(cell.kind, textIn: appendText(text)) : cell
  }

  /// Returns the value of a cell.
  package func value(of cell: FieldCell) -> FieldValue {
    // Without the capture list, the closure would capture a copy of the payload.
    withStrings { [boxedValues] texts in FieldValue(cell, texts) { boxedValues[$0] } }
  }

  // MARK: Records

  /// Appends an occurrence of the record whose id has this byte range.
  mutating func appendOccurrence(idIn range: Range<Int>) -> RecordIndex {
    let hash = withStrings {
      RecordTable.hash(
        UnsafeRawBufferPointer(start: $0.at(range.lowerBound), count: range.count))
    }
    return appendOccurrence(idIn: range, hash: hash)
  }

  /// Appends an occurrence of the record whose id has this byte range and hash.
  mutating func appendOccurrence(idIn range: Range<Int>, hash: UInt32) -> RecordIndex {
    ids.append(Identity(offset: range.lowerBound, count: range.count, hash: hash))
    return RecordIndex(ids.count - 1)
  }

  /// Appends an occurrence of the record with this id.
  mutating func appendOccurrence(of id: DataID) -> RecordIndex {
    appendOccurrence(idIn: appendText(id.rawValue.utf8))
  }

  /// Whether a record is the root record.
  @inline(__always)
  package func isRoot(_ record: RecordIndex) -> Bool {
    ids[record.position].hash == Self.rootHash && id(of: record) == .root
  }

  private static let rootHash = DataID.root.withBytes(RecordTable.hash)

  @inline(__always)
  package func id(of record: RecordIndex) -> DataID {
    let id = ids[record.position]
    return DataID(text(in: id.offset..<id.offset + id.count))
  }

  /// Appends an occurrence of an object without an id, below a record; see
  /// ``DataID/child(storageKey:positions:)``.
  mutating func appendChild(
    of parent: RecordIndex, storageKey: String, positions: ArraySlice<Int>
  ) -> RecordIndex {
    let id = ids[parent.position]
    let start = response.count + texts.count
    withUnsafeTemporaryAllocation(byteCount: id.count, alignment: 1) { parentID in
      withStrings {
        parentID.copyMemory(
          from: UnsafeRawBufferPointer(start: $0.at(id.offset), count: id.count))
      }
      if !UnsafeRawBufferPointer(parentID).hasPrefix("client:") { appendText("client:") }
      texts.append(contentsOf: parentID)
    }
    appendText(":")
    appendText(storageKey)
    for position in positions {
      appendText(":")
      appendText(String(position))
    }
    return appendOccurrence(idIn: start..<response.count + texts.count)
  }

  private mutating func appendText(_ text: String) {
    var text = text
    text.withUTF8 { texts.append(contentsOf: $0) }
  }

  /// Marks a record of which the payload has only parts.
  mutating func markPart(_ record: RecordIndex) { parts.insert(record) }

  /// Whether the payload has only parts of a record. Parts are dropped if the record is no longer
  /// present: a part does not bring back a deleted object.
  func isPart(_ record: RecordIndex) -> Bool { parts.contains(record) }

  /// Appends elements of a list.
  package mutating func append(_ patch: ListPatch) {
    let list = ObjectIdentifier(patch.list)
    if let position = patchPositions[list], patches[position].extend(by: patch) { return }
    patchPositions[list] = patches.count
    patches.append(patch)
  }

  /// Appends a handle of a field.
  ///
  /// - Parameter isPart: Whether the payload has only a part of the field and an earlier payload
  ///   had the rest.
  package mutating func append(
    _ handle: FieldHandle, of record: RecordIndex, isPart: Bool = false
  ) {
    handles.append((record, handle, isPart))
  }

  /// Whether the payload has a page of a connection. A page is absent if the server returned null,
  /// or if an error left it without edges.
  ///
  /// - Parameters:
  ///   - connection: The record that the connection's pages are merged into.
  ///   - edges: The field of a page's edges.
  /// - Complexity: O(*n*) in the payload's entries.
  package func hasPage(of connection: DataID, edges: FieldKey) -> Bool {
    handles.contains { owner, handle, _ in
      guard handle.name == "connection",
        id(of: owner).child(storageKey: handle.storageKey) == connection,
        let page = field(handle.field, of: owner)?.cell, page.kind == .link
      else { return false }
      guard let list = field(edges, of: page.link) else { return true }
      return list.cell.kind != .null || list.errors.isEmpty
    }
  }

  /// Whether a field of a record is null because of an error.
  ///
  /// - Parameter orNull: Whether a null field without its own error counts too.
  /// - Complexity: O(*n*) in the payload's entries.
  func hasFailedField(of id: DataID, orNull: Bool) -> Bool {
    entries.indices.contains { entryIndex in
      let entry = entries[entryIndex]
      guard self.id(of: entry.record) == id else { return false }
      let keys = shapes[entry.shape].keys
      return keys.indices.contains { position in
        cells[entry.firstCell + position].kind == .null
          && (orNull || errors[entryIndex]?[keys[position]]?.isEmpty == false)
      }
    }
  }

  /// Returns a field of an occurrence; `nil` if the occurrence does not have it.
  private func field(
    _ key: FieldKey, of record: RecordIndex
  ) -> (cell: FieldCell, errors: [StoredError])? {
    for entryIndex in entries.indices.reversed() where entries[entryIndex].record == record {
      let entry = entries[entryIndex]
      guard let position = shapes[entry.shape].position(of: key) else { continue }
      return (cells[entry.firstCell + position], errors[entryIndex]?[key] ?? [])
    }
    return nil
  }

  /// Returns the index of a shape, appending the shape if it is new.
  ///
  /// - Parameter keys: The keys, sorted and without duplicates.
  package mutating func shape(_ typeName: String?, _ keys: ContiguousArray<FieldKey>) -> Int {
    let index = shapes.prefix(Self.searchLimit).firstIndex {
      $0.keys == keys && $0.isOfType(typeName)
    }
    if let index { return index }
    // A server can return every object with a different shape, so the linear search is limited.
    if shapes.count >= Self.searchLimit {
      let key = RecordShape.Key(typeName: typeName.map(ByteString.init), keys: keys)
      if let index = shapeIndexes[key] { return index }
      shapeIndexes[key] = shapes.count
    }
    shapes.append(RecordShape(typeName: typeName, keys: keys))
    return shapes.count - 1
  }

  /// Appends an entry, with a cell for each key of its shape.
  package mutating func append(
    _ record: RecordIndex, shape: Int, cells fields: UnsafeBufferPointer<FieldCell>
  ) {
    entries.append(Entry(record: record, shape: shape, firstCell: cells.count))
    cells.append(contentsOf: fields)
  }

  /// Appends an entry. The last of several values for a key is stored.
  package mutating func append(
    _ record: RecordIndex, typeName: String?, fields: some Sequence<Field>
  ) {
    var pending: [(key: FieldKey, cell: FieldCell)] = []
    var errors: [Int: [StoredError]] = [:]
    for field in fields {
      if !field.errors.isEmpty { errors[pending.count] = field.errors }
      pending.append((field.key, cell(field.value)))
    }
    append(record, typeName: typeName, cells: pending[...], errors: errors)
  }

  /// Appends an entry. The last of several cells for a key is stored, except that a shorter list
  /// does not replace a longer one: a streamed list does not shorten another field's list.
  ///
  /// - Parameter errors: The errors of cells, by their positions in `pending`.
  package mutating func append(
    _ record: RecordIndex, typeName: String?,
    cells pending: ArraySlice<(key: FieldKey, cell: FieldCell)>,
    errors: [Int: [StoredError]]
  ) {
    var last: [FieldKey: Int] = [:]
    for position in pending.indices {
      let (key, cell) = pending[position]
      if let other = last[key], let count = listCount(cell),
        let otherCount = listCount(pending[other].cell), count < otherCount
      {
        continue
      }
      last[key] = position
    }
    let sorted = last.sorted(byNumber: { UInt64($0.key.rawValue) })
    if !errors.isEmpty { self.errors[entries.count] = last.compactMapValues { errors[$0] } }
    let shape = shape(typeName, ContiguousArray(sorted.map(\.key)))
    sorted.map { pending[$0.value].cell }.withUnsafeBufferPointer {
      append(record, shape: shape, cells: $0)
    }
  }

  /// Returns the number of elements of a list; `nil` if the value is not a list.
  private func listCount(_ cell: FieldCell) -> Int? {
    guard cell.kind == .boxed else { return nil }
    return switch boxedValues[cell.boxedIndex] {
    case .links(let links): links.count
    case .list(let values): values.count
    default: nil
    }
  }
}
