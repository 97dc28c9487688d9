import Foundation
import RelayStoreTesting
import SeededRandom
import Testing

@testable import RelayPersistence
@_spi(GeneratedCode) @testable import RelayStore

/// A query with private elements, a connection, an abstract type, errors and big numbers.
private struct AccountQuery: GraphQLQuery {
  static let __operation = OperationPlan(
    name: "AccountQuery",
    reader: SelectionPlan(
      "AccountQuery Query{me User{id ID! name String big Float things [*Thing{__typename String! ...on *Node{__isNode:__typename String! title String}}] notes NoteConnection{edges [NoteEdge{cursor String node Note{id ID! text String}}]}%connection(key:\"Account_notes\")}}"
    ),
    normalization: SelectionPlan(
      """
      -Session,User.email,User.profile \
      Query{me User{__typename String! id ID! name String big Float email String \
      profile Profile{bio String} session Session{__typename String! id ID! token String} \
      things [*Thing{__typename String! id ID! ...on *Node{__isNode:__typename String! title String}}] \
      notes NoteConnection{edges [NoteEdge{cursor String node Note{__typename String! id ID! text String}}]}%connection(key:"Account_notes")}}
      """))
  struct Data: GraphQLView {
    static let __plan = AccountQuery.__operation.reader
    let __row: Row
    init(__row: Row) { self.__row = __row }
  }
}

private let accountData: JSONValue = [
  "me": [
    "__typename": "User", "id": "1", "name": "Ada", "email": "secret email", "big": 1,
    "profile": ["bio": "secret bio"],
    "session": ["__typename": "Session", "id": "secret session", "token": "secret token"],
    "things": [["__typename": "Item", "__isNode": "Item", "id": "i1", "title": "one"]],
    "notes": [
      "edges": [["cursor": "c", "node": ["__typename": "Note", "id": "n1", "text": "note"]]]
    ],
  ]
]

/// `make soak-storage` runs many more cases, so the suite has 20 minutes.
@Suite("Snapshot files", .timeLimit(.minutes(20)))
struct SnapshotFileTests {
  private let container = SharedContainer()

  @Test("a reader has what the exported queries select, and nothing else of the store")
  func selection() async throws {
    let app = makeApp()
    try app.receive([("1", "milk"), ("2", "bread")])
    try app.receive([("3", "hidden list")], tag: "b")
    try app.commitUpdate { try $0[DataID("1")]?.setValue(.string("hidden note"), for: "note") }
    try await app.exportSnapshot(of: [TodosQuery("a")], to: container.snapshot)

    let reader = try container.reader()
    #expect(reader.texts() == ["milk", "bread"])
    #expect(reader.texts("b") == nil)
    #expect(!reader.read(TodosQuery("b")).missing.isEmpty)
    #expect(reader.store.violatedInvariant == nil)
    #expect(try !container.snapshotContains("hidden"))
    #expect(try container.snapshotContains("bread"))
  }

  @Test("connections and abstract types are read as in the app; private elements are not there")
  func account() async throws {
    let app = makeApp()
    try app.commitPayload(AccountQuery(), data: accountData)
    try await app.exportSnapshot(of: [AccountQuery()], to: container.snapshot)
    let reader = try container.reader()
    #expect(reader.read(AccountQuery()).missing.isEmpty)
    #expect(
      reader.read(AccountQuery()).data?.__row.box.json
        == app.read(AccountQuery()).data?.__row.box.json)
    #expect(reader.read(AccountQuery()).data != nil)
    #expect(try container.snapshotContains("one"))
    // The names of private fields are in the plan, but their values are nowhere.
    #expect(try !container.snapshotContains("secret"))
  }

  @Test("optimistic updates are exported as the app shows them, or left out")
  func layers() async throws {
    let app = makeApp()
    try app.receive([("1", "milk")])
    let update = try app.applyUpdate {
      try $0[DataID("1")]?.setValue(.string("oat milk"), for: "text")
    }
    try await app.exportSnapshot(of: [TodosQuery("a")], to: container.snapshot)
    #expect(try container.reader().texts() == ["oat milk"])
    try await app.exportSnapshot(of: [TodosQuery("a")], to: container.snapshot, layer: .base)
    #expect(try container.reader().texts() == ["milk"])
    update.revert()
  }

  @Test("a reader knows the date of the response, and whether the data is stale")
  func availability() async throws {
    let app = makeApp()
    let retention = app.retain(TodosQuery("a"))
    try app.receive([("1", "milk")])
    try await app.exportSnapshot(of: [TodosQuery("a")], to: container.snapshot)
    let reader = try container.reader()
    guard case .available(fetchedAt: let date?) = reader.check(TodosQuery("a")),
      case .available(fetchedAt: let original?) = app.check(TodosQuery("a"))
    else {
      Issue.record("\(reader.check(TodosQuery("a"))), \(app.check(TodosQuery("a")))")
      return
    }
    #expect(abs(date.timeIntervalSince(original)) < 0.01)
    reader.store.collectGarbage()
    #expect(reader.texts() == ["milk"])

    try app.commitUpdate { try $0.invalidateStore() }
    try await app.exportSnapshot(of: [TodosQuery("a")], to: container.snapshot)
    #expect(try reader.reloadSnapshot())
    #expect(reader.check(TodosQuery("a")) == .stale)
    retention.release()
  }

  @Test("a new file is one change for observers, and none for those whose data is the same")
  func reload() async throws {
    let app = makeApp()
    try app.receive([("1", "milk"), ("2", "bread")])
    try app.receive([("9", "same")], tag: "b")
    let queries: [any GraphQLQuery] = [TodosQuery("a"), TodosQuery("b")]
    try await app.exportSnapshot(of: queries, to: container.snapshot)
    let reader = try container.reader()
    let seen = Locked<[[String?]]>([])
    let others = Locked(0)
    let observations = [
      reader.observeTexts("a") { texts in seen.withLock { $0.append(texts) } },
      reader.observeTexts("b") { _ in others.withLock { $0 += 1 } },
    ]
    #expect(try !reader.reloadSnapshot())
    try app.receive([("2", "rye bread"), ("3", "eggs")])
    try await app.exportSnapshot(of: queries, to: container.snapshot)
    #expect(try reader.reloadSnapshot())
    #expect(seen.withLock { $0 } == [["rye bread", "eggs"]])
    #expect(others.withLock { $0 } == 0)
    #expect(reader.store.violatedInvariant == nil)
    for observation in observations { observation.cancel() }
  }

  @Test("what was removed from the snapshot is missing after it was loaded again")
  func removal() async throws {
    let app = makeApp()
    try app.receive([("1", "milk")])
    try await app.exportSnapshot(of: [TodosQuery("a")], to: container.snapshot)
    let reader = try container.reader()
    app.reset()
    try await app.exportSnapshot(of: [TodosQuery("a")], to: container.snapshot)
    #expect(try reader.reloadSnapshot())
    #expect(reader.texts() == nil)
    #expect(!reader.store.dump(.base).contains("milk"))
    #expect(reader.store.violatedInvariant == nil)
  }

  @Test("a reader without a transport sends nothing; another environment does not reload")
  func noTransport() async throws {
    let app = makeApp()
    try await app.exportSnapshot(of: [TodosQuery("a")], to: container.snapshot)
    let reader = try container.reader()
    #expect(reader.texts() == nil)
    let error = await #expect(throws: RelayError.self) { try await reader.fetch(TodosQuery("a")) }
    #expect(error?.code == .transport)
    #expect(throws: RelayError.self) { try app.reloadSnapshot() }
  }

  @Test("an encrypted store exports encrypted files, which another key does not read")
  func cipher() async throws {
    struct Key: PersistenceCipher {
      let byte: UInt8
      func seal(_ bytes: [UInt8]) -> [UInt8] { [byte] + bytes.map { $0 ^ byte } }
      func open(_ bytes: [UInt8]) throws -> [UInt8] {
        guard bytes.first == byte else { throw CancellationError() }
        return bytes.dropFirst().map { $0 ^ byte }
      }
    }
    var persistence = MemoryPersistence().persistence
    persistence.cipher = Key(byte: 7)
    let app = RelayEnvironment(
      store: RecordStore(configuration: .init(persistence: persistence)),
      transport: ForbiddenTransport())
    await app.store.loaded()
    try app.receive([("1", "milk")])
    try await app.exportSnapshot(of: [TodosQuery("a")], to: container.snapshot)
    #expect(try !container.snapshotContains("milk"))
    let reader = try RelayEnvironment(snapshot: container.snapshot, cipher: Key(byte: 7))
    #expect(reader.texts() == ["milk"])
    for wrong: Key? in [nil, Key(byte: 8)] {
      #expect(throws: RelayError.self) {
        try RelayEnvironment(snapshot: container.snapshot, cipher: wrong)
      }
    }
  }

  @Test("the file of a killed process is removed after an hour, and no other file")
  func abandoned() async throws {
    let app = makeApp()
    try container.write([1])
    let directory = container.snapshot.deletingLastPathComponent()
    let names = [".todos.snapshot.1.tmp", ".todos.snapshot.2.tmp", ".other.3.tmp", "a.tmp"]
    for name in names {
      let url = directory.appending(path: name)
      try Data([1]).write(to: url)
      let age: Double = name.contains(".2.") ? 60 : 7200
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: url.path)
    }
    try await app.exportSnapshot(of: [TodosQuery("a")], to: container.snapshot)
    let left = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    #expect(left == [".other.3.tmp", ".todos.snapshot.2.tmp", "a.tmp", "todos.snapshot"])
  }

  @Test("a file may have as long a name as the file system allows", arguments: [200, 201, 255])
  func longName(count: Int) async throws {
    let app = makeApp()
    try app.receive([("1", "milk")])
    let directory = container.directory.url
    let url = directory.appending(path: String(repeating: "n", count: count))
    try await app.exportSnapshot(of: [TodosQuery("a")], to: url)
    #expect(try RelayEnvironment(snapshot: url).texts() == ["milk"])
    let part = FileSystem.temporaryPrefix(of: url.lastPathComponent) + "1.tmp"
    try Data([1]).write(to: directory.appending(path: part))
    #expect(container.directory.files.count == 2)
    try await app.removeSnapshot(at: url)
    #expect(container.directory.files.isEmpty)
  }

  @Test("a snapshot is removed with all that was begun of it, and nothing else is")
  func remove() async throws {
    let app = makeApp()
    try await app.removeSnapshot(at: container.snapshot)
    try await app.exportSnapshot(of: [TodosQuery("a")], to: container.snapshot)
    let directory = container.snapshot.deletingLastPathComponent()
    for name in [".todos.snapshot.2.tmp", ".todos.snapshot.old.3.tmp", ".other.3.tmp", "a.tmp"] {
      try Data([1]).write(to: directory.appending(path: name))
    }
    try await app.removeSnapshot(at: container.snapshot)
    let left = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    #expect(left == [".other.3.tmp", ".todos.snapshot.old.3.tmp", "a.tmp"])
  }
}

@Suite("Snapshot files: damage", .timeLimit(.minutes(1)))
struct SnapshotDamageTests {
  private let container = SharedContainer()

  private func message(_ bytes: [UInt8]) throws -> String {
    try container.write(bytes)
    let error = #expect(throws: RelayError.self) { try container.reader() }
    #expect(error?.code == .persistence)
    return error?.message ?? ""
  }

  private func exported() async throws -> [UInt8] {
    let app = makeApp()
    try app.receive((0..<100).map { ("\($0)", "text \($0)") })
    try await app.exportSnapshot(of: [TodosQuery("a")], to: container.snapshot)
    return try container.bytes()
  }

  @Test("a file that is missing, empty, foreign, of another version or of another kind says so")
  func foreign() async throws {
    let missing = #expect(throws: RelayError.self) { try container.reader() }
    #expect(missing?.message.contains("does not exist") == true)
    let bytes = try await exported()
    #expect(try message([]).contains("truncated"))
    #expect(
      try message(Array("{\"client:root\": {}}".utf8)).contains("not a RelayStore snapshot file"))
    var old = bytes
    old[8] = 0
    #expect(try message(old).contains("has version 0; this program reads 1"))
    let mutation = try SealedFile.seal([1, 2], as: .mutation, cipher: nil)
    #expect(try message(mutation).contains("not a RelayStore snapshot file"))
    #expect(try message(bytes + [0]).contains("It is damaged: it has"))
    let directory = #expect(throws: RelayError.self) {
      try RelayEnvironment(snapshot: container.directory.url)
    }
    #expect(directory?.message.contains("is not a file") == true)
  }

  @Test("a file with holes is refused by its size, or by its header, before its bytes are read")
  func sparse() async throws {
    let bytes = try await exported()
    let path = container.snapshot.path
    func message(size: Int, _ beginning: [UInt8]) throws -> String {
      try container.write(beginning)
      try #require(truncate(path, off_t(size)) == 0)
      let error = #expect(throws: RelayError.self) { try container.reader() }
      #expect(error?.code == .persistence)
      return error?.message ?? ""
    }
    // More than any memory: 8 TiB.
    #expect(try message(size: 1 << 43, bytes).contains("8796093022208 bytes; the limit is"))
    #expect(try message(size: 200 << 20, []).contains("not a RelayStore snapshot file"))
    #expect(try message(size: 200 << 20, bytes).contains("damaged: it has 209715168 bytes"))
    let reads = Locked(0)
    var files = FileSystem()
    files.willCall = { call, _ in if call == .read { reads.withLock { $0 += 1 } } }
    #expect(throws: PersistenceFailure.self) {
      try SealedFile.read(path, as: .snapshot, cipher: nil, limit: .max, files: files)
    }
    #expect(reads.withLock { $0 } == 1)
  }

  @Test("an export that no reader would accept is refused, and the old file stays")
  func exportLimit() async throws {
    let app = makeApp()
    try app.receive([("1", "milk")])
    try await app.exportSnapshot(of: [TodosQuery("a")], to: container.snapshot)
    let old = try container.bytes()
    let writer = SnapshotWriter(byteLimit: old.count - 1)
    let operation = OperationRequest(TodosQuery("a"), store: app.store, root: .root)
    let error = await #expect(throws: RelayError.self) {
      try await writer.write(to: container.snapshot.path, cipher: nil) {
        app.store.exportedRecords(
          of: [WrittenOperation(operation.identity, operation.plan, root: .root)],
          layer: .visible)
      }
    }
    #expect(error?.message.contains("\(old.count) bytes; the limit is \(old.count - 1)") == true)
    #expect(try container.bytes() == old)
  }

  @Test("every truncation and every changed byte is an error")
  func bits() async throws {
    let bytes = try await exported()
    for count in 0..<bytes.count {
      #expect(throws: PersistenceFailure.self) {
        try SealedFile.open(Array(bytes[..<count]), as: .snapshot, cipher: nil)
      }
    }
    for position in bytes.indices {
      var damaged = bytes
      damaged[position] ^= 1 << UInt8(position % 8)
      #expect(throws: PersistenceFailure.self) {
        _ = try SealedFile.open(damaged, as: .snapshot, cipher: nil)
      }
    }
    #expect(try message(Array(bytes.dropLast())).contains("truncated"))
  }

  @Test("contents that do not make sense under a right checksum are an error, and never a crash")
  func contents() async throws {
    let bytes = try await exported()
    let contents = Array(try SealedFile.open(bytes, as: .snapshot, cipher: nil))
    let seed = UInt64(size("RELAYSTORE_SEED", otherwise: .random(in: 0..<1_000_000)))
    var random = SeededGenerator(seed: seed)
    var refused = 0
    for _ in 0..<size("RELAYSTORE_BIT_FLIPS", otherwise: 300) {
      var damaged = contents
      switch Int.random(in: 0..<3, using: &random) {
      case 0: damaged[Int.random(in: damaged.indices, using: &random)] ^= 1 << 3
      case 1: damaged.removeLast(Int.random(in: 1..<damaged.count, using: &random))
      default:
        damaged.removeSubrange(
          Int.random(in: 0..<damaged.count / 2, using: &random)..<damaged.count * 3 / 4)
      }
      do { _ = try PersistedExport.load(damaged[...]) } catch is PersistenceFailure { refused += 1 }
    }
    #expect(refused > 0, "seed \(seed)")
    #expect(throws: PersistenceFailure.self) { try PersistedExport.load([]) }
    #expect(throws: PersistenceFailure.self) { try PersistedExport.load([0]) }
  }

  @Test("a new file that cannot be read leaves the data and its observers alone")
  func failedReload() async throws {
    let bytes = try await exported()
    let reader = try container.reader()
    let before = reader.texts()
    try container.write(Array(bytes.dropLast(9)))
    #expect(throws: RelayError.self) { try reader.reloadSnapshot() }
    #expect(reader.texts() == before && before?.count == 100)
    try container.write(bytes)
    #expect(try !reader.reloadSnapshot())
  }

  @Test(
    "whichever call of the file system fails, the old file or the new one is there",
    arguments: [1, 3])
  func faults(chunks: Int) async throws {
    let app = makeApp()
    try app.receive([("1", "old")])
    try await app.exportSnapshot(of: [TodosQuery("a")], to: container.snapshot)
    try app.receive([("1", "new")])
    var failures = 0
    for failing in 0... {
      let old = try container.bytes()
      let calls = Locked(0)
      var files = FileSystem()
      files.chunkSize = max(1, old.count / chunks)
      files.willCall = { call, path in
        let number = calls.withLock { count in
          defer { count += 1 }
          return count
        }
        if number == failing { throw PersistenceFailure(.io, "\(call) fails") }
      }
      app.exports.files = files
      do {
        try await app.exportSnapshot(of: [TodosQuery("a")], to: container.snapshot)
      } catch let error as RelayError {
        #expect(error.code == .persistence)
        failures += 1
      }
      let text = try container.reader().texts()
      #expect(text == ["old"] || text == ["new"])
      let directory = container.snapshot.deletingLastPathComponent().path
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["todos.snapshot"])
      if calls.withLock({ $0 }) <= failing {
        #expect(text == ["new"])
        break
      }
    }
    #expect(failures >= 5 + chunks)
  }
}
