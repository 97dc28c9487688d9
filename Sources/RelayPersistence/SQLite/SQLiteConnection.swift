import RelayStore

/// A connection to a database file, used by one thread at a time. Releasing the last reference
/// closes it.
///
/// `@unchecked Sendable`: its owner is called by one thread at a time and does not share it.
final class SQLiteConnection: @unchecked Sendable {
  let library: SQLiteLibrary
  private let connection: SQLiteLibrary.Connection
  private var statements: [String: SQLiteLibrary.Statement] = [:]

  /// Opens a file, creating it if necessary.
  ///
  /// - Throws: ``PersistenceFailure``.
  init(_ path: String, _ library: SQLiteLibrary, vfs: String? = nil) throws {
    self.library = library
    var opened: SQLiteLibrary.Connection?
    let status = library.open(path, &opened, Self.flags, vfs)
    guard let opened, status == 0 else {
      let failure = Self.failure(status, opened, library)
      _ = library.close(opened)
      throw failure
    }
    connection = opened
  }

  /// Read and write, create, no mutex; on Apple platforms the file is encrypted until the user
  /// first unlocks the device.
  private static var flags: CInt {
    #if canImport(Darwin)
      0x2 | 0x4 | 0x8000 | 0x30_0000
    #else
      0x2 | 0x4 | 0x8000
    #endif
  }

  deinit {
    for statement in statements.values { _ = library.finalize(statement) }
    _ = library.close(connection)
  }

  /// Runs statements without results.
  ///
  /// - Throws: ``PersistenceFailure``.
  func execute(_ statements: String) throws {
    try check(library.execute(connection, statements, nil, nil, nil))
  }

  /// Runs a statement and calls the closure with each row.
  ///
  /// - Parameters:
  ///   - arguments: The values of the statement's parameters.
  ///   - body: Reads the row's columns.
  /// - Throws: ``PersistenceFailure``; any error thrown by the closure.
  func run(
    _ text: String, _ arguments: [SQLiteArgument] = [],
    _ body: (SQLiteRow) throws -> Void = { _ in }
  ) throws {
    let statement = try statement(text)
    defer { _ = library.reset(statement) }
    for (position, argument) in arguments.enumerated() {
      try check(bind(argument, to: CInt(position + 1), of: statement))
    }
    while true {
      switch library.step(statement) {
      case 100: try body(SQLiteRow(statement: statement, library: library))
      case 101: return
      case let status: throw Self.failure(status, connection, library)
      }
    }
  }

  private func bind(
    _ argument: SQLiteArgument, to position: CInt, of statement: SQLiteLibrary.Statement
  ) -> CInt {
    switch argument {
    case .int(let value): library.bindInt64(statement, position, value)
    // SQLite treats a zero-length blob without an address as null.
    case .bytes(let bytes):
      CInt(exactly: bytes.count).map {
        library.bindBytes(
          statement, position, bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1), $0, nil)
      } ?? Self.tooBig
    case .value(.null): library.bindNull(statement, position)
    case .value(.integer(let value)): library.bindInt64(statement, position, value)
    case .value(.real(let value)): library.bindDouble(statement, position, value)
    case .value(.text(let text)): bind(text, to: position, of: statement)
    case .value(.blob(let bytes)):
      CInt(exactly: bytes.count).map { count in
        bytes.withUnsafeBytes {
          library.bindBytes(
            statement, position, $0.baseAddress ?? UnsafeRawPointer(bitPattern: 1), count,
            Self.copied)
        }
      } ?? Self.tooBig
    }
  }

  private func bind(
    _ text: String, to position: CInt, of statement: SQLiteLibrary.Statement
  ) -> CInt {
    var text = text
    return text.withUTF8 { utf8 in
      guard let count = CInt(exactly: utf8.count) else { return Self.tooBig }
      let bytes = UnsafeRawBufferPointer(utf8).bindMemory(to: CChar.self)
      guard let first = bytes.baseAddress else {
        return library.bindText(statement, position, "", 0, Self.copied)
      }
      return library.bindText(statement, position, first, count, Self.copied)
    }
  }

  /// SQLite's code for a value larger than 2 GB.
  private static let tooBig: CInt = 18

  /// SQLite's marker for bytes that it must copy (`SQLITE_TRANSIENT`): -1 instead of a function.
  private static let copied = unsafeBitCast(
    -1, to: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?.self)

  private func statement(_ text: String) throws -> SQLiteLibrary.Statement {
    if let statement = statements[text] { return statement }
    var prepared: SQLiteLibrary.Statement?
    try check(library.prepare(connection, text, -1, &prepared, nil))
    guard let prepared else { throw PersistenceFailure(.io, "SQLite prepared no statement.") }
    statements[text] = prepared
    return prepared
  }

  /// Runs a closure in a transaction, rolled back if the closure throws.
  func transaction(_ body: () throws -> Void) throws {
    try run("BEGIN IMMEDIATE")
    do {
      try body()
      try run("COMMIT")
    } catch {
      // Fails if SQLite has already rolled back.
      try? execute("ROLLBACK")
      throw error
    }
  }

  private func check(_ status: CInt) throws {
    if status != 0 { throw Self.failure(status, connection, library) }
  }

  private static func failure(
    _ status: CInt, _ connection: SQLiteLibrary.Connection?, _ library: SQLiteLibrary
  ) -> PersistenceFailure {
    let code = connection.map { library.extendedErrorCode($0) } ?? status
    let text =
      connection.flatMap { library.errorMessage($0) }.map { String(cString: $0) } ?? "no message"
    switch status & 0xFF {
    case 5, 6:
      return PersistenceFailure(
        .inUse, "The database is in use by another process, or is open twice (\(text)).")
    case 11, 26: return PersistenceFailure(.corrupt, "The database is damaged: \(text) (\(code)).")
    case 3, 8, 14, 23:
      return PersistenceFailure(.unavailable, "The database cannot be opened: \(text) (\(code)).")
    // An app's trigger may raise any kind of error.
    case 19 where code != 1811, 20:
      return PersistenceFailure(.rejected, "The row is rejected: \(text) (\(code)).")
    case 13: return PersistenceFailure(.io, "The disk is full: \(text) (\(code)).")
    default: return PersistenceFailure(.io, "SQLite failed: \(text) (\(code)).")
    }
  }
}

/// A parameter of a statement.
enum SQLiteArgument {
  case int(Int64)
  /// Bytes that remain valid until the statement has run.
  case bytes(UnsafeRawBufferPointer)
  case value(SQLiteValue)
}

/// The current row of a statement.
struct SQLiteRow {
  fileprivate let statement: SQLiteLibrary.Statement
  fileprivate let library: SQLiteLibrary

  func int(_ column: CInt) -> Int64 { library.columnInt64(statement, column) }

  /// Returns the string in a column; `nil` for null.
  func text(_ column: CInt) -> String? {
    guard let first = library.columnText(statement, column) else { return nil }
    let count = Int(library.columnByteCount(statement, column))
    return String(decoding: UnsafeBufferPointer(start: first, count: count), as: UTF8.self)
  }

  /// Calls the closure with the bytes of a column, valid until it returns.
  func withBytes<Result>(
    _ column: CInt, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let bytes = library.columnBytes(statement, column)
    let count = Int(library.columnByteCount(statement, column))
    return try body(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
  }
}
