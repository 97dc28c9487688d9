/// The ids of persisted records, by number.
package struct PersistedIDs: Sendable {
  /// The ids, as tombstones at the indexes that equal their numbers.
  private(set) var tombstones = RecordTree()
  /// The numbers that have an id.
  package private(set) var numbers = RecordSet()

  package init() {}

  /// The exclusive upper bound of the numbers.
  var bound: Int { tombstones.count }

  var count: Int { tombstones.tombstoneCount }

  /// The number of bytes of all ids.
  var byteCount: Int { tombstones.tombstoneByteCount }

  /// Decodes a row: the slots with an id as bits, then the length-prefixed ids. Pages are loaded in
  /// ascending order.
  ///
  /// - Returns: `false` if the row is damaged.
  package mutating func load(_ reader: inout ByteReader, page: Int64) -> Bool {
    guard page >= 0, page < PersistedPage.limit else { return false }
    let page = Int(truncatingIfNeeded: page)
    guard page * PersistedPage.size >= bound else { return false }
    let slots = reader.fixed()
    let ids = reader.raw(reader.remaining)
    guard reader.isValid else { return false }
    numbers.insert(slots, ofWord: page)
    return ids.isASCII && tombstones.appendTombstones(slots, ofWord: page, entries: ids)
      || insert(slots, page: page, ids)
  }

  private mutating func insert(_ slots: UInt64, page: Int, _ ids: UnsafeRawBufferPointer) -> Bool {
    var (reader, rest) = (ByteReader(ids), slots)
    while rest != 0 {
      let id = reader.counted()
      // The id table compares bytes, but hashes the bytes of strings decoded from them.
      guard reader.isValid, id.isUTF8 else { return false }
      let number = PersistedPage.number(rest.trailingZeroBitCount, of: page)
      let position = RecordIndex(rawValue: number).position
      while bound <= position { tombstones.append(nil) }
      guard tombstones.entomb(position, id: id) else { return false }
      rest &= rest - 1
    }
    return reader.isAtEnd
  }
}
