/// A decoder of persisted records, in the format of a storage.
package protocol PersistedRecordDecoder: Sendable {
  /// The numbers of the records' indexes.
  var numbering: RecordNumbering { get }
  /// Decodes a record; returns `nil` for damaged bytes.
  func decode(
    _ bytes: UnsafeRawBufferPointer, number: UInt32, id: UnsafeRawBufferPointer
  ) -> RecordBox?
}

/// The persisted records that are not in the record table yet: pages of bytes in memory, each
/// decoded when one of its records is first accessed. The words of a version's table say which
/// records are still here; see ``RecordTree/persistedBit``.
///
/// Threads may decode a page at the same time; the records of the first one count. The records of a
/// page stay until no version refers to them.
///
/// `@unchecked Sendable`: `lock` guards `pages`, `decodedPages` and `hasDamage`; the store's lock
/// guards `movedPages`. The records are immutable.
package final class PersistedRecords: @unchecked Sendable {
  /// A page as it was loaded.
  package struct Page: Sendable {
    /// The row of the page; empty if all its records are in `changes`.
    var bytes: [UInt8] = []
    /// The records persisted after the page, by slot; a removed record has empty bytes.
    package var changes: [Int: [UInt8]] = [:]

    package init(bytes: [UInt8] = []) { self.bytes = bytes }
  }

  /// The decoded records of a page.
  struct DecodedPage {
    /// The records by slot; `nil` for a record that cannot be decoded.
    var records = [RecordBox?](repeating: nil, count: PersistedPage.size)
    /// The slots that were decoded, as bits.
    var slots: UInt64 = 0

    func has(_ slot: Int) -> Bool { slots & 1 << UInt64(slot) != 0 }

    /// Whether a record could not be decoded.
    var isDamaged: Bool { records.indices.contains { has($0) && records[$0] == nil } }
  }

  private struct Contents {
    let page: Page
    var decoded: DecodedPage?
  }

  let decoder: any PersistedRecordDecoder
  private let lock = PriorityLock()
  private var pages: [Int: Contents]
  /// The pages decoded since the last call of ``takeDecoded(_:)``.
  private var decodedPages: [Int] = []
  /// The pages whose records are in a table, with the version.
  private var movedPages: [(page: Int, version: UInt64)] = []
  private var hasDamage = false

  package init(_ pages: [Int: Page], decoder: some PersistedRecordDecoder) {
    self.pages = pages.mapValues { Contents(page: $0) }
    self.decoder = decoder
  }

  /// Whether a record could not be decoded although the checksum of its page matched.
  package var isDamaged: Bool { lock.withLock { hasDamage } }

  /// Returns a record, decoding its page if necessary; `nil` if it cannot be decoded.
  ///
  /// - Parameter table: The table with the ids.
  /// - Precondition: The record is not in the table yet.
  func record(at index: RecordIndex, in table: RecordTable) -> RecordBox? {
    let number = decoder.numbering.number(of: index)
    let (page, slot) = (PersistedPage.page(of: number), PersistedPage.slot(of: number))
    let contents = lock.withLock { pages[page] }
    guard let contents else { return nil }
    if let decoded = contents.decoded, decoded.has(slot) {
      return decoded.records[slot]
    }
    return insert(decode(contents.page, page: page, in: table), page: page).records[slot]
  }

  private func decode(_ page: Page, page pageIndex: Int, in table: RecordTable) -> DecodedPage {
    var decoded = DecodedPage()
    for slot in 0..<PersistedPage.size {
      let index = decoder.numbering.index(of: PersistedPage.number(slot, of: pageIndex))
      if table.isPersisted(index) { decoded.slots |= 1 << UInt64(slot) }
    }
    page.forEachRecord { slot, bytes in
      guard decoded.has(slot) else { return }
      let number = PersistedPage.number(slot, of: pageIndex)
      let position = decoder.numbering.index(of: number).position
      let record = table.records.withTombstone(at: position) {
        decoder.decode(bytes, number: number, id: $0)
      }
      decoded.records[slot] = record ?? nil
    }
    return decoded
  }

  /// Adds the records that no other thread has added, and returns all of the page.
  private func insert(_ new: DecodedPage, page: Int) -> DecodedPage {
    let isDamaged = new.isDamaged
    return lock.withLock {
      if isDamaged { hasDamage = true }
      guard var decoded = pages[page]?.decoded else {
        pages[page]?.decoded = new
        decodedPages.append(page)
        return new
      }
      for slot in new.records.indices where new.has(slot) && !decoded.has(slot) {
        decoded.records[slot] = new.records[slot]
      }
      decoded.slots |= new.slots
      pages[page]?.decoded = decoded
      return decoded
    }
  }

  /// Returns the pages decoded since the last call, whose records move to a table.
  ///
  /// - Parameter version: The version of the table that is being written.
  func takeDecoded(_ version: UInt64) -> [(page: Int, decoded: DecodedPage)] {
    lock.withLock {
      defer { decodedPages = [] }
      movedPages += decodedPages.map { ($0, version) }
      return decodedPages.compactMap { page in pages[page]?.decoded.map { (page, $0) } }
    }
  }

  /// Removes the pages whose records every version from `version` on has in its table.
  func reclaim(before version: UInt64) {
    if movedPages.isEmpty { return }
    let done = movedPages.prefix { $0.version <= version }
    movedPages.removeFirst(done.count)
    var removed: [Contents?] = []
    lock.withLock { removed = done.map { pages.removeValue(forKey: $0.page) } }
    withExtendedLifetime(removed) {}
  }

  /// Returns the bytes of a page; `nil` if the page was decoded.
  package func bytes(ofPage page: Int) -> Page? {
    lock.withLock { pages[page].flatMap { $0.decoded == nil ? $0.page : nil } }
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
