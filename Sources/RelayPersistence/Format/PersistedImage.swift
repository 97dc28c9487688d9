import RelayStore

/// The rows of a storage, decoded just enough to find records by id.
package struct PersistedImage: Sendable {
  /// The header; `nil` for a new database.
  private(set) var header: PersistedHeader?
  private(set) var names: [PersistedNames.Loaded] = []
  private(set) var shapes: [PersistedShapes.Shape?] = []
  private(set) var ids = PersistedIDs()
  private(set) var pages: [Int: PersistedRecords.Page] = [:]
  private var pageBatches: [Int: UInt64] = [:]
  /// The parts of records with many fields, in the order of their names.
  private(set) var parts: [UInt32: [(part: UInt32, bytes: [UInt8])]] = [:]
  /// The batches of the log with their sizes.
  private(set) var logRows: [(batch: UInt64, byteCount: Int)] = []
  /// The rows decoded elsewhere.
  private var otherRows: [RowKey: [UInt8]] = [:]
  /// All rows except the header.
  private(set) var rows: [RowKey: PersistedRow] = [:]
  /// The number of bytes of each page.
  private(set) var pageSizes: [Int: Int] = [:]
  private let format: PersistenceFormat

  package init(format: PersistenceFormat) { self.format = format }

  /// Adds a row. Rows must be added in the order of their tables and keys.
  ///
  /// - Throws: ``PersistenceFailure`` of kind `corrupt`.
  mutating func add(_ row: UnsafeRawBufferPointer, at key: RowKey) throws {
    let (contents, checksum) = try format.open(row, at: key)
    if key == PersistedHeader.key {
      header = try PersistedHeader(contents)
      return
    }
    if header == nil { throw PersistenceFailure(.corrupt, "The database has no header.") }
    rows[key] = PersistedRow(checksum: checksum, byteCount: row.count)
    let isValid = contents.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      return load(&reader, contents, at: key)
    }
    if !isValid {
      throw PersistenceFailure(.corrupt, "A row of the table \"\(key.table)\" is damaged.")
    }
  }

  private mutating func load(
    _ reader: inout ByteReader, _ contents: [UInt8], at key: RowKey
  ) -> Bool {
    switch key.table {
    case .header, .entries, .aliases: return false
    case .names: return PersistedNames.load(&reader, row: key.key, into: &names)
    case .shapes: return PersistedShapes.load(&reader, row: key.key, into: &shapes)
    case .ids: return ids.load(&reader, page: key.key)
    case .pages:
      guard key.key >= 0, key.key < PersistedPage.limit else { return false }
      let page = Int(truncatingIfNeeded: key.key)
      pageBatches[page] = reader.fixed()
      pages[page] = PersistedRecords.Page(bytes: contents)
      pageSizes[page] = contents.count
      return reader.isValid
    case .log: return loadLog(&reader, batch: UInt64(bitPattern: key.key))
    case .parts:
      let number = UInt32(truncatingIfNeeded: key.key >> 32)
      let part = UInt32(truncatingIfNeeded: key.key)
      guard part < PersistedRecord.partLimit else { return false }
      parts[number, default: []].append((part, contents))
    case .epochs, .documents, .roots: otherRows[key] = contents
    }
    return true
  }

  /// Decodes a log batch: for each record its number and length-prefixed bytes, empty for a removed
  /// record.
  private mutating func loadLog(_ reader: inout ByteReader, batch: UInt64) -> Bool {
    logRows.append((batch, reader.remaining))
    while reader.isValid, !reader.isAtEnd {
      let number = reader.number32()
      let bytes = reader.counted()
      let page = PersistedPage.page(of: number)
      guard reader.isValid, let pageBatch = pageBatches[page] else { return false }
      if batch > pageBatch {
        pages[page]?.changes[PersistedPage.slot(of: number)] = Array(bytes)
      }
    }
    return reader.isValid
  }

  /// Checks that no row is missing or from a different transaction.
  ///
  /// - Throws: ``PersistenceFailure`` of kind `corrupt`.
  func check() throws {
    guard let header else { return }
    let sum = rows.values.reduce(0) { $0 ^ $1.checksum }
    if sum != header.sum || UInt64(rows.count) != header.rowCount {
      throw PersistenceFailure(.corrupt, "The database is missing rows of its last transaction.")
    }
  }

  /// Returns the rows of a table decoded elsewhere, in the order of their keys.
  func rows(of table: PersistenceTable) -> [(key: Int64, contents: [UInt8])] {
    otherRows.filter { $0.key.table == table }.map { ($0.key.key, $0.value) }
      .sorted { $0.key < $1.key }
  }

  /// The names and shapes that records refer to, and the numbers of the records.
  struct Contents: Sendable {
    /// The numbers of the records.
    var records = RecordSet()
    /// The numbers of the names and shapes in use.
    var names: Set<UInt32> = []
    var shapes: Set<Int> = []
    fileprivate var lastShape = -1
    /// The names of each record's client-written fields.
    var clientWritten: [(number: UInt32, names: [UInt32])] = []
  }

  /// Decodes the headers of all records.
  ///
  /// - Throws: ``PersistenceFailure`` of kind `corrupt`.
  /// - Complexity: O(*n*) in the records.
  func contents() throws -> Contents {
    var (contents, isValid) = (Contents(), true)
    for (page, bytes) in pages {
      var slots: UInt64 = 0
      bytes.forEachRecord { slot, record in
        slots |= 1 << UInt64(slot)
        var reader = ByteReader(record)
        let header = PersistedRecord.Header(&reader)
        if !reader.isValid { isValid = false }
        contents.insert(header, of: PersistedPage.number(slot, of: page))
      }
      if slots & ~ids.numbers.members(ofWord: page) != 0 { isValid = false }
      contents.records.insert(slots, ofWord: page)
    }
    for shape in contents.shapes {
      guard shape < shapes.count, let shape = shapes[shape] else {
        isValid = false
        continue
      }
      contents.names.formUnion(shape.keys)
      if let typeName = shape.typeName { contents.names.insert(typeName) }
    }
    for part in parts.values.joined() {
      // Counts all names of a part as used, to avoid decoding it.
      let first = UInt64(part.part) * UInt64(PersistedRecord.partSize)
      let end = min(UInt64(names.count), first + UInt64(PersistedRecord.partSize))
      for name in first..<max(first, end) { contents.names.insert(UInt32(name)) }
    }
    if !isValid { throw PersistenceFailure(.corrupt, "A page of records is damaged.") }
    return contents
  }
}

extension PersistedImage.Contents {
  fileprivate mutating func insert(_ header: PersistedRecord.Header, of number: UInt32) {
    if let shape = header.shape, shape != lastShape {
      shapes.insert(shape)
      lastShape = shape
    }
    if header.typeName > 0 { names.insert(header.typeName - 1) }
    if !header.keys.isEmpty { names.formUnion(header.keys) }
    if !header.clientWritten.isEmpty { names.formUnion(header.clientWritten) }
    if !header.clientWritten.isEmpty { clientWritten.append((number, header.clientWritten)) }
  }
}
