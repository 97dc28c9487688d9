import RelayStore

/// The parts of a journal that only its queue uses: the database, and the state of its contents.
///
/// `@unchecked Sendable`: the journal calls every method on its serial queue, and nobody else has the
/// object. No lock guards it, because it delivers snapshots to consumers and waits for the disk.
final class StoreJournalWork: @unchecked Sendable {
  let engine: any StorageEngine
  let format: StorageFormat
  let schema: String
  /// The number of bytes from which on queries are dropped.
  let byteLimit: Int?
  /// Whether the log has heard of records that could not be decoded.
  var isDamageReported = false
  /// The writer; `nil` until the records are loaded.
  var writer: StoreWriter?

  init(_ storage: DurableStorage) {
    engine = storage.makeEngine()
    format = StorageFormat(cipher: storage.cipher)
    schema = storage.schema
    byteLimit = storage.byteLimit
  }

  /// Whether more is stored than the limit allows.
  var isOverLimit: Bool {
    guard let byteLimit, let writer else { return false }
    return writer.byteCount > byteLimit
  }

  /// Begins to remove what is stored in vain.
  ///
  /// - Returns: `false` if there is nothing of that kind.
  func beginCompaction() -> Bool {
    guard writer?.hasLog == true else { return false }
    writer?.beginCompaction()
    return true
  }
}
