import Foundation
import RelayStore

/// The files of a storage, which only the user can read.
extension FileSystem {
  #if canImport(Darwin)
    /// Excludes a directory from backups.
    static func excludeFromBackup(_ path: String) {
      var url = URL(fileURLWithPath: path, isDirectory: true)
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      // A volume without this attribute is not backed up.
      try? url.setResourceValues(values)
    }

    /// Encrypts new files of a directory until the user first unlocks the device. The app's default
    /// may be stricter, and the files are used while the device is locked.
    private static func protect(_ path: String) {
      // A volume without protection, such as that of a simulator, refuses the attribute.
      try? FileManager.default.setAttributes(
        [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
        ofItemAtPath: path)
    }
  #endif

  /// Creates an empty file with mode 0600, unless it exists, and its directory. SQLite gives the files
  /// beside it the same mode.
  ///
  /// A file that exists is not opened: closing it would release the locks of a database that this
  /// process has open.
  ///
  /// - Throws: ``StorageFailure`` if there is none afterwards.
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

  /// Empties the drive's cache on Apple's systems, whose SQLite orders its writes and leaves them there.
  ///
  /// An error is ignored, because the transaction has been committed and cannot be undone.
  func flushDrive(of directory: String) {
    #if canImport(Darwin)
      // Any file of the drive will do.
      try? synchronize(directory: directory)
    #endif
  }

  /// Whether a file exists.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Removes a directory, unless it has files.
  static func removeIfEmpty(_ directory: String) { rmdir(directory) }

  /// The number of bytes of a file; 0 if there is none.
  static func size(_ path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }
}
