import RelayStoreTesting
import Testing

@testable import RelayPersistence
@testable import RelayStore

/// The states of a journal, and the changes in each state.
@Suite("Storage: the journal", .timeLimit(.minutes(1)))
struct JournalTests {
  @Test("a change is stored without a flush, and so is the next one")
  func scheduled() async throws {
    let memory = MemoryPersistence()
    let stored = PersistedStore(memory.persistence)
    await stored.store.loaded()
    for number in 1...3 {
      let count = memory.state.withLock { $0.writes.count }
      try stored.environment.commit(number: number)
      try await eventually {
        memory.state.withLock { $0.writes.count }
      } is: {
        $0 != count
      }
    }
  }

  @Test("what was written between a reset and its wipe is stored after it")
  func writtenBeforeWipe() async throws {
    let memory = MemoryPersistence()
    let stored = PersistedStore(memory.persistence)
    await stored.store.loaded()
    stored.environment.reset()
    try stored.environment.commit(number: 7)
    try await stored.store.flush()
    try await stored.store.wipe()
    try await stored.close()
    let next = PersistedStore(memory.persistence)
    await next.store.loaded()
    #expect(try next.environment.committedNumber() == 7)
  }

  @Test("a resume that fails ends the flushes that wait for it")
  func failedResume() async throws {
    let faults = FaultyPersistence(
      failingAt: .max, with: PersistenceFailure(.io, "The disk has an error."),
      MemoryPersistence().engine)
    let stored = PersistedStore(faults.persistence)
    await stored.store.loaded()
    try await stored.store.suspend()
    try stored.environment.commit(number: 1)
    let flush = Task { try await stored.store.flushWhenResumed() }
    let journal = try #require(stored.store.journal as? Journal)
    try await eventually(1) { journal.state.withLock { $0.resumeWaiters.count } }
    faults.failFromNow()
    await #expect(throws: RelayError.self) { try await stored.store.resume() }
    await #expect(throws: RelayError.self) { try await flush.value }
  }

  @Test("a file that another process has written while the store was suspended is written anew")
  func otherProcess() async throws {
    let directory = TemporaryDirectory()
    let stored = PersistedStore(directory)
    await stored.store.loaded()
    try stored.environment.commit(number: 1)
    try await stored.store.suspend()
    do {
      let other = PersistedStore(directory)
      await other.store.loaded()
      try other.environment.commitUpdate { _ = try $0.create("other", type: "Item") }
      try await other.close()
    }
    try await stored.store.resume()
    try stored.environment.commit(number: 2)
    try await stored.close()
    let next = PersistedStore(directory)
    await next.store.loaded()
    #expect(next.events.problems.isEmpty)
    #expect(next.differences(from: stored.store.dump(.base)) == [])
  }

  @Test("the space of removed rows is returned to the file system")
  func vacuum() throws {
    let directory = TemporaryDirectory()
    let engine = SQLiteEngine(directory: directory.path, library: testedLibrary)
    try engine.open()
    var batch = PersistenceBatch()
    batch.rows = (0..<400).map { (RowKey(.pages, $0), [UInt8](repeating: 7, count: 16_000)) }
    try engine.write(batch)
    engine.close()
    let size = engine.byteCount
    try engine.open()
    batch.rows = batch.rows.map { ($0.key, nil) }
    try engine.write(batch)
    batch.rows = []
    for _ in 0..<20 { try engine.write(batch) }
    engine.close()
    #expect(size > 6_000_000)
    #expect(engine.byteCount < size / 2)
  }

  @Test("a replacement removes the rows of every table")
  func replacement() throws {
    let directory = TemporaryDirectory()
    let engine = SQLiteEngine(directory: directory.path, library: testedLibrary)
    try engine.open()
    var batch = PersistenceBatch()
    let tables = PersistenceTable.allCases.filter { $0 != .entries && $0 != .aliases }
    batch.rows = tables.map { (RowKey($0, 5), [1]) }
    try engine.write(batch)
    batch.isReplacement = true
    batch.rows = [(RowKey(.pages, 9), [2])]
    try engine.write(batch)
    var keys: [RowKey] = []
    try engine.read { key, _ in keys.append(key) }
    #expect(keys == [RowKey(.pages, 9)])
  }
}
