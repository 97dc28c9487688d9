import Foundation
import RelayStore

/// The files of a storage. Only the user can read them.
extension FileSystem {
  #if canImport(Darwin)
    /// Excludes a directory from backups.
    static func excludeFromBackup(_ path: String) {
      var url = URL(fileURLWithPath: path, isDirectory: true)
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      // A volume that does not support this attribute is not backed up.
      try? url.setResourceValues(values)
    }

    /// Encrypts a directory's new files until the user first unlocks the device. The app's default
    /// may be stricter, but the files are used while the device is locked.
    private static func protect(_ path: String) {
      // A volume without data protection, such as a simulator's, rejects the attribute.
      try? FileManager.default.setAttributes(
        [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
        ofItemAtPath: path)
    }
  #endif

  /// Creates an empty file with mode 0600, unless it exists, and its directory. SQLite gives its
  /// companion files the same mode.
  ///
  /// An existing file is not opened: closing it would release the locks of a database open in this
  /// process.
  ///
  /// - Throws: ``PersistenceFailure`` if the file does not exist afterwards.
  func makeFile(_ name: String, in directory: String) throws {
    let path = directory + "/" + name
    // The engine of the other database may remove the directory while it is empty.
    for _ in 0..<100 {
      try makeDirectory(directory)
      #if canImport(Darwin)
        Self.protect(directory)
      #endif
      let file = Self.openFile(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC)
      if file >= 0 {
        close(file)
        return
      }
      if errno == EEXIST { return }
      if errno != ENOENT { break }
    }
    throw Self.failure("The file \"\(path)\" cannot be opened")
  }

  /// Creates a directory whose files have the protection of the database.
  ///
  /// - Throws: ``PersistenceFailure``.
  func makeProtectedDirectory(_ path: String) throws {
    try makeDirectory(path)
    #if canImport(Darwin)
      Self.protect(path)
    #endif
  }

  /// Flushes the drive's cache on Apple platforms, where SQLite only orders its writes.
  ///
  /// Errors are ignored, because the transaction is committed and cannot be undone.
  func flushDrive(of directory: String) {
    #if canImport(Darwin)
      // Any file on the drive works.
      try? synchronize(directory: directory)
    #endif
  }

  /// Whether a file exists.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Removes a directory if it is empty.
  static func removeIfEmpty(_ directory: String) { rmdir(directory) }

  /// Returns the size of a file in bytes; 0 if it does not exist.
  static func size(_ path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }
}
