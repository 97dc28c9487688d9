import RelayStore

/// The replacement of a damaged database. The new one is written beside it, then files are renamed:
///
///     outbox-incomplete.sqlite   →  outbox-replacement.sqlite
///     outbox.sqlite              →  outbox-damaged-1.sqlite, and the files beside it
///     outbox-replacement.sqlite  →  outbox.sqlite
///
/// A process that ends before the first step is done leaves the old database as it was. After that,
/// opening the database takes the other steps.
extension SQLiteStorageEngine {
  private var incompleteName: String { "\(file)-incomplete.sqlite" }
  private var incompletePath: String { directory + "/" + incompleteName }
  private var replacementPath: String { directory + "/\(file)-replacement.sqlite" }

  func replace(by batch: StorageBatch) throws -> String {
    try writeIncomplete(batch)
    close()
    willRename()
    _ = try files.rename(incompletePath, to: replacementPath)
    let path = try finishReplacement()
    try open()
    return path ?? self.path
  }

  /// Writes the new database. All of it is in its file, on the disk, when this returns.
  private func writeIncomplete(_ batch: StorageBatch) throws {
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

  /// Takes the steps that a process has left when it ended.
  ///
  /// - Returns: The new path of the damaged database; `nil` if there is no replacement.
  func finishReplacement() throws -> String? {
    guard FileSystem.exists(replacementPath) else { return nil }
    try files.synchronize(directory: directory)
    // The database itself is renamed last, so the files beside it get the same number. An earlier
    // process may have renamed it.
    var number = 1
    while FileSystem.exists(damagedPath(number)) { number += 1 }
    let damaged = FileSystem.exists(path) ? number : number - 1
    for suffix in ["-wal", "-shm", "-journal", ""] {
      willRename()
      _ = try files.rename(path + suffix, to: damagedPath(number) + suffix)
    }
    // The log of the old database must not be beside the new one, whatever the disk has lost.
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
