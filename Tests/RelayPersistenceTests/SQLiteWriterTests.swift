import Foundation
import RelayPersistence
import RelayStore
import Testing

@Suite("SQLite writer", .timeLimit(.minutes(1)))
struct SQLiteWriterTests {
  private let directory = TemporaryDirectory()
  private let database: AppDatabase
  private let memory = MemoryPersistence()

  init() throws { database = try AppDatabase(directory) }

  /// The errors that a writer reported.
  private final class Errors: Sendable {
    private let all = Locked<[String]>([])
    func append(_ error: RelayError) { all.withLock { $0.append(error.description) } }
    var list: [String] { all.withLock { $0 } }
  }

  @Test("rows are inserted, updated and deleted, each change once, also after a restart")
  func rows() async throws {
    try database.createLoggedItems()
    for run in 0..<2 {
      let (stored, writer) = (PersistedStore(memory.persistence), database.writer())
      let mirror = stored.environment.mirror(ItemFragment.self, into: writer)
      await stored.store.loaded()
      try await writer.settled()
      if run == 0 {
        try stored.environment.writeItem("a", ["name": "Ann", "number": 1])
        try stored.environment.writeItem("b", ["number": 2])
        try await writer.flush()
        try stored.environment.writeItem("a", ["name": "Ann", "number": 3])
        try stored.environment.writeItem("b", ["number": 2])
        try stored.environment.writeItem("c")
        try await writer.flush()
        try stored.environment.deleteItem("c")
        try await writer.flush()
        #expect(try database.drainLog() == ["a=1", "b=2", "a=3", "c=null", "c=deleted"])
      } else {
        #expect(try database.drainLog() == [])
        try stored.environment.deleteItem("a")
        try await writer.flush()
        #expect(try database.drainLog() == ["a=deleted"])
      }
      try await stored.close()
      mirror.cancel()
    }
    #expect(
      try database.rows("SELECT id, name, number FROM items", columns: 3) == [["b", nil, "2"]])
  }

  @Test("what another run has changed or deleted is written at the next start; other rows stay")
  func changedBetweenRuns() async throws {
    try database.createLoggedItems()
    let first = PersistedStore(memory.persistence)
    await first.store.loaded()
    for (number, id) in ["a", "b", "c", "d"].enumerated() {
      try first.environment.writeItem(id, ["number": .number(JSONNumber(number))])
    }
    do {
      let writer = database.writer()
      let mirror = first.environment.mirror(ItemFragment.self, into: writer)
      try await writer.settled()
      mirror.cancel()
    }
    try first.environment.writeItem("b", ["number": 9])
    try first.environment.deleteItem("c")
    try await first.close()
    #expect(try database.drainLog().sorted() == ["a=0", "b=1", "c=2", "d=3"])

    let (second, writer) = (PersistedStore(memory.persistence), database.writer())
    let mirror = second.environment.mirror(ItemFragment.self, into: writer)
    await second.store.loaded()
    try await writer.settled()
    #expect(try database.drainLog() == ["c=deleted", "b=9"])
    mirror.cancel()

    // A fresh store has no tombstones, and makes no claims about records that it does not have.
    let fresh = PersistedStore(MemoryPersistence().persistence)
    let again = database.writer()
    let other = fresh.environment.mirror(ItemFragment.self, into: again)
    await fresh.store.loaded()
    try await again.settled()
    try fresh.environment.writeItem("b", ["number": 9])
    try fresh.environment.deleteItem("d")
    try await again.flush()
    #expect(try database.drainLog() == ["d=deleted"])
    #expect(try database.rows("SELECT id FROM items ORDER BY id") == [["a"], ["b"]])
    other.cancel()
  }

  @Test("a mirror writes nothing before the records of the storage are loaded")
  func loading() async throws {
    try database.createLoggedItems()
    let first = PersistedStore(memory.persistence)
    try first.environment.writeItem("a", ["number": 1])
    try await first.close()
    let gated = GatedPersistence(memory)
    let (second, writer) = (PersistedStore(gated.persistence), database.writer())
    let mirror = second.environment.mirror(ItemFragment.self, into: writer)
    try second.environment.writeItem("b", ["number": 2])
    try await writer.settled()
    #expect(try database.drainLog() == [])
    gated.open()
    await second.store.loaded()
    try await writer.settled()
    #expect(try database.drainLog().sorted() == ["a=1", "b=2"])
    mirror.cancel()
  }

  @Test("a mirror that is cancelled while the store is loading writes nothing")
  func cancelled() async throws {
    try database.createLoggedItems()
    let gated = GatedPersistence(memory)
    let (stored, writer) = (PersistedStore(gated.persistence), database.writer())
    try stored.environment.writeItem("a")
    stored.environment.mirror(ItemFragment.self, into: writer).cancel()
    gated.open()
    await stored.store.loaded()
    try await writer.settled()
    #expect(try database.drainLog() == [])
    #expect(stored.store.statistics.observers == 0)
  }

  @Test("changes of a transaction that has failed are written by the next one, once")
  func failing() async throws {
    try database.createLoggedItems()
    let errors = Errors()
    let stored = PersistedStore(memory.persistence)
    let writer = database.writer { errors.append($0) }
    let mirror = stored.environment.mirror(ItemFragment.self, into: writer)
    await stored.store.loaded()
    try await writer.settled()
    try stored.environment.writeItem("a", ["number": 1])
    try stored.environment.writeItem("b", ["number": 1])
    try await writer.flush()
    _ = try database.drainLog()
    try database.setFailing(true)
    try stored.environment.writeItem("a", ["number": 2])
    try stored.environment.deleteItem("b")
    try stored.environment.writeItem("c", ["number": 2])
    await #expect(throws: RelayError.self) { try await writer.flush() }
    #expect(errors.list.contains { $0.contains("the disk is broken") })
    #expect(
      try database.rows("SELECT id, number FROM items", columns: 2) == [["a", "1"], ["b", "1"]])
    try database.setFailing(false)
    try stored.environment.writeItem("c", ["number": 3])
    try await writer.flush()
    #expect(try database.drainLog() == ["b=deleted", "a=2", "c=3"])
    mirror.cancel()
  }

  @Test("a row that violates a constraint is reported and left out, and the others are written")
  func rejected() async throws {
    try database.execute(
      "CREATE TABLE items (id TEXT NOT NULL PRIMARY KEY, name TEXT UNIQUE, number INTEGER CHECK (number < 9))"
    )
    let (stored, errors) = (PersistedStore(memory.persistence), Errors())
    let writer = database.writer { errors.append($0) }
    let mirror = stored.environment.mirror(ItemFragment.self, into: writer)
    await stored.store.loaded()
    try await writer.settled()
    try stored.environment.batch {
      try stored.environment.writeItem("a", ["name": "Ann", "number": 1])
      try stored.environment.writeItem("b", ["name": "Bea", "number": 10])
      try stored.environment.writeItem("c", ["name": "Cid", "number": 3])
    }
    try await writer.flush()
    #expect(errors.list.count == 1)
    #expect(errors.list.first?.contains("\"b\"") == true)
    try stored.environment.writeItem("d", ["name": "Dan", "number": 4])
    try await writer.flush()
    #expect(errors.list.count == 1)
    #expect(
      try database.rows("SELECT id FROM items ORDER BY id", columns: 1) == [["a"], ["c"], ["d"]])
    // A deleted row makes room for another one with its value.
    try stored.environment.batch {
      try stored.environment.deleteItem("d")
      try stored.environment.writeItem("b", ["name": "Dan", "number": 2])
    }
    try await writer.flush()
    #expect(errors.list.count == 1)
    mirror.cancel()
  }

  @Test(
    "the row of an object that only an optimistic update has made is deleted when it is reverted")
  func optimistic() async throws {
    try database.createLoggedItems()
    let (stored, writer) = (PersistedStore(memory.persistence), database.writer())
    let mirror = stored.environment.mirror(ItemFragment.self, into: writer)
    await stored.store.loaded()
    try await writer.settled()
    try stored.environment.writeItem("a", ["number": 1])
    try await writer.flush()
    let update = try stored.environment.applyUpdate { store in
      try store["a"]?.setValue(2, for: "number")
      let item = try store.create("b", type: "Item")
      try item.setValue("b", for: "id")
      try item.setValue(3, for: "number")
      for name in ["name", "score", "isDone", "tags"] { try item.setValue(nil, for: name) }
    }
    try await writer.flush()
    update.revert()
    try await writer.flush()
    let log = try database.drainLog()
    #expect(log == ["a=1", "a=2", "b=3", "b=deleted", "a=1"])
    // A collected record remains in the table.
    stored.store.collectGarbage()
    try await writer.flush()
    #expect(try database.drainLog() == [])
    mirror.cancel()
  }

  @Test("a file that cannot be opened is reported, and written once it can")
  func unopenable() async throws {
    let errors = Errors()
    let path = directory.path + "/later/app.sqlite"
    let stored = PersistedStore(memory.persistence)
    let table = SQLiteTable("items", of: ItemFragment.self) { SQLiteColumn("name", \.name) }
    let writer = SQLiteWriter(file: URL(filePath: path), table) { errors.append($0) }
    let mirror = stored.environment.mirror(ItemFragment.self, into: writer)
    await stored.store.loaded()
    try await writer.settled()
    try stored.environment.writeItem("a", ["name": "Ann"])
    await #expect(throws: RelayError.self) { try await writer.flush() }
    #expect(errors.list.first?.contains("cannot be opened") == true)
    try FileManager.default.createDirectory(
      atPath: directory.path + "/later", withIntermediateDirectories: true)
    try await writer.flush()
    #expect(try AppDatabase(path: path).rows("SELECT name FROM items") == [["Ann"]])
    mirror.cancel()
  }

  #if !canImport(Darwin)
    @Test("where SQLite is missing, the error says which package to install")
    func missingLibrary() async throws {
      let errors = Errors()
      let table = SQLiteTable("items", of: ItemFragment.self) { SQLiteColumn("name", \.name) }
      let writer = SQLiteWriter(path: database.path, table, library: "/none/libsqlite3.so") {
        errors.append($0)
      }
      writer.write(FragmentChanges(deletedIDs: ["a"]))
      await #expect(throws: RelayError.self) { try await writer.flush() }
      #expect(errors.list.first?.contains("libsqlite3-0") == true)
    }
  #endif

  @Test("columns are added to a table, and then every object is written again; also for a version")
  func columns() async throws {
    try database.createLoggedItems()
    let stored = PersistedStore(memory.persistence)
    try stored.environment.writeItem("a", ["name": "Ann", "number": 1, "isDone": true])
    func mirror(_ table: SQLiteTable<ItemFragment>) async throws -> Int {
      let writer = SQLiteWriter(path: database.path, table)
      let mirror = stored.environment.mirror(ItemFragment.self, into: writer)
      await stored.store.loaded()
      try await writer.settled()
      mirror.cancel()
      return try database.drainLog().count
    }
    let narrow = SQLiteTable("items", of: ItemFragment.self) { SQLiteColumn("number", \.number) }
    #expect(try await mirror(narrow) == 1)
    #expect(try await mirror(narrow) == 0)
    let wide = { version in
      SQLiteTable("ITEMS", of: ItemFragment.self, version: version) {
        SQLiteColumn("Number", \.number)
        SQLiteColumn("is \"done\"", \.isDone)
        SQLiteColumn("É") { .text(($0.name ?? "") + "!") }
      }
    }
    #expect(try await mirror(wide(0)) == 1)
    #expect(try await mirror(wide(0)) == 0)
    #expect(try await mirror(wide(1)) == 1)
    #expect(
      try database.rows(#"SELECT number, "is ""done""", "É" FROM items"#, columns: 3)
        == [["1", "1", "Ann!"]])
  }

  @Test("hostile names and values are stored as they are")
  func hostile() async throws {
    let name = "items\"; DROP TABLE \"x'🙂"
    let stored = PersistedStore(memory.persistence)
    let table = SQLiteTable(name, of: ItemFragment.self, idColumn: "select") {
      SQLiteColumn("name\"]`'", \.name)
      SQLiteColumn("", \.number)
      SQLiteColumn("order by", \.score)
      SQLiteColumn("done", \.isDone)
      SQLiteColumn("tags", \.tags)
      SQLiteColumn("nan") { _ in .real(.nan) }
      SQLiteColumn("infinity") { _ in .real(.infinity) }
      SQLiteColumn("blob") { _ in .blob([]) }
      SQLiteColumn("bytes") { _ in .blob([0, 255]) }
    }
    let errors = Errors()
    let writer = SQLiteWriter(path: database.path, table) { errors.append($0) }
    let mirror = stored.environment.mirror(ItemFragment.self, into: writer)
    await stored.store.loaded()
    let text = "a\u{0}b\"'\\ é e\u{301} 🙂"
    // Two ids that are equal as Swift strings.
    for id in ["x\u{0}'é", "x\u{0}'e\u{301}"] {
      try stored.environment.writeItem(
        id,
        [
          "name": .string(text), "number": .number(JSONNumber(.max)), "score": 0.1, "isDone": false,
          "tags": ["a\u{0}\"", ""],
        ])
    }
    try stored.environment.writeItem("", [:])
    try await writer.settled()
    #expect(errors.list == [])
    let quoted = "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    let columns = """
      "select", "name""]`'", "", "order by", done, tags, nan, infinity, typeof(blob), hex(bytes),
      length(CAST("select" AS BLOB)), typeof("order by"), typeof("")
      """
    let rows = try database.rows("SELECT \(columns) FROM \(quoted) ORDER BY 1", columns: 13)
    let values: [String?] = [
      text, "9223372036854775807", "0.1", "0", #"["a\u0000\"",""]"#, nil, "Inf", "blob", "00FF",
    ]
    #expect(rows.map { $0[0] } == ["", "x\u{0}'e\u{301}", "x\u{0}'é"])
    for row in rows.dropFirst() { #expect(Array(row[1...9]) == values) }
    #expect(rows.last?[10...] == ["5", "real", "integer"])
    #expect(rows.first?[1...5] == [nil, nil, nil, nil, nil])
    mirror.cancel()
  }

  @Test(
    "names that no table can have are errors",
    arguments: [
      ("items", ["name", "NAME"]), ("items", ["ID"]), ("items", ["relay_stamp"]),
      ("items", ["a\u{0}b"]), ("it\u{0}ems", ["name"]), ("sqlite_items", ["name"]),
    ])
  func names(table: String, columns: [String]) async throws {
    let errors = Errors()
    let table = SQLiteTable(table, of: ItemFragment.self) {
      SQLiteColumn(columns[0], \.name)
      SQLiteColumn(columns.count > 1 ? columns[1] : "other", \.number)
    }
    let writer = SQLiteWriter(path: database.path, table) { errors.append($0) }
    writer.write(FragmentChanges(deletedIDs: ["a"]))
    await #expect(throws: RelayError.self) { try await writer.flush() }
    #expect(!errors.list.isEmpty)
  }
}
