import RelayStore

/// The parts of a journal used only on its queue: the database and the state of its contents.
///
/// `@unchecked Sendable`: the journal calls every method on its serial queue, and only the journal
/// has the object. No lock guards it, because it delivers snapshots to consumers and waits for the
/// disk.
final class JournalWork: @unchecked Sendable {
  let engine: any PersistenceEngine
  let format: PersistenceFormat
  let schema: String
  /// The number of bytes above which queries are dropped.
  let byteLimit: Int?
  /// Whether records that could not be decoded were already logged.
  var isDamageReported = false
  /// The writer; `nil` until the records are loaded.
  var writer: JournalEncoder?

  init(_ persistence: Persistence) {
    engine = persistence.makeEngine()
    format = PersistenceFormat(cipher: persistence.cipher)
    schema = persistence.schema
    byteLimit = persistence.byteLimit
  }

  /// Whether the persisted data exceeds the limit.
  var isOverLimit: Bool {
    guard let byteLimit, let writer else { return false }
    return writer.byteCount > byteLimit
  }

  /// Starts removing obsolete log data.
  ///
  /// - Returns: `false` if there is none.
  func beginCompaction() -> Bool {
    guard writer?.hasLog == true else { return false }
    writer?.beginCompaction()
    return true
  }
}
