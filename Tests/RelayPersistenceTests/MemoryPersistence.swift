@testable import RelayPersistence
@testable import RelayStore

/// An in-memory database that outlives the stores using it.
final class MemoryPersistence: Sendable {
  struct State {
    var rows: [RowKey: [UInt8]] = [:]
    /// The number of bytes in each write.
    var writes: [Int] = []
    /// The number of bytes that each write removed from the log.
    var logRemovals: [Int] = []
    var isMarked = false
    var markCount = 0
    /// Called before the database is marked.
    var willMark: @Sendable () -> Void = {}
    var rejected: [RowKey: [UInt8]]?
  }

  let state = Locked(State())

  var persistence: Persistence { Persistence { self.engine() } }

  func engine() -> any PersistenceEngine { Engine(memory: self) }

  /// Decodes all persisted data.
  func image() throws -> PersistedImage {
    var image = PersistedImage(format: PersistenceFormat(cipher: nil))
    try Engine(memory: self).read { key, bytes in try image.add(bytes, at: key) }
    try image.check()
    _ = try image.contents()
    return image
  }

  private final class Engine: PersistenceEngine {
    let memory: MemoryPersistence

    init(memory: MemoryPersistence) { self.memory = memory }

    func open() { if memory.state.withLock({ $0.isMarked }) { wipe() } }

    func read(_ body: (RowKey, UnsafeRawBufferPointer) throws -> Void) throws {
      let rows = memory.state.withLock { $0.rows }
      let keys = rows.keys.sorted {
        ($0.table.rawValue, $0.key) < ($1.table.rawValue, $1.key)
      }
      for key in keys { try rows[key]?.withUnsafeBytes { try body(key, $0) } }
    }

    func row(at key: RowKey) -> [UInt8]? { memory.state.withLock { $0.rows[key] } }

    func write(_ batch: PersistenceBatch) {
      memory.state.withLock { state in
        if batch.isReplacement { state.rows = [:] }
        let removed = batch.rows.filter { $0.key.table == .log && $0.bytes == nil }
        state.logRemovals.append(removed.reduce(0) { $0 + (state.rows[$1.key]?.count ?? 0) })
        for (key, bytes) in batch.rows { state.rows[key] = bytes }
        state.writes.append(batch.byteCount)
      }
    }

    func wipe() {
      memory.state.withLock { state in
        state.rows = [:]
        state.isMarked = false
      }
    }

    func markWiped() {
      memory.state.withLock { $0.willMark }()
      memory.state.withLock { state in
        state.isMarked = true
        state.markCount += 1
      }
    }
    func replace(by batch: PersistenceBatch) -> String {
      memory.state.withLock { state in
        state.rejected = state.rows
        state.rows = [:]
      }
      write(batch)
      return "aside"
    }

    func close() {}
    var byteCount: Int { memory.state.withLock { $0.rows.values.reduce(0) { $0 + $1.count } } }
  }
}
