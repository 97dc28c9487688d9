#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Why a file could not be read.
struct FileError: Error, Hashable {
  let message: String
  /// Whether that is because there is no such file or folder.
  let isAbsence: Bool

  /// The reason is the one that the system gave last.
  ///
  /// - Parameter verb: What could not be done with the file.
  init(_ verb: String, _ path: String) {
    let reason = errno
    message = "Cannot \(verb) \"\(path)\": \(String(cString: strerror(reason)))."
    isAbsence = reason == ENOENT
  }

  /// What is no regular file may have no end, or keep its reader waiting.
  init(irregular path: String) {
    message = "Cannot read \"\(path)\": it is not a regular file."
    isAbsence = false
  }
}

/// The bytes of a file; `nil` where there is none.
///
/// - Throws: ``FileError`` where there is one that cannot be read.
func readFileIfThere(_ path: String) throws(FileError) -> ContiguousArray<UInt8>? {
  do {
    return try readFile(path)
  } catch {
    if error.isAbsence { return nil }
    throw error
  }
}

/// The bytes of a regular file, or of one that a link leads to.
///
/// - Throws: ``FileError`` with the path and the system's reason.
func readFile(_ path: String) throws(FileError) -> ContiguousArray<UInt8> {
  // A pipe is not waited for.
  let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard file >= 0 else { throw FileError("read", path) }
  defer { close(file) }
  var status = stat()
  guard fstat(file, &status) == 0 else { throw FileError("read", path) }
  let kind = status.st_mode & S_IFMT
  guard kind == S_IFREG || kind == S_IFDIR else { throw FileError(irregular: path) }
  var bytes = ContiguousArray<UInt8>()
  var end = false
  while !end {
    // The size helps, but a file may grow. One byte more, so that the end is seen.
    let room = max(1 << 10, bytes.isEmpty ? max(0, Int(status.st_size)) + 1 : bytes.count)
    var found = 0
    let chunk = ContiguousArray<UInt8>(unsafeUninitializedCapacity: room) { buffer, count in
      repeat { found = read(file, buffer.baseAddress, room) } while found < 0 && errno == EINTR
      count = max(0, found)
    }
    guard found >= 0 else { throw FileError("read", path) }
    end = found == 0
    if bytes.isEmpty { bytes = chunk } else { bytes.append(contentsOf: chunk) }
  }
  return bytes
}

/// Writes a file, whole or not at all: one that is replaced stays as it was until the other is complete.
///
/// - Throws: ``FileError`` with the path and the system's reason.
func writeFile(_ path: String, _ bytes: [UInt8]) throws(FileError) {
  let made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
  if made >= 0 { return try fill(made, path, bytes) }
  guard errno == EEXIST else { throw FileError("write", path) }
  // One of this process's own, so that another compiler's is not written, nor what a link leads to.
  let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
  let beside = "\(folder).relay-compiler-\(getpid()).new"
  unlink(beside)
  let file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
  guard file >= 0 else { throw FileError("write", beside) }
  try fill(file, beside, bytes)
  guard rename(beside, path) == 0 else {
    let error = FileError("write", path)
    unlink(beside)
    throw error
  }
}

/// Writes all bytes and closes the file; one that cannot be written whole is removed.
private func fill(_ file: Int32, _ path: String, _ bytes: [UInt8]) throws(FileError) {
  var written = 0
  while written < bytes.count {
    let count = bytes.withUnsafeBytes {
      write(file, $0.baseAddress?.advanced(by: written), bytes.count - written)
    }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else {
      let error = FileError("write", path)
      close(file)
      unlink(path)
      throw error
    }
    written += count
  }
  // Some file systems say only now that they could not write; closed it is in any case.
  guard close(file) == 0 || errno == EINTR else {
    let error = FileError("write", path)
    unlink(path)
    throw error
  }
}
