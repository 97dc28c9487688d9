import RelayStore

/// The format of database rows: the checksum, then the contents, optionally encrypted by a cipher.
package struct PersistenceFormat: Sendable {
  /// The version of the format. Databases of any other version are not read.
  static let version: UInt64 = 2

  let cipher: (any PersistenceCipher)?

  /// Returns the bytes of a row and their checksum.
  ///
  /// - Throws: Any error thrown by the cipher.
  package func seal(_ contents: [UInt8], at key: RowKey) throws -> (
    bytes: [UInt8], checksum: UInt64
  ) {
    let contents = try cipher?.seal(contents) ?? contents
    let checksum = contents.withUnsafeBytes { Self.checksum($0, at: key) }
    var writer = ByteWriter(capacity: contents.count + 8)
    writer.fixed(checksum)
    contents.withUnsafeBytes { writer.raw($0) }
    return (writer.bytes, checksum)
  }

  /// Returns the contents of a row and their checksum.
  ///
  /// - Throws: ``PersistenceFailure`` of kind `corrupt`.
  func open(_ row: UnsafeRawBufferPointer, at key: RowKey) throws -> (
    contents: [UInt8], checksum: UInt64
  ) {
    var reader = ByteReader(row)
    let checksum = reader.fixed()
    let contents = reader.raw(reader.remaining)
    guard reader.isValid, checksum == Self.checksum(contents, at: key) else {
      throw PersistenceFailure(
        .corrupt, "A row of the table \"\(key.table)\" has the wrong checksum.")
    }
    guard let cipher else { return (Array(contents), checksum) }
    do { return (try cipher.open(Array(contents)), checksum) } catch {
      throw PersistenceFailure(.corrupt, "The cipher could not decrypt a row: \(error)")
    }
  }

  private static func checksum(_ bytes: UnsafeRawBufferPointer, at key: RowKey) -> UInt64 {
    var checksum = Checksum(seed: UInt64(key.table.rawValue) << 56 ^ UInt64(bitPattern: key.key))
    checksum.combine(bytes)
    return checksum.value
  }
}

/// The checksum and size of a persisted row.
struct PersistedRow: Sendable {
  var checksum: UInt64
  var byteCount: Int
}

/// The row that describes all other rows.
struct PersistedHeader: Sendable {
  static let key = RowKey(.header, 0)

  /// The number of batches until now. A page or log batch carries the number of the batch that
  /// wrote it.
  var batch: UInt64 = 0
  /// The XOR of the checksums of all other rows. It detects a row that is missing or from a
  /// different transaction.
  var sum: UInt64 = 0
  /// The number of other rows.
  var rowCount: UInt64 = 0
  /// The epoch of invalidations.
  var epoch: UInt64 = 0
  /// The epoch in which the entire store was last invalidated, plus one; 0 if it never was.
  var storeInvalidation: UInt64 = 0
  /// The persisted revision of the store.
  var revision = PersistenceRevision(run: 0, revision: 0)
  /// The identifier of the schema that the records were written with.
  var schema = ""
  /// The types and fields that are never persisted.
  var privateElements = ""

  var contents: [UInt8] {
    var writer = ByteWriter()
    writer.fixed(PersistenceFormat.version)
    for value in [
      batch, sum, rowCount, epoch, storeInvalidation, revision.run, revision.revision,
    ] {
      writer.fixed(value)
    }
    writer.text(schema)
    writer.text(privateElements)
    return writer.bytes
  }

  init() {}

  /// Decodes the row.
  ///
  /// - Throws: ``PersistenceFailure`` of kind `corrupt`, also for a different version.
  init(_ contents: [UInt8]) throws {
    let isValid = try contents.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      let version = reader.fixed()
      guard version == PersistenceFormat.version else {
        throw PersistenceFailure(
          .corrupt,
          "The database has version \(version); this program reads \(PersistenceFormat.version).")
      }
      batch = reader.counter()
      sum = reader.fixed()
      rowCount = reader.fixed()
      epoch = reader.counter()
      storeInvalidation = reader.counter()
      revision = PersistenceRevision(run: reader.fixed(), revision: reader.fixed())
      schema = reader.text()
      privateElements = reader.text()
      return reader.isValid && reader.isAtEnd
    }
    if !isValid { throw PersistenceFailure(.corrupt, "The header of the database is damaged.") }
  }
}
