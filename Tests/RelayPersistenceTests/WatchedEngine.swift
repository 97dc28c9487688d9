@testable import RelayPersistence
@testable import RelayStore

/// An engine that reports each write before and after it.
///
/// `@unchecked Sendable`: its owner calls it on one thread at a time.
final class WatchedEngine: PersistenceEngine, @unchecked Sendable {
  /// A batch, and the outbox entries that it changes.
  struct Write {
    var batch: PersistenceBatch
    /// The new states of entries; `nil` for a removed entry.
    var entries: [(id: OutboxEntry.ID, state: OutboxEntry.State?)] = []
  }

  /// Called before a write. Returns a closure to call after it, unless the write throws.
  typealias Watch = @Sendable (Write) -> (@Sendable () -> Void)

  private let engine: any PersistenceEngine
  private let watch: Watch
  private let format = PersistenceFormat(cipher: nil)
  private var ids: [Int64: OutboxEntry.ID] = [:]

  init(_ engine: any PersistenceEngine, watch: @escaping Watch) {
    self.engine = engine
    self.watch = watch
  }

  func open() throws { try engine.open() }

  func read(_ body: (RowKey, UnsafeRawBufferPointer) throws -> Void) throws {
    try engine.read { key, bytes in
      if key.table == .entries, let contents = try? format.open(bytes, at: key).contents {
        ids[key.key] = OutboxRecord(contents)?.entry.id
      }
      try body(key, bytes)
    }
  }

  func row(at key: RowKey) throws -> [UInt8]? { try engine.row(at: key) }

  func write(_ batch: PersistenceBatch) throws {
    var write = Write(batch: batch)
    for (key, row) in batch.rows where key.table == .entries {
      let contents = try row?.withUnsafeBytes { try format.open($0, at: key).contents }
      let entry = contents.flatMap(OutboxRecord.init)?.entry
      if let entry { ids[key.key] = entry.id }
      if let id = ids[key.key] { write.entries.append((id, entry?.state)) }
    }
    let finish = watch(write)
    try engine.write(batch)
    finish()
  }

  func wipe() throws { try engine.wipe() }
  func markWiped() throws { try engine.markWiped() }
  func replace(by batch: PersistenceBatch) throws -> String { try engine.replace(by: batch) }
  func close() { engine.close() }
  var byteCount: Int { engine.byteCount }
}

extension Persistence {
  /// Returns the storage with engines that report their writes.
  func watched(
    cache: @escaping WatchedEngine.Watch, outbox: @escaping WatchedEngine.Watch
  ) -> Persistence {
    var persistence = self
    persistence.makeEngine = { [makeEngine] in WatchedEngine(makeEngine(), watch: cache) }
    if let makeOutboxEngine {
      persistence.makeOutboxEngine = { WatchedEngine(makeOutboxEngine(), watch: outbox) }
    }
    return persistence
  }
}
