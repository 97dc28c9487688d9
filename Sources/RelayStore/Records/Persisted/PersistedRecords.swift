/// The persisted records that are not in the record table yet: pages of bytes in memory, each
/// decoded when one of its records is first accessed.
///
/// `@unchecked Sendable`: the state is used only under the lock of the store that owns the table,
/// so by one thread at a time. A class, because an access that only reads the table may decode a
/// page.
package final class PersistedRecords: @unchecked Sendable {
  /// A page as it was loaded.
  package struct Page: Sendable {
    /// The row of the page; empty if all its records are in `changes`.
    var bytes: [UInt8] = []
    /// The records persisted after the page, by slot; a removed record has empty bytes.
    package var changes: [Int: [UInt8]] = [:]

    package init(bytes: [UInt8] = []) { self.bytes = bytes }
  }

  private enum State {
    case bytes(Page)
    case decoded([RecordBox?])
    /// All records of the page are in the table, or were removed.
    case moved
  }

  let decoder: RecordDecoder
  private var pages: [Int: State]
  /// The records that are not in the table yet.
  package private(set) var remaining: RecordSet
  private(set) var count: Int
  /// The pages decoded since the last call of ``takeDecoded()``.
  private var decodedPages: [Int] = []
  /// Whether a page could not be decoded although its checksum matched.
  package private(set) var isDamaged = false

  /// - Parameter records: The indexes of the records in the pages.
  package init(_ pages: [Int: Page], decoder: RecordDecoder, records: RecordSet) {
    self.pages = pages.mapValues(State.bytes)
    self.decoder = decoder
    remaining = records
    count = records.count
  }

  package var isEmpty: Bool { count == 0 }

  /// Returns a record, decoding its page if necessary; `nil` if it is not here.
  ///
  /// - Parameter table: The table with the ids.
  package func record(at index: RecordIndex, in table: RecordTable) -> RecordBox? {
    guard remaining.contains(index) else { return nil }
    let number = decoder.numbering.number(of: index)
    let page = PersistedPage.page(of: number)
    if case .bytes(let bytes)? = pages[page] { decode(bytes, page: page, in: table) }
    guard case .decoded(let records)? = pages[page] else { return nil }
    return records[PersistedPage.slot(of: number)]
  }

  private func decode(_ page: Page, page pageIndex: Int, in table: RecordTable) {
    var records = [RecordBox?](repeating: nil, count: PersistedPage.size)
    page.forEachRecord { slot, bytes in
      let number = PersistedPage.number(slot, of: pageIndex)
      let index = decoder.numbering.index(of: number)
      guard remaining.contains(index) else { return }
      let decoded = table.records.withTombstone(at: index.position) {
        decoder.decode(bytes, number: number, id: $0)
      }
      guard let decoded = decoded ?? nil else { return }
      records[slot] = decoded
    }
    // A record that cannot be decoded counts as never persisted.
    for slot in records.indices where records[slot] == nil {
      let index = decoder.numbering.index(of: PersistedPage.number(slot, of: pageIndex))
      if remaining.contains(index) {
        isDamaged = true
        remove(index)
      }
    }
    pages[pageIndex] = .decoded(records)
    decodedPages.append(pageIndex)
  }

  /// Removes a record that was replaced or collected.
  func remove(_ index: RecordIndex) {
    guard remaining.contains(index) else { return }
    remaining.remove(index)
    count -= 1
  }

  /// Removes and returns the records that were decoded.
  func takeDecoded() -> [(index: RecordIndex, record: RecordBox)] {
    if decodedPages.isEmpty { return [] }
    var taken: [(index: RecordIndex, record: RecordBox)] = []
    for page in decodedPages {
      guard case .decoded(let records)? = pages[page] else { continue }
      for (slot, record) in records.enumerated() {
        let index = decoder.numbering.index(of: PersistedPage.number(slot, of: page))
        guard let record, remaining.contains(index) else { continue }
        taken.append((index, record))
        remove(index)
      }
      pages[page] = .moved
    }
    decodedPages = []
    return taken
  }

  /// Returns the bytes of a page; `nil` if the page was decoded.
  package func bytes(ofPage page: Int) -> Page? {
    if case .bytes(let page)? = pages[page] { page } else { nil }
  }

  /// Whether a record is persisted and not in the table yet.
  package func contains(_ index: RecordIndex) -> Bool { remaining.contains(index) }

  /// Removes the records of pages that were not decoded.
  func removeUndecoded() {
    for (page, state) in pages {
      guard case .bytes = state else { continue }
      for slot in 0..<PersistedPage.size {
        remove(decoder.numbering.index(of: PersistedPage.number(slot, of: page)))
      }
      pages[page] = .moved
    }
  }
}

extension PersistedRecords.Page {
  /// Calls the closure with the slot and the bytes of each record; skips the rest of a damaged
  /// page.
  package func forEachRecord(_ body: (Int, UnsafeRawBufferPointer) -> Void) {
    bytes.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      let isChanged = !changes.isEmpty
      PersistedRecords.forEachRecord(&reader) { slot, record in
        if isChanged, changes[slot] != nil { return }
        body(slot, record)
      }
    }
    for (slot, bytes) in changes where !bytes.isEmpty { bytes.withUnsafeBytes { body(slot, $0) } }
  }
}

extension PersistedRecords {
  /// Decodes the row of a page: the number of the batch that wrote it, the slots with a record as
  /// bits, and the length-prefixed bytes of each record.
  static func forEachRecord(
    _ reader: inout ByteReader, _ body: (Int, UnsafeRawBufferPointer) -> Void
  ) {
    if reader.isAtEnd { return }
    _ = reader.fixed()
    var slots = reader.fixed()
    while slots != 0, reader.isValid {
      let slot = slots.trailingZeroBitCount
      slots &= slots - 1
      let record = reader.counted()
      if reader.isValid { body(slot, record) }
    }
    if !reader.isAtEnd { reader.invalidate() }
  }
}
