import Testing

@testable import RelayPersistence
@testable import RelayStore

@Suite("SQLite writer: failures", .timeLimit(.minutes(1)))
struct SQLiteWriterFailureTests {
  private let directory = TemporaryDirectory()
  private let database: AppDatabase
  private let memory = MemoryPersistence()

  init() throws { database = try AppDatabase(directory) }

  @Test("a change that arrives while an older one fails to be written is not lost")
  func newerChange() async throws {
    try database.createLoggedItems()
    let stored = PersistedStore(memory.persistence)
    let isFirst = Locked(true, rank: .leaf)
    let table = SQLiteTable("items", of: ItemFragment.self) {
      SQLiteColumn("number") { item in
        // The row is being written.
        let isFirst = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if isFirst { try? stored.environment.writeItem("a", ["number": 2]) }
        return item.number.map { .integer(Int64($0)) } ?? .null
      }
    }
    let writer = SQLiteWriter(path: database.path, table)
    let mirror = stored.environment.mirror(ItemFragment.self, into: writer)
    await stored.store.loaded()
    try await writer.settled()
    try database.setFailing(true)
    try stored.environment.writeItem("a", ["number": 1])
    try? await writer.flush()
    try? await writer.flush()
    try database.setFailing(false)
    try await writer.flush()
    #expect(try database.drainLog() == ["a=2"])
    mirror.cancel()
  }

  @Test("a table that was dropped is created again after the error")
  func droppedTable() async throws {
    let stored = PersistedStore(memory.persistence)
    let table = SQLiteTable("items", of: ItemFragment.self) { SQLiteColumn("number", \.number) }
    let writer = SQLiteWriter(path: database.path, table)
    let mirror = stored.environment.mirror(ItemFragment.self, into: writer)
    await stored.store.loaded()
    try await writer.settled()
    try stored.environment.writeItem("a", ["number": 1])
    try await writer.flush()
    try database.execute("DROP TABLE items")
    try stored.environment.writeItem("b", ["number": 2])
    try? await writer.flush()
    try await writer.flush()
    #expect(try database.rows("SELECT id, number FROM items", columns: 2) == [["b", "2"]])
    mirror.cancel()
  }

  @Test("a deletion that could not be written is made before a new mirror reads the stamps")
  func pendingDeletion() async throws {
    try database.createLoggedItems()
    let (stored, writer) = (PersistedStore(memory.persistence), database.writer())
    let mirror = stored.environment.mirror(ItemFragment.self, into: writer)
    await stored.store.loaded()
    try await writer.settled()
    try stored.environment.writeItem("a", ["number": 1])
    try await writer.flush()
    try database.setFailing(true)
    try stored.environment.deleteItem("a")
    await #expect(throws: RelayError.self) { try await writer.flush() }
    mirror.cancel()
    // The store no longer knows about the deletion.
    stored.store.collectGarbage()
    try database.setFailing(false)
    let stamps = await withCheckedContinuation { continuation in
      writer.readStamps { continuation.resume(returning: $0) }
    }
    #expect(stamps.isEmpty)
    #expect(try database.drainLog() == ["a=1", "a=deleted"])
  }

  @Test("a number with more digits than a Double has is text")
  func digits() {
    let digits = ["0.1234567890123456", "0.12345678901234567890", "123456789012345678901234567890"]
    let values = digits.map { SQLiteValue(JSONValue.number(JSONNumber(digits: $0))) }
    #expect(values == [.real(0.1234567890123456), .text(digits[1]), .text(digits[2])])
  }
}
