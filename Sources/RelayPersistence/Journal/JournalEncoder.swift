import RelayStore

/// An encoder of batches into rows, with the database state that it needs.
///
/// A single changed record is appended to the log. A page of records is written completely when it
/// is new, when a quarter of it has changed, or when the log has become too long. Older log entries
/// for the page then have no effect.
struct JournalEncoder: Sendable {
  private var encoder: RecordEncoder
  private let format: PersistenceFormat
  private var header = PersistedHeader()
  /// All rows except the header.
  private var rows: [RowKey: PersistedRow] = [:]
  /// The number of bytes of all rows.
  private(set) var byteCount = 0
  private var pageSizes: [Int: Int] = [:]
  private var pageBytes = 0
  private var logRows: [(batch: UInt64, byteCount: Int)] = []
  private var logBytes = 0
  /// The pages with records in the log.
  private var loggedPages: Set<Int> = []
  /// The pages still to be written before the log batches up to `batch` can be removed.
  private var compaction: (pages: [Int], batch: UInt64)?
  /// The last log batch whose records have all been written to pages.
  private var obsoleteBatch: UInt64 = 0
  /// The records with many fields as last persisted, with their parts.
  private var largeRecords: [UInt32: (record: Record?, parts: Set<UInt32>)] = [:]

  /// The row of each operation whose data is retained, and the number of operations of each plan.
  private var rootKeys: [RequestIdentity: Int64] = [:]
  private var documentUses: [UInt64: Int] = [:]
  private var lastRootKey: Int64 = 0
  /// The number of uses of operations, across all runs of the program.
  private var lastUse: UInt64 = 0

  /// The number of changed records at which a page is written completely.
  static let pageThreshold = 16
  /// The size of the log in bytes below which it is not compacted.
  private static let logLimit = 256 * 1024
  /// The maximum bytes of pages that a batch writes for compaction, and of the log that it removes.
  /// SQLite also writes the pages of removed rows.
  private static let compactionLimit = 256 * 1024

  /// Creates a writer for a new database.
  package init(
    format: PersistenceFormat, schema: String, numbering: RecordNumbering = RecordNumbering()
  ) {
    self.format = format
    encoder = RecordEncoder(
      numbering: numbering, names: PersistedNames(), shapes: PersistedShapes())
    header.schema = schema
  }

  /// Creates a writer for a loaded database.
  package init(
    _ image: PersistedImage, encoder: RecordEncoder, format: PersistenceFormat, schema: String
  ) {
    self.format = format
    self.encoder = encoder
    header = image.header ?? PersistedHeader()
    header.schema = schema
    rows = image.rows
    byteCount = rows.values.reduce(0) { $0 + $1.byteCount }
    pageSizes = image.pageSizes
    pageBytes = pageSizes.values.reduce(0, +)
    logRows = image.logRows
    logBytes = logRows.reduce(0) { $0 + $1.byteCount }
    loggedPages = Set(image.pages.lazy.filter { !$0.value.changes.isEmpty }.map(\.key))
    largeRecords = image.parts.mapValues { (nil, Set($0.map(\.part))) }
    for (key, root) in image.roots {
      rootKeys[root.identity] = key
      documentUses[root.identity.documentHash, default: 0] += 1
      lastRootKey = max(lastRootKey, key)
      lastUse = max(lastUse, root.use)
    }
  }

  var numbering: RecordNumbering { encoder.numbering }

  /// The number of storage keys whose strings were added.
  var keyCount: Int { encoder.names.keyCount }

  /// Whether a page is in the database.
  func hasPage(_ page: Int) -> Bool { pageSizes[page] != nil }

  /// Whether a record may be persisted twice, or still be persisted after its removal.
  var hasLog: Bool { !logRows.isEmpty }

  /// Starts writing the pages that have records in the log, unless that is in progress.
  mutating func beginCompaction() {
    if compaction == nil { compaction = (loggedPages.sorted(by: >), header.batch) }
  }

  /// Whether the next batch includes work of the compaction.
  var isCompacting: Bool { compaction != nil || hasObsoleteLog }

  private var hasObsoleteLog: Bool { logRows.first.map { $0.batch <= obsoleteBatch } ?? false }

  /// The pages to write with the next batch even if they are unchanged.
  var pagesToCompact: ArraySlice<Int> {
    guard let compaction else { return [] }
    let size = max(1, pageSizes.isEmpty ? 1 : pageBytes / pageSizes.count)
    return compaction.pages.suffix(max(1, Self.compactionLimit / size))
  }

  /// The combined checksum of all persisted rows.
  var sum: UInt64 { header.sum }

  /// Whether a record with private types or fields may be persisted.
  func mayHave(_ elements: PrivateElements) -> Bool { encoder.names.hasAny(of: elements) }

  // MARK: Encoding

  /// Returns the rows to write for a batch. The writer assumes that they are then written; if that
  /// fails, it must not be used again.
  ///
  /// - Throws: Any error thrown by the cipher.
  mutating func rows(for batch: BaseBatch) throws -> PersistenceBatch {
    var rows = PersistenceBatch()
    rows.isSecure = batch.isSecure
    if batch.isReplacement {
      rows.isReplacement = true
      let keys = encoder.names.allKeys
      self = JournalEncoder(format: format, schema: header.schema, numbering: numbering)
      encoder.addKeys(keys)
    }
    header.batch += 1
    encoder.addKeys(batch.keys)
    for page in batch.ids { try set(page.bytes, at: RowKey(.ids, Int64(page.page)), in: &rows) }
    for page in batch.pages { try write(page, in: &rows) }
    try append(batch.changes, in: &rows)
    try compact(batch, in: &rows)
    for page in batch.epochs {
      try set(page.bytes, at: RowKey(.epochs, Int64(page.page)), in: &rows)
    }
    for root in batch.roots { try write(root.root, plan: root.plan, of: root.identity, in: &rows) }
    for row in encoder.drainRows() { try set(row.bytes, at: row.key, in: &rows) }
    header.rowCount = UInt64(self.rows.count)
    header.epoch = batch.epoch
    header.privateElements = batch.privateElements
    header.revision = PersistenceRevision(run: batch.run, revision: batch.revision)
    header.storeInvalidation = batch.storeInvalidatedAt.map { $0 + 1 } ?? 0
    let sealed = try format.seal(header.contents, at: PersistedHeader.key)
    rows.rows.append((PersistedHeader.key, sealed.bytes))
    return rows
  }

  /// Adds a row to be written; `nil` removes it.
  private mutating func set(
    _ contents: [UInt8]?, at key: RowKey, in rows: inout PersistenceBatch
  ) throws {
    guard let contents else {
      guard let old = self.rows.removeValue(forKey: key) else { return }
      header.sum ^= old.checksum
      byteCount -= old.byteCount
      return rows.rows.append((key, nil))
    }
    let (bytes, checksum) = try format.seal(contents, at: key)
    let row = PersistedRow(checksum: checksum, byteCount: bytes.count)
    if let old = self.rows.updateValue(row, forKey: key) {
      if old.checksum == checksum { return }
      header.sum ^= old.checksum
      byteCount -= old.byteCount
    }
    header.sum ^= checksum
    byteCount += bytes.count
    rows.rows.append((key, bytes))
  }

  // MARK: Pages

  private mutating func write(_ page: BaseBatch.Page, in rows: inout PersistenceBatch) throws {
    var kept: [Int: [UInt8]] = [:]
    page.undecoded?.forEachRecord { slot, bytes in
      if page.replaced >> UInt64(slot) & 1 == 0 { kept[slot] = Array(bytes) }
    }
    var (slots, records) = (UInt64(0), ByteWriter(capacity: pageSizes[page.page] ?? 4096))
    var record = ByteWriter()
    for slot in 0..<PersistedPage.size {
      if let entry = page.entries[slot] {
        record.removeAll()
        let number = PersistedPage.number(slot, of: page.page)
        try encode(entry, number: number, to: &record, in: &rows)
        record.bytes.withUnsafeBytes { records.counted($0) }
      } else if let bytes = kept[slot] {
        bytes.withUnsafeBytes { records.counted($0) }
      } else {
        if page.undecoded == nil || page.replaced >> UInt64(slot) & 1 != 0 {
          try removeParts(of: PersistedPage.number(slot, of: page.page), in: &rows)
        }
        continue
      }
      slots |= 1 << UInt64(slot)
    }
    var writer = ByteWriter(capacity: records.count + 16)
    writer.fixed(header.batch)
    writer.fixed(slots)
    records.bytes.withUnsafeBytes { writer.raw($0) }
    try set(writer.bytes, at: RowKey(.pages, Int64(page.page)), in: &rows)
    pageBytes += writer.count - (pageSizes.updateValue(writer.count, forKey: page.page) ?? 0)
    loggedPages.remove(page.page)
  }

  private mutating func encode(
    _ entry: BaseBatch.Entry, number: UInt32, to writer: inout ByteWriter,
    in rows: inout PersistenceBatch
  ) throws {
    let box = entry.record.box
    encoder.encode(box, clientWritten: entry.clientWritten, to: &writer)
    if RecordEncoder.hasParts(box) {
      try writeParts(of: entry.record, number: number, in: &rows)
    } else {
      try removeParts(of: number, in: &rows)
    }
  }

  // MARK: The log

  private mutating func append(
    _ changes: [(number: UInt32, entry: BaseBatch.Entry?)], in rows: inout PersistenceBatch
  ) throws {
    if changes.isEmpty { return }
    var (writer, record) = (ByteWriter(), ByteWriter())
    for (number, entry) in changes {
      record.removeAll()
      if let entry {
        try encode(entry, number: number, to: &record, in: &rows)
      } else {
        try removeParts(of: number, in: &rows)
      }
      writer.number(number)
      record.bytes.withUnsafeBytes { writer.counted($0) }
      loggedPages.insert(PersistedPage.page(of: number))
    }
    try set(writer.bytes, at: RowKey(.log, Int64(bitPattern: header.batch)), in: &rows)
    logRows.append((header.batch, writer.count))
    logBytes += writer.count
  }

  /// Continues the compaction, and starts the next one when the log is too long.
  private mutating func compact(_ batch: BaseBatch, in rows: inout PersistenceBatch) throws {
    if var current = compaction {
      let written = Set(batch.pages.map(\.page))
      current.pages.removeAll { written.contains($0) }
      compaction = current.pages.isEmpty ? nil : current
      if compaction == nil { obsoleteBatch = current.batch }
    }
    try removeObsoleteLog(in: &rows)
    if !isCompacting, logBytes > max(Self.logLimit, pageBytes / 2) { beginCompaction() }
  }

  /// Removes some log batches whose records have all been written to pages.
  private mutating func removeObsoleteLog(in rows: inout PersistenceBatch) throws {
    var (count, removedBytes) = (0, 0)
    for row in logRows.prefix(while: { $0.batch <= obsoleteBatch }) {
      if count > 0, removedBytes + row.byteCount > Self.compactionLimit { break }
      try set(nil, at: RowKey(.log, Int64(bitPattern: row.batch)), in: &rows)
      removedBytes += row.byteCount
      count += 1
    }
    logRows.removeFirst(count)
    logBytes -= removedBytes
  }

  // MARK: Operations

  private mutating func write(
    _ root: PersistedRoot?, plan: SelectionPlan?, of identity: RequestIdentity,
    in rows: inout PersistenceBatch
  ) throws {
    let hash = identity.documentHash
    let document = RowKey(.documents, Int64(bitPattern: hash))
    guard var root, let plan, let text = PersistedPlan(plan) else {
      guard let key = rootKeys.removeValue(forKey: identity) else { return }
      try set(nil, at: RowKey(.roots, key), in: &rows)
      documentUses[hash, default: 1] -= 1
      if documentUses[hash] == 0 {
        documentUses[hash] = nil
        try set(nil, at: document, in: &rows)
      }
      return
    }
    if rootKeys[identity] == nil {
      lastRootKey += 1
      rootKeys[identity] = lastRootKey
      if documentUses[hash] == nil { try set(text.contents, at: document, in: &rows) }
      documentUses[hash, default: 0] += 1
    }
    lastUse += 1
    root.use = lastUse
    try set(root.contents, at: RowKey(.roots, rootKeys[identity] ?? 0), in: &rows)
  }

  // MARK: Records with many fields

  private mutating func writeParts(
    of record: Record, number: UInt32, in rows: inout PersistenceBatch
  ) throws {
    let (last, parts) = largeRecords[number] ?? (nil, [])
    var changed: Set<UInt32> = []
    if let tree = record.box.fields, let old = last?.box.fields {
      // Shared subtrees are neither visited nor encoded.
      tree.forEachDifference(from: old) { changed.insert(encoder.part(of: $0.key)) }
      old.forEachDifference(from: tree) { changed.insert(encoder.part(of: $0.key)) }
    } else {
      for key in record.keys { changed.insert(encoder.part(of: key)) }
      changed.formUnion(parts)
    }
    var kept = parts
    for part in changed.sorted() {
      let contents = encoder.encodePart(part) { key in
        record.box.fields.map { $0[key] }
          ?? record[key].map { .init(key: key, value: $0, errors: record.errors(of: key)) }
      }
      if contents == nil { kept.remove(part) } else { kept.insert(part) }
      try set(contents, at: Self.key(ofPart: part, of: number), in: &rows)
    }
    largeRecords[number] = (record, kept)
  }

  private mutating func removeParts(of number: UInt32, in rows: inout PersistenceBatch) throws {
    guard let old = largeRecords.removeValue(forKey: number) else { return }
    for part in old.parts.sorted() {
      try set(nil, at: Self.key(ofPart: part, of: number), in: &rows)
    }
  }

  private static func key(ofPart part: UInt32, of number: UInt32) -> RowKey {
    RowKey(.parts, Int64(bitPattern: UInt64(number) << 32 | UInt64(part)))
  }
}
