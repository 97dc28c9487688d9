import Foundation

/// A failure to read or write a file.
package struct FileError: Error, Hashable {
  package let message: String
  /// Whether the file or a folder in its path does not exist.
  var isNotFound = false
}

extension FileError {
  /// Creates an error with the reason in `errno`.
  ///
  /// - Parameter verb: The action that failed, such as "read".
  package init(_ verb: String, _ path: String) {
    let reason = errno
    self.init(
      message: "Cannot \(verb) \"\(path)\": \(String(cString: strerror(reason))).",
      isNotFound: reason == ENOENT)
  }

  /// Creates an error for a file that is not regular. Reading one might block or never end.
  init(irregular path: String) {
    self.init(message: "Cannot read \"\(path)\": it is not a regular file.")
  }

  /// Creates an error for a file whose contents have changed since it was read.
  init(changed path: String) {
    self.init(
      message:
        "\"\(path)\" changed while the command ran and was not overwritten. Run the command again.")
  }
}

/// Reads a file; returns `nil` if it does not exist.
///
/// - Throws: ``FileError`` if the file exists but cannot be read.
package func readFileIfPresent(_ path: String) throws(FileError) -> ContiguousArray<UInt8>? {
  do {
    return try readFile(path)
  } catch {
    if error.isNotFound { return nil }
    throw error
  }
}

/// Reads a regular file, or the target of a symbolic link.
///
/// - Throws: ``FileError`` with the path and the system's reason.
package func readFile(_ path: String) throws(FileError) -> ContiguousArray<UInt8> {
  // `O_NONBLOCK` prevents `open` from waiting for a pipe's writer.
  let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard file >= 0 else { throw FileError("read", path) }
  defer { close(file) }
  var status = stat()
  guard fstat(file, &status) == 0 else { throw FileError("read", path) }
  let kind = status.st_mode & S_IFMT
  guard kind == S_IFREG || kind == S_IFDIR else { throw FileError(irregular: path) }
  var bytes = ContiguousArray<UInt8>()
  var isAtEnd = false
  while !isAtEnd {
    // The size is only a hint, because the file may grow. One extra byte leaves room to detect the
    // end.
    let room = max(1 << 10, bytes.isEmpty ? max(0, Int(status.st_size)) + 1 : bytes.count)
    var found = 0
    let chunk = ContiguousArray<UInt8>(unsafeUninitializedCapacity: room) { buffer, count in
      repeat { found = read(file, buffer.baseAddress, room) } while found < 0 && errno == EINTR
      count = max(0, found)
    }
    guard found >= 0 else { throw FileError("read", path) }
    isAtEnd = found == 0
    if bytes.isEmpty { bytes = chunk } else { bytes.append(contentsOf: chunk) }
  }
  return bytes
}

/// Creates a folder and any missing parent folders.
///
/// - Throws: ``FileError`` with the path and the system's reason, also when a file or a broken
///   symbolic link is in the way.
package func createFolder(_ path: String) throws(FileError) {
  if mkdir(path, 0o777) == 0 { return }
  if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
    try createFolder(String(path[..<slash]))
    if mkdir(path, 0o777) == 0 { return }
  }
  let error = FileError("create the folder", path)
  // The folder exists, or another process has just created it.
  var status = stat()
  if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
  guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { throw error }
  throw FileError(
    message: "Cannot create the folder \"\(path)\": a broken symbolic link has that name.")
}

/// Removes a file; a no-op if it does not exist.
///
/// - Throws: ``FileError`` with the path and the system's reason.
func removeFile(_ path: String) throws(FileError) {
  guard unlink(path) == 0 || errno == ENOENT else { throw FileError("remove", path) }
}
