import Foundation
import RelayStore
import RelayStoreTesting
import Testing

@testable import RelayPersistence

/// Files that a backup, a full disk or a person has put where the outbox or the cache should be.
@Suite("Outbox: files that are not its own", .timeLimit(.minutes(1)))
struct MisplacedFileTests {
  private let directory = TemporaryDirectory()

  private struct App {
    let environment: RelayEnvironment
    let outbox: Outbox
    let server = ScriptedServer()
    let events = PersistedStore.Events()

    init(_ directory: String) throws {
      let events = events
      let store = RecordStore(
        configuration: .init(
          persistence: .sqlite(directory: directory, library: nil), log: { events.append($0) }))
      environment = RelayEnvironment(
        store: store, transport: server,
        outbox: OutboxOptions(serverHonorsIdempotencyKeys: true))
      outbox = try #require(environment.outbox)
    }

    var rejected: [String] {
      events.list.compactMap { if case .outboxRejected(let path) = $0 { path } else { nil } }
    }
    var replaced: [String] {
      events.list.compactMap { if case .persistenceReplaced(let why) = $0 { why } else { nil } }
    }
  }

  private func path(_ name: String) -> String { directory.path + "/" + name }

  /// Runs an app that leaves an entry in its outbox.
  private func leaveEntry() async throws {
    let app = try App(directory.path)
    try await app.environment.add(.set("1", to: "a"))
    try await app.environment.store.flush()
    app.outbox.suspend()
    await app.outbox.wait()
    app.outbox.closeFile()
    try await app.environment.store.suspend()
  }

  @Test("a new outbox is no lost one")
  func new() async throws {
    for _ in 0..<2 {
      let app = try App(directory.path)
      try await app.outbox.loaded()
      #expect(app.rejected.isEmpty && app.replaced.isEmpty)
      try await app.environment.store.suspend()
    }
  }

  @Test("an outbox of zero bytes is told from a new one")
  func empty() async throws {
    try await leaveEntry()
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path("outbox.sqlite" + suffix))
    }
    try Data().write(to: URL(filePath: path("outbox.sqlite")))
    let app = try App(directory.path)
    try await app.outbox.loaded()
    #expect(app.outbox.entries.isEmpty && app.rejected == [path("outbox-damaged-1.sqlite")])
    try await app.environment.add(.set("2", to: "b"))
    #expect(app.outbox.entries.count == 1)
  }

  @Test("an outbox and a cache that have changed places are both told")
  func exchanged() async throws {
    try await leaveEntry()
    let files = FileManager.default
    for suffix in ["", "-wal", "-shm"] where files.fileExists(atPath: path("cache.sqlite" + suffix))
    {
      try files.moveItem(atPath: path("cache.sqlite" + suffix), toPath: path("x" + suffix))
    }
    for suffix in ["", "-wal", "-shm"]
    where files.fileExists(atPath: path("outbox.sqlite" + suffix)) {
      try files.moveItem(
        atPath: path("outbox.sqlite" + suffix), toPath: path("cache.sqlite" + suffix))
    }
    for suffix in ["", "-wal", "-shm"] where files.fileExists(atPath: path("x" + suffix)) {
      try files.moveItem(atPath: path("x" + suffix), toPath: path("outbox.sqlite" + suffix))
    }
    let app = try App(directory.path)
    try await app.outbox.loaded()
    await app.environment.store.loaded()
    #expect(app.rejected == [path("outbox-damaged-1.sqlite")])
    let misplaced = path("outbox-misplaced.sqlite")
    #expect(app.replaced.count == 1 && app.replaced.first?.contains(misplaced) == true)
    // The entry can be had back.
    let engine = SQLiteEngine(.outbox, directory: directory.path)
    #expect(FileSystem.size(misplaced) > 0)
    try await app.environment.wipe()
    #expect(!FileSystem.exists(misplaced) && !FileSystem.exists(engine.path))
  }
}
