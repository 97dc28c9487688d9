@testable import RelayPersistence
@testable import RelayStore

/// An entry as persisted in an outbox's database.
struct StoredEntry {
  let entry: OutboxEntry
  /// The values of its mutation's variables.
  let variables: JSONObject
  /// The number of its response, counted over all entries; 0 without a response.
  let acknowledgement: UInt64
  /// The name of the inbox file that it was imported from.
  let file: String?

  init(_ record: OutboxRecord) {
    (entry, variables) = (record.entry, record.variables)
    (acknowledgement, file) = (record.acknowledgement, record.file)
  }
}

extension MemoryPersistence {
  /// The entries of an outbox in the database, in key order.
  var storedEntries: [StoredEntry] { outboxRecords.map(StoredEntry.init) }

  /// The complete contents of ``storedEntries``.
  var outboxRecords: [OutboxRecord] {
    let format = PersistenceFormat(cipher: nil)
    let rows = state.withLock { $0.rows }.filter { $0.key.table == .entries }
    return rows.sorted { $0.key.key < $1.key.key }.compactMap { key, row in
      row.withUnsafeBytes { try? format.open($0, at: key).contents }.flatMap(OutboxRecord.init)
    }
  }
}

extension Persistence {
  /// Reads the entries that the outbox's database has on disk.
  func storedEntries() throws -> [OutboxEntry] { try storedRecords().map(\.entry) }

  /// Reads the complete contents of ``storedEntries()``.
  func storedRecords() throws -> [OutboxRecord] {
    guard let engine = makeOutboxEngine?() else { return [] }
    let format = PersistenceFormat(cipher: nil)
    var records: [OutboxRecord] = []
    try engine.open()
    defer { engine.close() }
    try engine.read { key, row in
      guard key.table == .entries else { return }
      guard let record = OutboxRecord(try format.open(row, at: key).contents) else {
        throw PersistenceFailure(.corrupt, "An entry is damaged.")
      }
      records.append(record)
    }
    return records
  }
}

extension Outbox {
  /// Waits until the outbox has finished its current work.
  func untilIdle() async { await wait() }
}
