import Foundation

/// Writes a command's output to the file at a path.
///
/// A regular file is written completely or not at all: it retains its old contents until the new
/// ones are complete. Its permissions are preserved. For a symbolic link, its target is written,
/// not the link. Anything other than a regular file, such as a pipe or a device, is opened and
/// written to.
///
/// - Throws: ``FileError`` with the path and the system's reason.
package func writeFile(_ path: String, _ bytes: [UInt8]) throws(FileError) {
  switch try WriteTarget(path) {
  case .descriptor(let number): try writeAll(bytes, to: number, named: path)
  case .new(let target): try createFile(target, bytes, verb: "write")
  case .regular(let target, let mode): try replace(target, with: bytes, mode: mode)
  case .other(let target):
    let file = open(target, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { throw FileError("write", path) }
    defer { close(file) }
    try writeAll(bytes, to: file, named: path)
  }
}

/// The item that a path leads to.
private enum WriteTarget {
  /// No item; writing to the path creates a file.
  case new(String)
  case regular(String, mode: mode_t)
  /// A pipe, a device or a folder.
  case other(String)
  /// An open descriptor of this process, possibly for a file that others are also writing to.
  case descriptor(Int32)

  /// The maximum number of links to follow, the same as the system's.
  private static let linkLimit = 40

  /// Follows the links at a path.
  ///
  /// - Throws: ``FileError`` when there are too many, or when a regular file is not writable.
  init(_ path: String) throws(FileError) {
    var target = path
    for _ in 0..<Self.linkLimit {
      if let number = Self.descriptor(target) {
        self = .descriptor(number)
        return
      }
      guard let next = Self.link(target) else {
        self = try Self.item(target, named: path)
        return
      }
      target = next
    }
    errno = ELOOP
    throw FileError("write", path)
  }

  private static func item(_ target: String, named path: String) throws(FileError) -> Self {
    var status = stat()
    guard stat(target, &status) == 0 else {
      if errno == ENOENT { return .new(target) }
      throw FileError("write", path)
    }
    guard status.st_mode & S_IFMT == S_IFREG else { return .other(target) }
    guard access(target, W_OK) == 0 else { throw FileError("write", path) }
    return .regular(target, mode: status.st_mode & 0o7777)
  }

  /// Returns the target of a symbolic link; `nil` if the item is not a link.
  private static func link(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        characters.baseAddress.map { readlink(path, $0, characters.count) } ?? -1
      }
    }
    guard count > 0, count < buffer.count else { return nil }
    let link = String(decoding: buffer[..<count], as: UTF8.self)
    if link.hasPrefix("/") { return link }
    return (path.lastIndex(of: "/").map { path[...$0] } ?? "") + link
  }

  /// Returns the number of the descriptor that a path names.
  private static func descriptor(_ path: String) -> Int32? {
    for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
      return Int32(path.dropFirst(folder.count))
    }
    switch path {
    case "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default: return nil
    }
  }
}

/// Replaces the contents of a file, completely or not at all, and preserves its permissions. For a
/// symbolic link, its target is replaced, not the link.
///
/// - Parameter old: The contents of the file when it was read. If they have changed since, the file
///   is not replaced.
/// - Throws: ``FileError`` with the path and the reason.
package func replaceFile(
  _ path: String, _ old: ContiguousArray<UInt8>, with bytes: [UInt8]
) throws(FileError) {
  let target: String
  let mode: mode_t
  switch try WriteTarget(path) {
  case .regular(let file, let permissions): (target, mode) = (file, permissions)
  case .new: throw FileError("write", path)
  case .other, .descriptor: throw FileError(irregular: path)
  }
  let current = try readFile(target)
  // The file may have been formatted already through a different path.
  if current.elementsEqual(bytes) { return }
  guard current == old else { throw FileError(changed: path) }
  try replace(target, with: bytes, mode: mode)
}

/// The name prefix of files that are being written, before they are renamed.
private let temporaryPrefix = ".relay-compiler-"

/// Returns whether a path belongs to a file that a compiler is writing, or has failed to write.
package func isTemporaryFile(_ path: String) -> Bool {
  path.split(separator: "/").last?.hasPrefix(temporaryPrefix) == true
}

/// Writes a temporary file next to an existing one, then renames it over that file.
private func replace(_ path: String, with bytes: [UInt8], mode: mode_t) throws(FileError) {
  // This process creates the temporary file exclusively. It is neither another compiler's file nor
  // the target of a symbolic link.
  let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
  let temporaryPath = "\(folder)\(temporaryPrefix)\(getpid()).new"
  unlink(temporaryPath)
  let file = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
  guard file >= 0 else { throw FileError("write", temporaryPath) }
  fchmod(file, mode)
  try fill(file, at: temporaryPath, with: bytes)
  guard rename(temporaryPath, path) == 0 else {
    let error = FileError("write", path)
    unlink(temporaryPath)
    throw error
  }
}

/// Writes a new file, completely or not at all.
///
/// - Parameter verb: The verb for the failed action in the error.
/// - Throws: ``FileError`` with the path and the system's reason, including when the file exists.
package func createFile(
  _ path: String, _ bytes: [UInt8], verb: String = "create"
) throws(FileError) {
  let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
  guard file >= 0 else { throw FileError(verb, path) }
  try fill(file, at: path, with: bytes)
}

/// Writes all bytes and closes the file. Removes the file if it cannot be written completely.
private func fill(_ file: Int32, at path: String, with bytes: [UInt8]) throws(FileError) {
  do throws(FileError) {
    try writeAll(bytes, to: file, named: path)
  } catch {
    close(file)
    unlink(path)
    throw error
  }
  // Some file systems report a failed write only on `close`. The descriptor is closed either way.
  guard close(file) == 0 || errno == EINTR else {
    let error = FileError("write", path)
    unlink(path)
    throw error
  }
}
