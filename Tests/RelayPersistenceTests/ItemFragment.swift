import Foundation

@testable import RelayPersistence
@_spi(GeneratedCode) @testable import RelayStore

/// A handwritten fragment with one property of each kind.
struct ItemFragment: GraphQLFragment, Identifiable, Hashable {
  static let __plan = SelectionPlan(
    "Item{id ID! name String number Int score Float isDone Boolean tags [String!]}")
  let __row: Row
  init(__row: Row) { self.__row = __row }

  var id: String { __row[0] }
  var name: String? { __row[1] }
  var number: Int? { __row[2] }
  var score: Double? { __row[3] }
  var isDone: Bool? { __row[4] }
  var tags: GraphQLList<String>? { __row[5] }
}

extension RelayEnvironment {
  /// Writes all fields of an item.
  func writeItem(_ id: String, _ fields: [String: JSONValue] = [:]) throws {
    try commitUpdate { store in
      let item = try store[DataID(id)] ?? store.create(DataID(id), type: "Item")
      try item.setValue(.string(id), for: "id")
      for name in ["name", "number", "score", "isDone", "tags"] {
        try item.setValue(fields[name] ?? .null, for: name)
      }
    }
  }

  /// Deletes an item.
  func deleteItem(_ id: String) throws { try commitUpdate { try $0.delete(DataID(id)) } }
}

/// The app's own database, read and changed through a different connection than the writer's.
struct AppDatabase {
  let path: String
  private let connection: SQLiteConnection

  init(_ directory: TemporaryDirectory) throws {
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    try self.init(path: directory.path + "/app.sqlite")
  }

  init(path: String) throws {
    self.path = path
    connection = try SQLiteConnection(path, SQLiteLibrary())
    try connection.execute("PRAGMA busy_timeout = 2000")
  }

  func execute(_ statements: String) throws { try connection.execute(statements) }

  /// Returns the rows of a query, each as the strings in its columns.
  func rows(_ query: String, columns count: Int = 1) throws -> [[String?]] {
    var rows: [[String?]] = []
    try connection.run(query) { row in
      rows.append((0..<count).map { row.text(CInt($0)) })
    }
    return rows
  }

  /// Creates the table of items. Its triggers log every write of a row, and fail all writes while
  /// the table `failing` has a row.
  func createLoggedItems() throws {
    try execute(
      """
      CREATE TABLE items (id TEXT PRIMARY KEY, name, number);
      CREATE TABLE log (id TEXT, number);
      CREATE TABLE failing (reason);
      """)
    for (event, row) in [("INSERT", "new"), ("UPDATE", "new"), ("DELETE", "old")] {
      try execute(
        """
        CREATE TRIGGER logs_\(event) AFTER \(event) ON items BEGIN
          SELECT raise(ABORT, 'the disk is broken') FROM failing;
          INSERT INTO log VALUES (\(row).id, \(event == "DELETE" ? "'deleted'" : "new.number"));
        END
        """)
    }
  }

  func setFailing(_ isFailing: Bool) throws {
    try execute("DELETE FROM failing")
    if isFailing { try execute("INSERT INTO failing VALUES ('test')") }
  }

  /// Returns the log since the last call: the id and the number of each write.
  func drainLog() throws -> [String] {
    let rows = try rows("SELECT id, number FROM log ORDER BY rowid", columns: 2)
    try execute("DELETE FROM log")
    return rows.map { "\($0[0] ?? "")=\($0[1] ?? "null")" }
  }

  /// A writer of items into the table with the log.
  func writer(
    onError: @escaping @Sendable (RelayError) -> Void = { _ in }
  ) -> SQLiteWriter<ItemFragment> {
    SQLiteWriter(
      path: path,
      SQLiteTable("items") {
        SQLiteColumn("name", \.name)
        SQLiteColumn("number", \.number)
      }, onError: onError)
  }
}

extension SQLiteWriter {
  /// Waits until the mirror has received the stamps and has written its resulting deliveries.
  func settled() async throws {
    // The stamps are read on the queue, and the mirror delivers there.
    try await flush()
    try await flush()
  }
}
