import RelayStore

/// A storage engine over a SQLite database file: a table of rows by integer key for each
/// ``PersistenceTable``.
///
/// The file is in WAL mode. The records use `synchronous=NORMAL`: a power loss never leaves a
/// partial transaction, but may lose the last transactions. An outbox uses `FULL`: a committed
/// transaction is on disk. One connection holds an exclusive lock, so that other processes are
/// locked out and shared memory is unnecessary.
///
/// `@unchecked Sendable`: a journal or an outbox calls its engine only on its own serial queue. The
/// exception is ``markWiped()``, which uses only immutable properties.
final class SQLiteEngine: PersistenceEngine, @unchecked Sendable {
  /// The kind of database in a directory.
  enum File: String {
    case cache, outbox

    var tables: [PersistenceTable] {
      switch self {
      case .cache: PersistenceTable.allCases.filter { $0 != .entries && $0 != .aliases }
      case .outbox: [.entries, .aliases]
      }
    }

    /// The settings of a new file. Repeating them for an existing file would write to it.
    ///
    /// A commit to the outbox usually writes one page, so its pages are small.
    var newFile: String {
      "PRAGMA page_size = \(self == .cache ? 8_192 : 2_048); PRAGMA auto_vacuum = INCREMENTAL;"
    }
  }

  let directory: String
  let file: File
  let path: String
  let libraryPath: String?
  let vfs: String?
  let files = FileSystem()
  private(set) var connection: SQLiteConnection?
  private(set) var rejectedFile: String?
  /// Called before each rename of ``replace(by:)``, for tests.
  var willRename: () -> Void = {}

  /// - Parameters:
  ///   - file: The kind of database.
  ///   - directory: The path of the directory, created if necessary.
  ///   - library: The path of SQLite's library; by default, the system's.
  ///   - vfs: The name of SQLite's virtual file system; by default, SQLite's default.
  init(
    _ file: File = .cache, directory: String, library: String? = nil, vfs: String? = nil
  ) {
    self.file = file
    self.directory = directory
    path = directory + "/\(file).sqlite"
    libraryPath = library
    self.vfs = vfs
  }

  func open() throws {
    if connection != nil { return }
    let library = try SQLiteLibrary(path: libraryPath)
    if FileSystem.exists(mark) { try wipe() }
    rejectedFile = try finishReplacement() ?? rejectEmptyFile()
    let isNew = !FileSystem.exists(path)
    try files.makeFile("\(file).sqlite", in: directory)
    #if canImport(Darwin)
      FileSystem.excludeFromBackup(directory)
    #endif
    do {
      let opened = try connect(library)
      connection = opened
      if let other = try owner(of: opened) { throw NotOurs(file: other) }
      try opened.transaction { try createTables(in: opened) }
    } catch {
      connection = nil
      // The next call would take it for one that has lost its bytes.
      if isNew, FileSystem.size(path) == 0 { try? files.remove(path) }
      throw try (error as? NotOurs).map { try misplaced($0.file) } ?? error
    }
  }

  /// The file is another kind of database.
  private struct NotOurs: Error { let file: File }

  private func connect(_ library: SQLiteLibrary) throws -> SQLiteConnection {
    let isNew = FileSystem.size(path) == 0
    let opened = try SQLiteConnection(path, library, vfs: vfs)
    // The exclusive lock comes first: without it SQLite uses shared memory, which cannot be created
    // on a full disk.
    try opened.execute(
      """
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA busy_timeout = 2000; \(isNew ? file.newFile : "")
      PRAGMA cell_size_check = ON; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      PRAGMA journal_size_limit = 4194304;
      """)
    // The "fullfsync" settings have an effect only on Apple platforms, where the drive reorders
    // writes without them.
    switch file {
    case .cache:
      try opened.execute(
        "PRAGMA checkpoint_fullfsync = ON; PRAGMA wal_autocheckpoint = \(Self.checkpointPages)")
    case .outbox: try opened.execute("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON")
    }
    return opened
  }

  func createTables(in connection: SQLiteConnection) throws {
    for table in file.tables {
      try connection.execute(
        "CREATE TABLE IF NOT EXISTS \(table) (key INTEGER PRIMARY KEY, bytes BLOB NOT NULL)")
    }
  }

  func read(_ body: (RowKey, UnsafeRawBufferPointer) throws -> Void) throws {
    let connection = try openConnection
    for table in file.tables {
      try connection.run("SELECT key, bytes FROM \(table) ORDER BY key") { row in
        try row.withBytes(1) { try body(RowKey(table, row.int(0)), $0) }
      }
    }
  }

  func row(at key: RowKey) throws -> [UInt8]? {
    var found: [UInt8]?
    try openConnection.run(
      "SELECT bytes FROM \(key.table) WHERE key = ?", [.int(key.key)]
    ) { row in found = row.withBytes(0) { Array($0) } }
    return found
  }

  func write(_ batch: PersistenceBatch) throws {
    let connection = try openConnection
    if batch.isSecure { try connection.execute("PRAGMA secure_delete = ON") }
    try connection.transaction {
      if batch.isReplacement {
        for table in file.tables { try connection.execute("DELETE FROM \(table)") }
      }
      try write(batch.rows, to: connection)
    }
    // The journal still contains the old pages.
    if batch.isSecure { try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    if batch.isSecure || file == .outbox { files.flushDrive(of: directory) }
    // The batch is persisted even if pages cannot be returned.
    try? vacuum(connection)
  }

  func write(
    _ rows: [(key: RowKey, bytes: [UInt8]?)], to connection: SQLiteConnection
  ) throws {
    for (key, bytes) in rows {
      guard let bytes else {
        try connection.run("DELETE FROM \(key.table) WHERE key = ?", [.int(key.key)])
        continue
      }
      try bytes.withUnsafeBytes { bytes in
        try connection.run(
          "INSERT OR REPLACE INTO \(key.table) (key, bytes) VALUES (?, ?)",
          [.int(key.key), .bytes(bytes)])
      }
    }
  }

  /// The number of journal pages at which a transaction copies them to the file. A low number
  /// bounds the bytes that one transaction writes.
  private static let checkpointPages = 64
  /// The number of free pages above which the file shrinks, and the number of pages removed at
  /// once.
  private static let (freePages, vacuumedPages) = (256, 64)

  /// Returns some free pages to the file system if there are many.
  private func vacuum(_ connection: SQLiteConnection) throws {
    var free: Int64 = 0
    try connection.run("PRAGMA freelist_count") { row in free = row.int(0) }
    if free > Self.freePages {
      try connection.execute("PRAGMA incremental_vacuum(\(Self.vacuumedPages))")
    }
  }

  /// The directory of the outbox's files.
  static func uploads(in directory: String) -> String { directory + "/uploads" }

  /// The path of the file that marks the database as wiped.
  private var mark: String { directory + "/\(file).wiped" }

  func wipe() throws {
    if connection == nil { try checkIsNotInUse() }
    close()
    try removeFiles()
    if FileSystem.exists(mark) {
      try files.synchronize(directory: directory)
      try files.remove(mark)
    }
    FileSystem.removeIfEmpty(directory)
  }

  /// Checks that no other connection has the database open before its files are removed.
  private func checkIsNotInUse() throws {
    guard FileSystem.exists(path) else { return }
    do {
      let connection = try SQLiteConnection(path, SQLiteLibrary(path: libraryPath), vfs: vfs)
      try connection.execute(
        "PRAGMA locking_mode = EXCLUSIVE; PRAGMA busy_timeout = 2000; BEGIN IMMEDIATE; ROLLBACK")
    } catch let failure as PersistenceFailure where failure.kind == .inUse {
      throw failure
    } catch {
      // A database that cannot be opened is removed.
    }
  }

  func markWiped() throws {
    do {
      try files.makeFile("\(file).wiped", in: directory)
      try files.synchronize(directory: directory)
    } catch {
      // Without a mark, the files are removed at once. Connections that still have them open then
      // write to files that nothing can open again.
      try removeFiles()
      throw error
    }
  }

  private func removeFiles() throws {
    let others = ((try? files.names(in: directory)) ?? []).filter { $0.hasPrefix("\(file)-") }
    for name in others { try files.remove(directory + "/" + name) }
    for suffix in ["", "-wal", "-shm", "-journal"] { try files.remove(path + suffix) }
    if file == .outbox {
      let uploads = Self.uploads(in: directory)
      try files.removeContents(of: uploads)
      FileSystem.removeIfEmpty(uploads)
    }
  }

  func close() {
    if connection == nil { return }
    connection = nil
    // A suspended device may lose power.
    files.flushDrive(of: directory)
  }

  var byteCount: Int {
    Int(clamping: ["", "-wal"].reduce(0) { $0 + FileSystem.size(path + $1) })
  }

  private var openConnection: SQLiteConnection {
    get throws {
      guard let connection else {
        throw PersistenceFailure(.unavailable, "The database is closed.")
      }
      return connection
    }
  }
}
