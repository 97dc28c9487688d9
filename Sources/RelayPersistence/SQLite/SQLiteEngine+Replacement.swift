import RelayStore

/// The replacement of a damaged database. The new database is written to a separate file, then
/// files are renamed:
///
///     outbox-incomplete.sqlite   →  outbox-replacement.sqlite
///     outbox.sqlite              →  outbox-damaged-1.sqlite, with its companion files
///     outbox-replacement.sqlite  →  outbox.sqlite
///
/// If the process ends before the first step is done, the old database is unchanged. After that,
/// opening the database completes the remaining steps.
extension SQLiteEngine {
  private var incompleteName: String { "\(file)-incomplete.sqlite" }
  private var incompletePath: String { directory + "/" + incompleteName }
  private var replacementPath: String { directory + "/\(file)-replacement.sqlite" }

  func replace(by batch: PersistenceBatch) throws -> String {
    try writeIncomplete(batch)
    close()
    willRename()
    _ = try files.rename(incompletePath, to: replacementPath)
    let path = try finishReplacement()
    try open()
    return path ?? self.path
  }

  /// Writes the new database. When this returns, all of it is in its file and on disk.
  private func writeIncomplete(_ batch: PersistenceBatch) throws {
    for suffix in ["", "-journal"] { try files.remove(incompletePath + suffix) }
    try files.makeFile(incompleteName, in: directory)
    let connection = try SQLiteConnection(
      incompletePath, SQLiteLibrary(path: libraryPath), vfs: vfs)
    // A write-ahead log would be a second file to rename.
    try connection.execute(
      """
      PRAGMA locking_mode = EXCLUSIVE; \(file.newFile) PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;
      """)
    try connection.transaction {
      try createTables(in: connection)
      try write(batch.rows, to: connection)
    }
  }

  /// Completes the steps of an interrupted replacement.
  ///
  /// - Returns: The new path of the damaged database; `nil` without a replacement.
  func finishReplacement() throws -> String? {
    guard FileSystem.exists(replacementPath) else { return nil }
    try files.synchronize(directory: directory)
    // The database itself is renamed last, so that its companion files get the same number. An
    // earlier process may already have renamed it.
    let number = freeNumber
    let damaged = FileSystem.exists(path) ? number : number - 1
    try renameDatabase(to: damagedPath(number))
    // The old database's log must never be next to the new database, even if the disk loses writes.
    try files.synchronize(directory: directory)
    willRename()
    _ = try files.rename(replacementPath, to: path)
    try files.synchronize(directory: directory)
    return damaged == 0 ? nil : damagedPath(damaged)
  }

  // MARK: Files that are not ours

  /// Renames an outbox without bytes: a new one does not exist yet, and one that was written is
  /// longer.
  ///
  /// - Returns: The new path; `nil` if there is none.
  func rejectEmptyFile() throws -> String? {
    guard file == .outbox, FileSystem.exists(path), FileSystem.size(path) == 0 else { return nil }
    let new = damagedPath(freeNumber)
    try renameDatabase(to: new)
    try files.synchronize(directory: directory)
    return new
  }

  /// Returns the kind of database that the file is; `nil` if it is ours. A backup or a person may
  /// have exchanged two files.
  func owner(of connection: SQLiteConnection) throws -> File? {
    var names: Set<String> = []
    try connection.run("SELECT name FROM sqlite_master WHERE type = 'table'") {
      if let name = $0.text(0) { names.insert(name) }
    }
    let other: File = file == .cache ? .outbox : .cache
    let isOurs = file.tables.contains { names.contains("\($0)") }
    return !isOurs && other.tables.contains { names.contains("\($0)") } ? other : nil
  }

  /// Returns the failure of a file that is another kind of database. An outbox where the cache
  /// should be is renamed first, because a damaged cache is removed.
  func misplaced(_ other: File) throws -> PersistenceFailure {
    let problem = "\"\(file).sqlite\" is the file of the \(other)"
    guard other == .outbox else { return PersistenceFailure(.corrupt, problem + ".") }
    let new = files.freePath(for: "outbox-misplaced.sqlite", in: directory)
    try renameDatabase(to: new)
    try files.synchronize(directory: directory)
    return PersistenceFailure(.corrupt, problem + "; it was renamed to \(new).")
  }

  /// Renames the database with its companion files. The database itself comes last, so that all of
  /// them get the same name if the process ends in between.
  private func renameDatabase(to new: String) throws {
    for suffix in ["-wal", "-shm", "-journal", ""] {
      willRename()
      _ = try files.rename(path + suffix, to: new + suffix)
    }
  }

  /// The number of the next damaged database.
  private var freeNumber: Int {
    var number = 1
    while FileSystem.exists(damagedPath(number)) { number += 1 }
    return number
  }

  private func damagedPath(_ number: Int) -> String {
    directory + "/\(file)-damaged-\(number).sqlite"
  }
}
