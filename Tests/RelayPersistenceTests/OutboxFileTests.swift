import Foundation
import RelayStoreTesting
import Testing

@testable import RelayPersistence
@testable import RelayStore

/// The file of an outbox: when it is created, closed and removed.
@Suite("Outbox: its file", .timeLimit(.minutes(1)))
struct OutboxFileTests {
  private func environment(_ directory: TemporaryDirectory) throws -> RelayEnvironment {
    let persistence = Persistence.sqlite(directory: directory.path, library: testedLibrary)
    return RelayEnvironment(
      store: RecordStore(
        configuration: .init(garbageCollection: .manual, persistence: persistence)),
      transport: NoTransport(), outbox: OutboxOptions(serverHonorsIdempotencyKeys: true))
  }

  @Test("a wipe that is the first call of a run leaves no file", arguments: 0..<12)
  func wipeFirst(round: Int) async throws {
    let directory = TemporaryDirectory()
    do {
      let environment = try environment(directory)
      environment.outbox?.suspend()
      try environment.commit(number: 1)
      for _ in 0..<round % 3 {
        try await environment.add(.increment("counter", to: 1))
      }
      try await environment.store.suspend()
    }
    let environment = try environment(directory)
    if round % 2 == 0 { await environment.store.loaded() }
    try await environment.wipe()
    #expect(directory.files == [])
    await environment.store.loaded()
    try await environment.outbox?.loaded()
    await environment.outbox?.untilIdle()
    #expect(directory.files == [])
  }

  @Test("the beginning of an entry's row is damage in every version", arguments: [UInt8](1...3))
  func beginning(version: UInt8) throws {
    let mutation = IncrementMutation(id: "1", count: 1)
    let commit = try MutationCommit(
      mutation, optimisticResponse: mutation.optimisticResponse, rowLimit: .max)
    let record = OutboxRecord(commit, .init(), date: .now, after: [])
    let row = [version] + record.contents.dropFirst()
    // Later versions add members at the end, so one beginning is a row of the earlier version.
    #expect((0...row.count).count { OutboxRecord(Array(row.prefix($0))) != nil } == 1)
  }

  @Test("a wipe while the outbox is read leaves no ids of its entries")
  func wipeWhileReading() async throws {
    let database = MemoryPersistence()
    let mutation = IncrementMutation(id: "secret", count: 1)
    let commit = try MutationCommit(
      mutation, optimisticResponse: mutation.optimisticResponse, rowLimit: .max)
    let record = OutboxRecord(commit, .init(), date: .now, after: [])
    let key = RowKey(.entries, 1)
    let row = try PersistenceFormat(cipher: nil).seal(record.contents, at: key).bytes
    database.state.withLock { $0.rows[key] = row }
    let (directory, gated) = (TemporaryDirectory(), GatedPersistence(database))
    var persistence = Persistence.sqlite(directory: directory.path, library: testedLibrary)
    persistence.makeOutboxEngine = gated.persistence.makeEngine
    let environment = RelayEnvironment(
      store: RecordStore(
        configuration: .init(garbageCollection: .manual, persistence: persistence)),
      transport: NoTransport(), outbox: OutboxOptions(serverHonorsIdempotencyKeys: true))
    await environment.store.loaded()
    try await eventually(true) { gated.isReading }
    environment.reset()
    // The outbox applies the update of the entry, then reverts it.
    gated.open()
    await environment.outbox?.untilIdle()
    try await environment.store.wipe()
    try await environment.store.flush()
    #expect(directory.files == [])
    #expect(!environment.store.dump(.base).contains("secret"))
  }

  @Test("a suspended store has closed the file, which the next commit or resume opens again")
  func suspension() async throws {
    let directory = TemporaryDirectory()
    let environment = try environment(directory)
    let outbox = try #require(environment.outbox)
    outbox.suspend()
    await environment.store.loaded()
    try await environment.add(.increment("counter", to: 1))
    #expect(!isClosed(directory))
    try await environment.store.suspend()
    #expect(isClosed(directory))
    try await environment.add(.increment("counter", to: 2))
    #expect(!isClosed(directory))
    try await environment.store.suspend()
    #expect(isClosed(directory))
    try await environment.store.resume()
    outbox.resume()
    // The first attempt; it is persisted.
    for await entries in outbox.observe() where entries.first?.attempts ?? 0 > 0 { break }
    #expect(!isClosed(directory))
  }

  /// Whether no connection holds the lock of the outbox's file.
  private func isClosed(_ directory: TemporaryDirectory) -> Bool {
    let connection = try? SQLiteConnection(
      directory.path + "/outbox.sqlite", SQLiteLibrary(path: testedLibrary))
    do {
      try connection?.execute("SELECT count(*) FROM entries")
      return connection != nil
    } catch { return false }
  }

  @Test("a file is made while another thread removes its directory whenever it is empty")
  func emptyDirectory() throws {
    let directory = TemporaryDirectory()
    // The number of remaining removals, or `nil` at the end.
    let removals = Locked<Int?>(0)
    Thread.detachNewThread { [path = directory.path] in
      while let left = removals.withLock({ $0 }) {
        if left > 0, rmdir(path) == 0 { removals.withLock { $0 = $0.map { $0 - 1 } } }
      }
    }
    defer { removals.withLock { $0 = nil } }
    let files = FileSystem()
    for _ in 0..<200 {
      removals.withLock { $0 = 3 }
      try files.makeFile("file", in: directory.path)
      #expect(FileSystem.exists(directory.path + "/file"))
      try files.remove(directory.path + "/file")
    }
  }
}
