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
    var number = 1
    while FileSystem.exists(damagedPath(number)) { number += 1 }
    let damaged = FileSystem.exists(path) ? number : number - 1
    for suffix in ["-wal", "-shm", "-journal", ""] {
      willRename()
      _ = try files.rename(path + suffix, to: damagedPath(number) + suffix)
    }
    // The old database's log must never be next to the new database, even if the disk loses writes.
    try files.synchronize(directory: directory)
    willRename()
    _ = try files.rename(replacementPath, to: path)
    try files.synchronize(directory: directory)
    return damaged == 0 ? nil : damagedPath(damaged)
  }

  private func damagedPath(_ number: Int) -> String {
    directory + "/\(file)-damaged-\(number).sqlite"
  }
}
