import Foundation
import RelayStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The files of a storage, which only the user can read.
enum FileAccess {
  /// Creates a directory with mode 0700, and those around it. Their names are on the disk when this
  /// returns.
  ///
  /// - Throws: ``StorageFailure`` if there is none afterwards.
  static func makeDirectory(_ path: String) throws {
    var isMade = mkdir(path, 0o700) == 0
    if !isMade, errno == EEXIST { return }
    let slash = path.lastIndex(of: "/")
    if !isMade, errno == ENOENT, let slash, slash != path.startIndex {
      try makeDirectory(String(path[..<slash]))
      isMade = mkdir(path, 0o700) == 0
      if !isMade, errno == EEXIST { return }
    }
    if !isMade { throw failure("The directory \"\(path)\" cannot be created") }
    // Not every directory can be opened, such as one that others have made.
    if let slash, slash != path.startIndex { try? synchronize(String(path[..<slash])) }
  }

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
  static func makeFile(_ name: String, in directory: String) throws {
    let path = directory + "/" + name
    // The engine of the other database may remove the directory while it is empty.
    for _ in 0..<100 {
      try makeDirectory(directory)
      #if canImport(Darwin)
        protect(directory)
      #endif
      let file = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
      if file >= 0 {
        close(file)
        return
      }
      if errno == EEXIST { return }
      if errno != ENOENT, errno != EINTR { break }
    }
    throw failure("The file \"\(path)\" cannot be opened")
  }

  /// Renames a file; a no-op if there is none.
  static func rename(_ path: String, to new: String) throws {
    guard exists(path) else { return }
    // The function of C, which the method hides.
    let status = path.withCString { old in new.withCString { renameFile(old, $0) } }
    if status != 0 { throw failure("The file \"\(path)\" cannot be renamed") }
  }

  /// Waits until the names of a directory's files are on the disk; a no-op if there is no directory.
  static func synchronize(_ directory: String) throws {
    let file = open(directory, O_RDONLY | O_CLOEXEC)
    if file < 0, errno == ENOENT { return }
    if file < 0 { throw failure("The directory \"\(directory)\" cannot be opened") }
    defer { close(file) }
    #if canImport(Darwin)
      // `fsync` leaves the names in the drive's cache. Not every file system has the other call.
      if fcntl(file, F_FULLFSYNC) == 0 { return }
    #endif
    // Not every file system can synchronize a directory.
    if fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP { return }
    throw failure("The directory \"\(directory)\" cannot be written")
  }

  /// Empties the drive's cache on Apple's systems, whose SQLite orders its writes and leaves them there.
  ///
  /// An error is ignored, because the transaction has been committed and cannot be undone.
  static func flushDrive(of directory: String) {
    #if canImport(Darwin)
      // Any file of the drive will do.
      try? synchronize(directory)
    #endif
  }

  /// Whether a file exists.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Removes a file; a no-op if there is none.
  static func remove(_ path: String) throws {
    if unlink(path) != 0, errno != ENOENT {
      throw failure("The file \"\(path)\" cannot be removed")
    }
  }

  /// The names of the files in a directory; none if it cannot be read.
  static func names(in directory: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
  }

  /// Removes a directory, unless it has files.
  static func removeIfEmpty(_ directory: String) { rmdir(directory) }

  /// The number of bytes of a file; 0 if there is none.
  static func size(_ path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }

  private static func failure(_ text: String) -> StorageFailure {
    StorageFailure(.unavailable, "\(text): \(String(cString: strerror(errno))).")
  }
}

/// The function of C, by a name that no method hides.
private func renameFile(_ old: UnsafePointer<CChar>, _ new: UnsafePointer<CChar>) -> CInt {
  rename(old, new)
}
