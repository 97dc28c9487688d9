import Foundation
import RelayPersistence
import RelayStore
import Testing

@Suite("Storage: wiping", .timeLimit(.minutes(1)))
struct WipeTests {
  private func write(_ name: String, to stored: PersistedStore) throws {
    try stored.environment.commitUpdate { store in
      let user = try store["1"] ?? store.create("1", type: "User")
      try user.setValue(.string(name), for: "name")
    }
  }

  @Test("wiping removes every file, and the observers see it")
  func wipe() async throws {
    let directory = TemporaryDirectory()
    let stored = PersistedStore(directory)
    await stored.store.loaded()
    let plan = SelectionPlan("User{name String}")
    let changes = stored.store.subscribe(.record("1", plan, in: .empty))
    try write("a secret name", to: stored)
    try await stored.store.flush()
    #expect(directory.bytes.range(of: Data("a secret name".utf8)) != nil)
    try await stored.environment.wipe()
    #expect(directory.files == [])
    #expect(await changes.next(isolation: nil)?.row == nil)
    #expect(!stored.store.dump(.base).contains("secret"))
    // No file is written until there is data.
    try await stored.store.flush()
    #expect(directory.files == [])
    try write("another", to: stored)
    try await stored.close()
    #expect(directory.bytes.range(of: Data("a secret name".utf8)) == nil)
    let second = PersistedStore(directory)
    await second.store.loaded()
    #expect(second.store.dump(.base).contains("another"))
  }

  @Test("wiping removes the log that a killed process has left")
  func log() throws {
    let original = TemporaryDirectory()
    let engine = original.engine()
    try engine.open()
    var batch = PersistenceBatch()
    batch.rows = [(RowKey(.log, 1), Array("a secret".utf8))]
    try engine.write(batch)
    let directory = TemporaryDirectory()
    try FileManager.default.copyItem(at: original.url, to: directory.url)
    #expect(directory.files.contains("cache.sqlite-wal"))
    try directory.engine().wipe()
    #expect(directory.files == [])
  }

  @Test("a mark stays until everything that it marks is removed")
  func markIsLast() throws {
    let directory = TemporaryDirectory()
    let engine = directory.engine()
    try engine.open()
    engine.close()
    try engine.markWiped()
    // A directory where a file should be cannot be removed.
    let path = directory.path + "/cache.sqlite-journal"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(throws: PersistenceFailure.self) { try engine.wipe() }
    #expect(directory.files == ["cache.sqlite-journal", "cache.wiped"])
    try FileManager.default.removeItem(atPath: path)
    try engine.open()
    engine.close()
    #expect(directory.files == ["cache.sqlite"])
  }

  @Test("a reset marks what is stored before it returns", arguments: [true, false])
  func resetMarks(isOutbox: Bool) async throws {
    let (cache, outbox) = (MemoryPersistence(), MemoryPersistence())
    var persistence = cache.persistence
    persistence.makeOutboxEngine = outbox.engine
    let environment = RelayEnvironment(
      store: RecordStore(
        configuration: .init(garbageCollection: .manual, persistence: persistence)),
      transport: NoTransport(), outbox: OutboxOptions(serverHonorsIdempotencyKeys: true))
    await environment.store.loaded()
    try await environment.outbox?.loaded()
    environment.reset()
    await environment.outbox?.untilIdle()
    try await environment.store.flush()
    #expect((isOutbox ? outbox : cache).state.withLock { $0.markCount } == 1)
  }

  @Test("wiping removes what was set aside, too")
  func reject() async throws {
    let directory = TemporaryDirectory()
    let engine = try directory.outboxEngine(library: nil)
    try engine.open()
    var batch = PersistenceBatch()
    batch.rows = [(RowKey(.entries, 1), Array("a secret".utf8))]
    try engine.write(batch)
    #expect(try FileManager.default.fileExists(atPath: engine.replace(by: PersistenceBatch())))
    #expect(directory.contains("a secret"))
    // The files of an unfinished replacement.
    for name in ["outbox-incomplete.sqlite-journal", "outbox-replacement.sqlite"] {
      try Data("a secret".utf8).write(to: directory.url.appending(path: name))
    }
    try engine.wipe()
    #expect(directory.files == [])
  }

  @Test(
    "an environment without an outbox removes the one of an earlier run", arguments: [true, false])
  func leftOutbox(isAwaited: Bool) async throws {
    let directory = TemporaryDirectory()
    let left = try directory.outboxEngine()
    try left.open()
    var batch = PersistenceBatch()
    batch.rows = [(RowKey(.entries, 1), Array("a secret".utf8))]
    try left.write(batch)
    left.close()
    let stored = PersistedStore(directory)
    await stored.store.loaded()
    if isAwaited {
      try await stored.environment.wipe()
      #expect(directory.files == [])
    } else {
      stored.environment.reset()
      #expect(directory.files.contains("outbox.wiped"))
      try left.open()
      #expect(try left.row(at: RowKey(.entries, 1)) == nil)
    }
    #expect(!directory.contains("a secret"))
  }

  @Test("a reset is durable when it returns, whenever the process ends after it")
  func resetIsMarked() async throws {
    let directory = TemporaryDirectory()
    let stored = PersistedStore(directory)
    try write("a secret name", to: stored)
    try await stored.close()
    let kept = TemporaryDirectory()
    try FileManager.default.copyItem(at: directory.url, to: kept.url)

    // A process that is killed right after it resets the store leaves the mark next to the files.
    let engine = kept.engine()
    try engine.markWiped()
    #expect(kept.files.contains("cache.sqlite"))
    let second = PersistedStore(kept)
    await second.store.loaded()
    #expect(second.store.statistics.records == 1)
    #expect(!second.store.dump(.base).contains("secret"))
    #expect(kept.bytes.range(of: Data("a secret name".utf8)) == nil)
    #expect(!kept.files.contains("cache.wiped"))

    let third = PersistedStore(directory)
    await third.store.loaded()
    #expect(third.store.dump(.base).contains("secret"))
    third.environment.reset()
    try await third.store.flush()
    #expect(directory.files == [])
  }

  @Test("what is stored is marked before the store is emptied, so that no load adds it after that")
  func markIsFirst() async throws {
    let memory = MemoryPersistence()
    let stored = PersistedStore(memory.persistence)
    await stored.store.loaded()
    try write("a secret name", to: stored)
    let dump = Locked("")
    memory.state.withLock { state in
      state.willMark = { [store = stored.store] in
        dump.withLock { $0 = store.dump(.base) }
      }
    }
    stored.environment.reset()
    #expect(dump.withLock { $0 }.contains("secret"))
    #expect(!stored.store.dump(.base).contains("secret"))
  }

  @Test("a reset while the store is loaded leaves nothing of what was stored")
  func resetWhileLoading() async throws {
    let memory = MemoryPersistence()
    let first = PersistedStore(memory.persistence)
    try write("a secret name", to: first)
    try await first.close()
    for _ in 0..<20 {
      let stored = PersistedStore(memory.persistence)
      stored.environment.reset()
      try write("new", to: stored)
      await stored.store.loaded()
      try await stored.close()
      #expect(!stored.store.dump(.base).contains("secret"))
      #expect(stored.store.dump(.base).contains("new"))
      #expect(stored.events.problems.isEmpty)
      let next = PersistedStore(memory.persistence)
      await next.store.loaded()
      #expect(next.differences(from: stored.store.dump(.base)) == [])
      try write("a secret name", to: next)
      try await next.close()
    }
  }

  @Test("no user's data is read for another one, or is left in the other's files")
  func users() async throws {
    let directory = TemporaryDirectory()
    func open(_ user: String) async -> PersistedStore {
      let stored = PersistedStore(.sqlite(directory: directory.url, user: user))
      await stored.store.loaded()
      return stored
    }
    for user in ["ann", "bob", "../ann"] {
      let stored = await open(user)
      #expect(stored.store.statistics.records == 1)
      try write("the secret of \(user)", to: stored)
      try await stored.close()
    }
    #expect(directory.files.count == 3)
    #expect(!directory.files.contains { $0.contains("ann") || $0.contains("bob") })
    let ann = await open("ann")
    #expect(ann.store.dump(.base).contains("the secret of ann"))
    try await ann.environment.wipe()
    #expect(directory.files.count == 2)
    let bob = await open("bob")
    #expect(bob.store.dump(.base).contains("the secret of bob"))
  }

  @Test("a second store over the same files gets an error, and goes on without them")
  func openedTwice() async throws {
    let directory = TemporaryDirectory()
    let first = PersistedStore(directory)
    try write("x", to: first)
    try await first.store.flush()
    let second = PersistedStore(directory)
    await second.store.loaded()
    #expect(
      second.events.problems.map(\.description).joined().contains("in use by another process"))
    try write("y", to: second)
    await #expect(throws: RelayError.self) { try await second.store.flush() }
    try write("z", to: first)
    try await first.close()
    let third = PersistedStore(directory)
    await third.store.loaded()
    #expect(third.store.dump(.base).contains("\"z\""))
  }

  @Test("wiping does not remove files that another store has open, until they are opened next")
  func wipedByOther() async throws {
    let directory = TemporaryDirectory()
    let first = PersistedStore(directory)
    try write("x", to: first)
    try await first.store.flush()
    let second = PersistedStore(directory)
    await second.store.loaded()
    await #expect(throws: RelayError.self) { try await second.environment.wipe() }
    #expect(directory.files.contains("cache.sqlite"))
    try write("y", to: first)
    try await first.close()
    #expect(directory.bytes.range(of: Data("y".utf8)) != nil)
    let third = PersistedStore(directory)
    await third.store.loaded()
    #expect(third.store.dump(.base).contains("\"y\"") == false)
    #expect(third.events.list.contains(.loaded(records: 0)))
  }

  @Test("only the user can read the files")
  func permissions() async throws {
    let directory = TemporaryDirectory()
    let stored = PersistedStore(directory)
    try write("x", to: stored)
    try await stored.store.flush()
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try mode(directory.path) == 0o700)
    #expect(directory.files.count > 1)
    for file in directory.files { #expect(try mode(directory.path + "/" + file) == 0o600) }
  }
}

extension TemporaryDirectory {
  /// The engine of a store's database in the directory.
  fileprivate func engine() -> any PersistenceEngine {
    Persistence.sqlite(directory: path, library: testedLibrary).makeEngine()
  }

  /// The engine of an outbox's database in the directory.
  fileprivate func outboxEngine(
    library: String? = testedLibrary
  ) throws -> any PersistenceEngine {
    let persistence = Persistence.sqlite(directory: path, library: library)
    let makeEngine = try #require(persistence.makeOutboxEngine)
    return makeEngine()
  }
}
