import RelayStore

/// The contents of a snapshot file: the rows of a database of records.
struct PersistedExport: Sendable {
  let rows: [(key: RowKey, bytes: [UInt8])]

  /// The hash of the records, without the dates of responses.
  var digest: UInt64 {
    var checksum = Checksum()
    for row in rows where row.key.table != .roots && row.key.table != .header {
      checksum.combine(UInt64(row.key.table.rawValue))
      checksum.combine(UInt64(bitPattern: row.key.key))
      row.bytes.withUnsafeBytes { checksum.combine($0) }
    }
    return checksum.value
  }

  var contents: [UInt8] {
    var writer = ByteWriter(capacity: rows.reduce(16) { $0 + $1.bytes.count + 16 })
    writer.number(rows.count)
    for row in rows {
      writer.byte(row.key.table.rawValue)
      writer.fixed(UInt64(bitPattern: row.key.key))
      row.bytes.withUnsafeBytes { writer.counted($0) }
    }
    return writer.bytes
  }

  /// Decodes a file's contents just enough to find records by id.
  ///
  /// - Throws: ``PersistenceFailure`` of kind `corrupt`.
  static func load(_ contents: ArraySlice<UInt8>) throws -> LoadedImage {
    var image = PersistedImage(format: PersistenceFormat(cipher: nil))
    let isValid = try contents.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      var last: (UInt8, Int64)?
      for _ in 0..<reader.count() {
        let table = PersistenceTable(rawValue: reader.byte())
        let key = Int64(bitPattern: reader.fixed())
        let row = reader.counted()
        guard reader.isValid, let table else { return false }
        if let last, (table.rawValue, key) <= last { return false }
        last = (table.rawValue, key)
        try image.add(row, at: RowKey(table, key))
      }
      return reader.isValid && reader.isAtEnd
    }
    guard isValid, image.header != nil else {
      throw PersistenceFailure(.corrupt, "It is damaged: its rows are inconsistent.")
    }
    try image.check()
    return try LoadedImage(image, schema: "")
  }
}
