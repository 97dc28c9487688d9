import Foundation
import Testing

@testable import RelayPersistence
@testable import RelayStore

/// A damaged outbox is replaced by its readable entries.
@Suite("Outbox: replacement of a damaged one", .timeLimit(.minutes(1)))
struct OutboxReplacementTests {
  /// An outbox with four entries, as a killed process leaves it. The second and fourth are damaged.
  private struct Damaged {
    let directory = TemporaryDirectory()
    /// The entries that can be read.
    let ids: [OutboxEntry.ID]

    init() async throws {
      let original = TemporaryDirectory()
      let outbox = try open(original)
      outbox.suspend()
      var ids: [OutboxEntry.ID] = []
      for number in 1...3 {
        let mutation = IncrementMutation(id: "\(number)", count: number)
        let commit = try MutationCommit(
          mutation, optimisticResponse: mutation.optimisticResponse, rowLimit: .max)
        ids.append(try await outbox.add(commit, after: []).id)
      }
      self.ids = [ids[0], ids[2]]
      await outbox.close()
      let engine = SQLiteEngine(
        .outbox, directory: original.path, library: testedLibrary)
      try engine.open()
      let key = RowKey(.entries, 2)
      var batch = PersistenceBatch()
      batch.rows = [
        (key, try engine.row(at: key).map { $0.dropLast() + [0xFF] }),
        (RowKey(.entries, 4), [1, 2, 3]),
      ]
      try engine.write(batch)
      // The write is in the log next to the file.
      try FileManager.default.copyItem(at: original.url, to: directory.url)
    }
  }

  @Test("a process that ends at any moment loses no entry that can be read")
  func kills() async throws {
    let damaged = try await Damaged()
    let states = Locked<[TemporaryDirectory]>([])
    let copy: @Sendable () -> Void = {
      let copy = TemporaryDirectory()
      do { try FileManager.default.copyItem(at: damaged.directory.url, to: copy.url) } catch {
        Issue.record(error)
      }
      states.withLock { $0.append(copy) }
    }
    let disk = try TestDisk(didSucceed: { call in
      if [.write, .sync, .truncate, .delete].contains(call.kind) { copy() }
    })
    var persistence = disk.persistence(damaged.directory)
    persistence.makeOutboxEngine = {
      let engine = SQLiteEngine(
        .outbox, directory: damaged.directory.path, library: testedLibrary, vfs: disk.name)
      engine.willRename = copy
      return engine
    }
    let outbox = try open(persistence)
    try await outbox.loaded()
    #expect(outbox.entries.map(\.id) == damaged.ids)
    await outbox.close()
    copy()
    let all = states.withLock { $0 }
    #expect(all.count > 10)
    var names: Set<[String]> = []
    var begun = 0
    for state in all {
      names.insert(state.files)
      let isBegun = state.files.contains("outbox-replacement.sqlite")
      let problems = Locked<[StoreEvent]>([])
      let next = try open(state) { event in
        if event.isProblem { problems.withLock { $0.append(event) } }
      }
      try await next.loaded()
      #expect(next.entries.map(\.id) == damaged.ids, "\(state.files)")
      if isBegun {
        let path = state.path + "/outbox-damaged-1.sqlite"
        #expect(problems.withLock { $0 } == [.outboxRejected(path: path)])
        begun += 1
      }
      await next.close()
      #expect(try entryCount(of: state) == 4)
    }
    #expect(names.count > 6)
    #expect(begun > 3)
  }

  @Test("the log of a damaged outbox stays with it, whenever the exchange ends")
  func log() async throws {
    let damaged = try await Damaged().directory
    #expect(damaged.files.contains("outbox.sqlite-wal"))
    // The process ended when the replacement was complete.
    let other = TemporaryDirectory()
    let replacement = SQLiteEngine(.outbox, directory: other.path, library: testedLibrary)
    try replacement.open()
    replacement.close()
    try FileManager.default.copyItem(
      at: other.url.appending(path: "outbox.sqlite"),
      to: damaged.url.appending(path: "outbox-replacement.sqlite"))
    let states = Locked<[TemporaryDirectory]>([])
    let engine = SQLiteEngine(.outbox, directory: damaged.path, library: testedLibrary)
    engine.willRename = {
      let copy = TemporaryDirectory()
      do { try FileManager.default.copyItem(at: damaged.url, to: copy.url) } catch {
        Issue.record(error)
      }
      states.withLock { $0.append(copy) }
    }
    try engine.open()
    engine.close()
    #expect(try entryCount(of: damaged) == 4)
    for state in states.withLock({ $0 }) {
      let next = SQLiteEngine(.outbox, directory: state.path, library: testedLibrary)
      try next.open()
      var isEmpty = true
      try next.read { _, _ in isEmpty = false }
      next.close()
      #expect(isEmpty)
      #expect(try entryCount(of: state) == 4)
    }
  }

  @Test("what another process has left of a new outbox is not in the next one")
  func incomplete() async throws {
    let damaged = try await Damaged()
    let other = TemporaryDirectory()
    let left = SQLiteEngine(.outbox, directory: other.path, library: testedLibrary)
    try left.open()
    var batch = PersistenceBatch()
    batch.rows = [(RowKey(.entries, 7), [1, 2, 3])]
    try left.write(batch)
    left.close()
    try FileManager.default.copyItem(
      at: other.url.appending(path: "outbox.sqlite"),
      to: damaged.directory.url.appending(path: "outbox-incomplete.sqlite"))
    let outbox = try open(damaged.directory)
    try await outbox.loaded()
    await outbox.close()
    let engine = SQLiteEngine(
      .outbox, directory: damaged.directory.path, library: testedLibrary)
    try engine.open()
    var keys: [Int64] = []
    try engine.read { key, _ in keys.append(key.key) }
    #expect(keys == [1, 3])
  }

  /// The number of entries in the damaged outbox after the replacement.
  private func entryCount(of directory: TemporaryDirectory) throws -> Int64 {
    let name = try #require(directory.files.first { $0.hasPrefix("outbox-damaged-") })
    let connection = try SQLiteConnection(
      directory.path + "/" + name, SQLiteLibrary(path: testedLibrary))
    var count: Int64 = 0
    try connection.run("SELECT count(*) FROM entries") { row in
      count = row.int(0)
    }
    return count
  }

  @Test("a disk that is full leaves the damaged outbox as it was")
  func fullDisk() async throws {
    let damaged = try await Damaged()
    let disk = try TestDisk(fault: { $0.kind == .write ? .status(13) : nil })
    let outbox = try open(disk.persistence(damaged.directory))
    await #expect(throws: RelayError.self) { try await outbox.loaded() }
    await outbox.close()
    let next = try open(damaged.directory)
    try await next.loaded()
    #expect(next.entries.map(\.id) == damaged.ids)
  }
}

private func open(
  _ directory: TemporaryDirectory, log: (@Sendable (StoreEvent) -> Void)? = nil
) throws -> Outbox {
  try open(.sqlite(directory: directory.path, library: testedLibrary), log: log)
}

/// Opens an outbox, as a new process would, over a storage with an unused cache.
private func open(
  _ persistence: Persistence, log: (@Sendable (StoreEvent) -> Void)? = nil
) throws -> Outbox {
  var persistence = persistence
  persistence.makeEngine = MemoryPersistence().engine
  let environment = RelayEnvironment(
    store: RecordStore(
      configuration: .init(garbageCollection: .manual, persistence: persistence, log: log)),
    transport: NoTransport(), outbox: OutboxOptions(serverHonorsIdempotencyKeys: true))
  let outbox = try #require(environment.outbox)
  outbox.suspend()
  return outbox
}

extension Outbox {
  /// Closes the file, as the end of the process would.
  fileprivate func close() async {
    await wait()
    closeFile()
  }
}
