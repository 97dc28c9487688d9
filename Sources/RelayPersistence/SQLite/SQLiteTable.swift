public import RelayStore

/// A table in the app's own database, with a row for each object of a fragment's type.
///
///     let people = SQLiteTable("people", of: PersonFragment.self) {
///       SQLiteColumn("name", \.name)
///       SQLiteColumn("age", \.age)
///     }
///
/// The table is created if it does not exist, and missing columns are added. It has two more
/// columns: the id, as primary key, and `relay_stamp` for the mirror. When the column names or the
/// version change, every object in the store is written again. Columns removed from the list remain
/// in the table unchanged.
public struct SQLiteTable<Fragment: GraphQLFragment & Identifiable>: Sendable
where Fragment.ID: CustomScalar {
  /// The name of the table.
  public let name: String
  let columns: [SQLiteColumn<Fragment>]
  private let idColumn: String
  /// The identifier of the columns in stamps: their names and the version.
  private let signature: String
  private let (upsertion, deletion): (String, String)

  /// The name of the column with the stamps.
  private static var stampColumn: String { "relay_stamp" }

  /// Creates the description of a table.
  ///
  /// - Parameters:
  ///   - name: The name. Any characters are allowed except U+0000.
  ///   - fragment: The fragment whose values are written.
  ///   - idColumn: The name of the column with the ids. In a table created by the app, this column
  ///     must be the primary key or unique.
  ///   - version: A number to change when a column's closure changes.
  ///   - columns: The other columns.
  public init(
    _ name: String, of fragment: Fragment.Type = Fragment.self, idColumn: String = "id",
    version: Int = 0, @SQLiteColumnBuilder<Fragment> columns: () -> [SQLiteColumn<Fragment>]
  ) {
    self.name = name
    self.idColumn = idColumn
    self.columns = columns()
    let names = [idColumn] + self.columns.map(\.name) + [Self.stampColumn]
    var checksum = Checksum(seed: UInt64(bitPattern: Int64(version)))
    for name in names { Array(name.utf8).withUnsafeBytes { checksum.combine($0) } }
    signature = String(checksum.value, radix: 16)
    let quotedNames = names.map { quoted($0) }
    let updates = quotedNames.dropFirst().map { "\($0) = excluded.\($0)" }
    upsertion = """
      INSERT INTO \(quoted(name)) (\(quotedNames.joined(separator: ", "))) \
      VALUES (\(names.map { _ in "?" }.joined(separator: ", "))) \
      ON CONFLICT (\(quoted(idColumn))) DO UPDATE SET \(updates.joined(separator: ", "))
      """
    deletion = "DELETE FROM \(quoted(name)) WHERE \(quoted(idColumn)) = ?"
  }

  private var columnNames: [String] { [idColumn] + columns.map(\.name) + [Self.stampColumn] }

  // MARK: Statements

  /// Creates the table and adds missing columns.
  ///
  /// - Throws: ``PersistenceFailure``.
  func create(in connection: SQLiteConnection) throws {
    try checkNames()
    let others = (columns.map { quoted($0.name) } + [quoted(Self.stampColumn) + " TEXT"])
      .map { ", " + $0 }
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS \(quoted(name)) (\(quoted(idColumn)) TEXT NOT NULL PRIMARY KEY\(others.joined()))"
    )
    var existing: Set<String> = []
    try connection.run("SELECT name FROM pragma_table_info(?)", [.value(.text(name))]) { row in
      existing.insert(folded(row.text(0) ?? ""))
    }
    for column in columnNames.dropFirst() where !existing.contains(folded(column)) {
      try connection.execute("ALTER TABLE \(quoted(name)) ADD COLUMN \(quoted(column))")
    }
  }

  /// Returns the stamps of the rows that have one. A stamp with a different column signature is
  /// outdated.
  func stamps(in connection: SQLiteConnection) throws -> [DataID: FragmentStamp] {
    let (id, stamp, signature) = (quoted(idColumn), quoted(Self.stampColumn), signature)
    var stamps: [DataID: FragmentStamp] = [:]
    try connection.run(
      "SELECT \(id), \(stamp) FROM \(quoted(name)) WHERE \(stamp) IS NOT NULL"
    ) { row in
      let parts = (row.text(1) ?? "").split(separator: "/", maxSplits: 1)
      let isCurrent = parts.count == 2 && parts[1] == signature
      let stamp = isCurrent ? FragmentStamp(String(parts[0])) : nil
      if let id = row.text(0) { stamps[DataID(id)] = stamp ?? .outdated }
    }
    return stamps
  }

  /// Inserts or updates the row of an object.
  func write(_ fragment: Fragment, _ stamp: FragmentStamp, in connection: SQLiteConnection) throws {
    let values =
      [.text(fragment.recordID.rawValue)] + columns.map { $0.value(fragment) }
      + [.text("\(stamp)/\(signature)")]
    try connection.run(upsertion, values.map { .value($0) })
  }

  /// Deletes the row of an object; a no-op if there is none.
  func delete(_ id: DataID, in connection: SQLiteConnection) throws {
    try connection.run(deletion, [.value(.text(id.rawValue))])
  }

  // MARK: Names

  /// Checks that the names are valid and distinct.
  ///
  /// - Throws: ``PersistenceFailure``.
  private func checkNames() throws {
    var names: Set<String> = []
    for column in columnNames where !names.insert(folded(column)).inserted {
      throw PersistenceFailure(
        .unavailable, "The table \"\(name)\" has two columns \"\(column)\". Rename one.")
    }
    for text in columnNames + [name] where text.utf8.contains(0) {
      throw PersistenceFailure(
        .unavailable, "The name \"\(text)\" in the table \"\(name)\" has the character U+0000.")
    }
  }
}

/// Returns a name as SQLite compares it: ignoring the case of ASCII letters.
private func folded(_ name: String) -> String {
  String(decoding: name.utf8.map { 65...90 ~= $0 ? $0 + 32 : $0 }, as: UTF8.self)
}

/// Returns a name as a quoted SQL identifier.
private func quoted(_ name: String) -> String {
  let parts = name.split(separator: "\"", omittingEmptySubsequences: false)
  return "\"" + parts.joined(separator: "\"\"") + "\""
}
