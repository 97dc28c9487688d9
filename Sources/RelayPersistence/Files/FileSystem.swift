import Foundation
import RelayStore

/// File-system operations that exchange files between processes.
///
/// A file is written under a temporary name, synchronized, and then renamed, so a reader finds
/// either the complete file or none. Only the process owner can read it.
package struct FileSystem: Sendable {
  /// A kind of call that can fail.
  package enum Call: String, CaseIterable, Sendable {
    case makeDirectory, list, open, read, write, synchronize, rename, remove, synchronizeDirectory
  }

  /// Called with the path before each call. Throwing an error prevents the call; tests inject
  /// failures here.
  package var willCall: @Sendable (Call, String) throws -> Void = { _, _ in }
  /// The maximum number of bytes per write call.
  package var chunkSize = 1 << 20

  package init() {}

  // MARK: Reading

  /// Returns the bytes of a file; `nil` if it does not exist.
  ///
  /// The reported size may come from a sparse file, so memory is allocated only after the header
  /// was checked.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of bytes.
  ///   - headerSize: The number of bytes to check first; fewer if the file is shorter.
  ///   - check: Throws if these bytes cannot start a file of this size.
  /// - Throws: ``PersistenceFailure``, of kind `rejected` for a file that is too large or not a
  ///   regular file; any error thrown by `check`.
  package func read(
    _ path: String, limit: Int, headerSize: Int,
    check: (_ header: [UInt8], _ size: Int) throws -> Void
  ) throws -> [UInt8]? {
    try willCall(.open, path)
    let file = Self.openFile(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    if file < 0, errno == ENOENT { return nil }
    if file < 0, errno == ELOOP { throw PersistenceFailure(.rejected, "\"\(path)\" is a link.") }
    if file < 0 { throw Self.failure("The file \"\(path)\" cannot be opened") }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else {
      throw Self.failure("The file \"\(path)\" cannot be read")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw PersistenceFailure(.rejected, "\"\(path)\" is not a file.")
    }
    let size = Int(clamping: status.st_size)
    if size > limit {
      throw PersistenceFailure(
        .rejected, "The file \"\(path)\" has \(size.counted("byte")); the limit is \(limit).")
    }
    try willCall(.read, path)
    let header = try Self.bytes(of: file, at: path, count: min(headerSize, size))
    try check(header, size)
    try willCall(.read, path)
    lseek(file, 0, SEEK_SET)
    return try Self.bytes(of: file, at: path, count: size)
  }

  /// Returns the next bytes of a file, fewer at its end.
  private static func bytes(of file: CInt, at path: String, count: Int) throws -> [UInt8] {
    var (received, status) = (0, 0)
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while received < count, let base = buffer.baseAddress {
        status = systemRead(file, base + received, count - received)
        if status < 0, errno == EINTR { continue }
        if status <= 0 { break }
        received += status
      }
      initialized = received
    }
    if status < 0 { throw failure("The file \"\(path)\" cannot be read") }
    return bytes
  }

  /// Returns the names of a directory's files, sorted by their bytes; empty if the directory does
  /// not exist.
  ///
  /// - Parameter makingReadable: Whether to rename files whose names are not UTF-8.
  /// - Throws: ``PersistenceFailure``.
  package func names(in directory: String, makingReadable: Bool = false) throws -> [String] {
    try willCall(.list, directory)
    return try Self.rawNames(in: directory)
      .map { makingReadable ? try makeReadable($0, in: directory) : Self.text($0) }
      .sorted(byBytes: \.self)
  }

  // MARK: Writing

  /// Writes a file durably and atomically.
  ///
  /// - Parameter replaces: Whether to replace an existing file; otherwise it is an error.
  /// - Throws: ``PersistenceFailure``. The old file is then unchanged, unless only the final
  ///   synchronization failed.
  package func write(_ bytes: [UInt8], to path: String, replaces: Bool) throws {
    let (directory, name) = Self.split(path)
    let temporary = "\(directory)/\(Self.temporaryName(for: name))"
    do {
      try writeDurably(bytes, to: temporary)
      try willCall(.rename, path)
      if replaces {
        if systemRename(temporary, path) != 0 {
          throw Self.failure("The file \"\(temporary)\" cannot be renamed")
        }
      } else if !Self.renameExclusively(temporary, to: path) {
        throw Self.failure("The file \"\(path)\" cannot be created")
      }
    } catch {
      unlink(temporary)
      throw error
    }
    try synchronize(directory: directory)
  }

  private func writeDurably(_ bytes: [UInt8], to path: String) throws {
    try willCall(.open, path)
    let file = Self.openFile(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC)
    if file < 0 { throw Self.failure("The file \"\(path)\" cannot be created") }
    defer { close(file) }
    try write(bytes, to: file, at: path)
    try synchronize(file, at: path)
  }

  /// Appends bytes to an open file.
  ///
  /// - Throws: ``PersistenceFailure``.
  func write(_ bytes: [UInt8], to file: CInt, at path: String) throws {
    var position = 0
    while position < bytes.count {
      try willCall(.write, path)
      let count = bytes.withUnsafeBytes { buffer in
        systemWrite(
          file, buffer.baseAddress.map { $0 + position }, min(chunkSize, bytes.count - position))
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { throw Self.failure("The file \"\(path)\" cannot be written") }
      position += count
    }
  }

  /// Waits until an open file is on disk.
  ///
  /// - Throws: ``PersistenceFailure``.
  func synchronize(_ file: CInt, at path: String) throws {
    try willCall(.synchronize, path)
    if !Self.synchronize(file) { throw Self.failure("The file \"\(path)\" cannot be written") }
  }

  /// Creates a directory that only the process owner can read, and its missing parents.
  ///
  /// - Throws: ``PersistenceFailure`` if the directory does not exist afterwards.
  func makeDirectory(_ path: String) throws {
    try willCall(.makeDirectory, path)
    let parent = Self.split(path).directory
    var isMade = mkdir(path, 0o700) == 0
    if !isMade, errno == EEXIST { return }
    if !isMade, errno == ENOENT, path != parent {
      try makeDirectory(parent)
      isMade = mkdir(path, 0o700) == 0 || errno == EEXIST
    }
    if !isMade { throw Self.failure("The directory \"\(path)\" cannot be created") }
    try synchronize(directory: parent)
  }

  /// Moves a file or a directory.
  ///
  /// - Returns: Whether it existed.
  /// - Throws: ``PersistenceFailure``.
  package func rename(_ path: String, to new: String) throws -> Bool {
    try willCall(.rename, path)
    if systemRename(path, new) == 0 { return true }
    if errno == ENOENT { return false }
    throw Self.failure("The file \"\(path)\" cannot be renamed")
  }

  /// Removes a file; a no-op if it does not exist. The removal is durable once the directory is
  /// synchronized.
  ///
  /// - Throws: ``PersistenceFailure``.
  package func remove(_ path: String) throws {
    try willCall(.remove, path)
    if unlink(path) != 0, errno != ENOENT {
      throw Self.failure("The file \"\(path)\" cannot be removed")
    }
  }

  /// Waits until a directory's entries are on disk; a no-op if it does not exist.
  ///
  /// - Throws: ``PersistenceFailure``.
  func synchronize(directory: String) throws {
    try willCall(.synchronizeDirectory, directory)
    let file = Self.openFile(directory, O_RDONLY | O_CLOEXEC)
    if file < 0, errno == ENOENT { return }
    // Some directories cannot be opened, such as ones created by others.
    if file < 0, errno == EACCES || errno == EPERM { return }
    if file < 0 { throw Self.failure("The directory \"\(directory)\" cannot be opened") }
    defer { close(file) }
    if Self.synchronize(file) { return }
    // Some file systems cannot synchronize directories.
    if errno == EINVAL || errno == ENOTSUP { return }
    throw Self.failure("The directory \"\(directory)\" cannot be written")
  }
}

extension FileSystem {
  /// Splits a path into its directory and last component.
  package static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let directory = slash == path.startIndex ? "/" : String(path[..<slash])
    return (directory, String(path[path.index(after: slash)...]))
  }

  static func openFile(_ path: String, _ flags: CInt) -> CInt {
    while true {
      let file = open(path, flags, 0o600)
      if file >= 0 || errno != EINTR { return file }
    }
  }

  /// Waits until a file's bytes, or a directory's entries, are on disk.
  private static func synchronize(_ file: CInt) -> Bool {
    #if canImport(Darwin)
      // `fsync` leaves the data in the drive's cache. Some file systems do not support
      // `F_FULLFSYNC`.
      if fcntl(file, F_FULLFSYNC) == 0 { return true }
    #endif
    return fsync(file) == 0
  }

  /// Renames a file without replacing an existing one.
  ///
  /// - Returns: Whether it was renamed; if not, `errno` has the reason.
  private static func renameExclusively(_ path: String, to new: String) -> Bool {
    #if canImport(Darwin)
      if renamex_np(path, new, UInt32(RENAME_EXCL)) == 0 { return true }
      // Some file systems do not support the call.
      if errno != ENOTSUP, errno != EINVAL { return false }
    #endif
    if link(path, new) != 0 { return false }
    unlink(path)
    return true
  }

  static func failure(_ text: String) -> PersistenceFailure {
    PersistenceFailure(.io, "\(text): \(String(cString: strerror(errno))).")
  }
}

// C functions, under names that no method shadows.

private func systemRename(_ old: String, _ new: String) -> CInt { rename(old, new) }

private func systemRead(_ file: CInt, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(file, buffer, count)
}

private func systemWrite(_ file: CInt, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, buffer, count)
}
