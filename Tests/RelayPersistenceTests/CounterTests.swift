import Foundation
import Testing

@testable import RelayPersistence
@testable import RelayStore

/// Numbers in a file from which the store goes on counting. Their checksums are right, so only
/// their size tells that they are damaged.
@Suite("Storage: counters at their limit", .timeLimit(.minutes(1)))
struct CounterTests {
  private static let item = OperationPlan(
    name: "ItemQuery", reader: SelectionPlan("ItemQuery Query{item Item{id ID! name String}}"),
    normalization: SelectionPlan("Query{item Item{__typename String! id ID! name String}}"))
  private static let data: JSONValue = ["item": ["__typename": "Item", "id": "1", "name": "a"]]
  private static let format = PersistenceFormat(cipher: nil)

  private func contents(_ row: [UInt8]?, at key: RowKey) throws -> [UInt8] {
    try #require(row).withUnsafeBytes { try Self.format.open($0, at: key).contents }
  }

  /// Returns a database with a query, an invalidation, and a record with many fields.
  private func database() async throws -> MemoryPersistence {
    let memory = MemoryPersistence()
    let first = PersistedStore(memory.persistence)
    await first.store.loaded()
    try first.receive(Self.data, of: Self.item)
    try first.environment.commitUpdate { store in
      try store.invalidateStore()
      let large = try store.create("large", type: "Large")
      for number in 0...PersistedRecord.fieldLimit { try large.setValue(1, for: "f\(number)") }
    }
    try await first.close()
    return memory
  }

  /// Opens a database and counts on: a publish, an invalidation, uses of queries, and writes.
  private func use(_ memory: MemoryPersistence) async throws -> PersistedStore {
    let stored = PersistedStore(memory.persistence)
    // These are counted before the database is read.
    try stored.receive(Self.data, of: Self.item)
    try stored.environment.commitUpdate { try $0.invalidateStore() }
    await stored.store.loaded()
    stored.check()
    try stored.receive(Self.data, of: Self.item, ["a": 1])
    try stored.environment.commitUpdate { store in
      try store.invalidateStore()
      let large = try store["large"] ?? store.create("large", type: "Large")
      for number in 0...PersistedRecord.fieldLimit { try large.setValue(2, for: "f\(number)") }
    }
    try await stored.close()
    stored.check()
    _ = try memory.image()
    return stored
  }

  @Test(
    "a header with a number too large to go on counting is damaged",
    arguments: [\PersistedHeader.batch, \.epoch, \.storeInvalidation]
      as [any WritableKeyPath<PersistedHeader, UInt64> & Sendable])
  func header(path: any WritableKeyPath<PersistedHeader, UInt64> & Sendable) async throws {
    for number in [UInt64.max, 1 << 63, ByteReader.counterLimit] {
      let memory = try await database()
      let row = memory.state.withLock { $0.rows[PersistedHeader.key] }
      var header = try PersistedHeader(contents(row, at: PersistedHeader.key))
      header[keyPath: path] = number
      let changed = try Self.format.seal(header.contents, at: PersistedHeader.key).bytes
      memory.state.withLock { $0.rows[PersistedHeader.key] = changed }
      let stored = try await use(memory)
      #expect(
        stored.events.problems
          == [.persistenceReplaced(reason: "The header of the database is damaged.")])
    }
  }

  /// Replaces each row of a table in a database by others, and updates the header to match.
  private func change(
    _ table: PersistenceTable, in memory: MemoryPersistence,
    _ change: (RowKey, [UInt8]) throws -> [RowKey: [UInt8]]
  ) throws {
    var rows = memory.state.withLock { $0.rows }
    for (key, row) in rows where key.table == table {
      rows[key] = nil
      for (newKey, changed) in try change(key, contents(row, at: key)) {
        rows[newKey] = try Self.format.seal(changed, at: newKey).bytes
      }
    }
    var header = try PersistedHeader(
      contents(rows[PersistedHeader.key], at: PersistedHeader.key))
    (header.sum, header.rowCount) = (0, UInt64(rows.count - 1))
    for (key, row) in rows where key != PersistedHeader.key {
      header.sum ^= try row.withUnsafeBytes { try Self.format.open($0, at: key).checksum }
    }
    rows[PersistedHeader.key] = try Self.format.seal(header.contents, at: PersistedHeader.key).bytes
    let changed = rows
    memory.state.withLock { $0.rows = changed }
  }

  @Test("an operation with a number or date out of range is omitted", arguments: 0..<4)
  func operations(position: Int) async throws {
    let memory = try await database()
    try change(.roots, in: memory) { key, contents in
      var root = try #require(PersistedRoot(contents))
      switch position {
      case 0: root.use = .max
      case 1: root.epoch = .max
      case 2: root.fetchedAt = Date(timeIntervalSince1970: -1e300)
      default: return [RowKey(.roots, .max): contents]
      }
      return [key: root.contents]
    }
    #expect(try memory.image().roots.isEmpty)
    let stored = try await use(memory)
    #expect(stored.events.problems.isEmpty)
  }

  @Test("a part of a record whose names have more than 32 bits is damaged")
  func parts() async throws {
    let memory = try await database()
    try change(.parts, in: memory) { key, contents in
      [key: contents, RowKey(.parts, key.key | Int64(UInt32.max)): []]
    }
    let stored = try await use(memory)
    #expect("\(stored.events.problems)".contains(#"A row of the table "parts" is damaged."#))
  }

  @Test("an outbox goes on after an entry whose numbers or date are out of range", arguments: 0..<3)
  func outbox(position: Int) async throws {
    let (cache, database) = (MemoryPersistence(), MemoryPersistence())
    do {
      let first = try OutboxApp(cache, database)
      first.outbox.suspend()
      try await first.environment.add(.set("1", to: "a"))
      try await first.environment.store.suspend()
    }
    var record = try #require(database.outboxRecords.first)
    var key = try #require(database.state.withLock { $0.rows.keys.first { $0.table == .entries } })
    database.state.withLock { $0.rows = [:] }
    switch position {
    case 0: key = RowKey(.entries, .max)
    case 1: record.acknowledgement = .max
    default: record.entry.nextAttempt = Date(timeIntervalSince1970: 1e300)
    }
    let row = try Self.format.seal(record.contents, at: key).bytes
    database.state.withLock { [key] in $0.rows[key] = row }
    let second = try OutboxApp(cache, database)
    try await second.outbox.loaded()
    #expect(second.outbox.entries.count == (position == 2 ? 1 : 0))
    // The date of a wrong clock counts as now.
    if position == 2 { try await second.server.next().succeed(todo("setText", "1", "a")) }
    try await second.environment.add(.set("2", to: "b"))
    try await second.server.next().succeed(todo("setText", "2", "b"))
    await second.until { entries in !entries.contains { $0.state == .sending } && entries.count < 2
    }
    #expect(second.text("2") == "b")
  }
}
