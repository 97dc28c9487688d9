import Foundation

/// An open regular file of a fixed length, read at arbitrary offsets.
///
/// The file remains open until the reader is released, and remains the same file even if its path
/// is replaced.
package final class FileReader: Sendable {
  /// The number of bytes when the file was opened.
  package let length: Int
  private let path: String
  private let descriptor: Int32

  /// Opens a file.
  ///
  /// - Throws: ``RelayError`` with code `request` and the name of the file.
  package init(path: String) throws {
    self.path = path
    // Without `O_NONBLOCK`, opening a pipe waits for its writer.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 { throw Self.error(path, errno) }
    var status = stat()
    let isKnown = fstat(descriptor, &status) == 0
    let code = errno
    guard isKnown, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      if !isKnown { throw Self.error(path, code) }
      throw RelayError(.request, "\"\(path)\" cannot be uploaded: it is not a regular file.")
    }
    guard let length = Int(exactly: status.st_size) else {
      close(descriptor)
      throw RelayError(.request, "\"\(path)\" cannot be uploaded: it has \(status.st_size) bytes.")
    }
    self.length = length
  }

  deinit { close(descriptor) }

  /// Calls a closure with each chunk of the file, from the start.
  ///
  /// - Throws: ``RelayError`` with code `request` if the file cannot be read or has become shorter;
  ///   `CancellationError`.
  package func forEachChunk(_ body: UploadStream.Body) async throws {
    var offset = 0
    while offset < length {
      try Task.checkCancellation()
      let chunk = try [UInt8](unsafeUninitializedCapacity: UploadStream.chunkSize) {
        $1 = try read(into: UnsafeMutableRawBufferPointer($0), at: offset)
      }
      offset += chunk.count
      try await body(chunk)
    }
  }

  /// Reads the next bytes into a buffer.
  ///
  /// - Returns: The number of bytes read; 0 at the end.
  /// - Throws: As ``forEachChunk(_:)``.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
    let size = min(buffer.count, length - offset)
    if size <= 0 { return 0 }
    var count = -1
    repeat {
      count = pread(descriptor, buffer.baseAddress, size, off_t(offset))
    } while count < 0 && errno == EINTR
    if count < 0 { throw Self.error(path, errno) }
    if count == 0 {
      throw RelayError(
        .request,
        "\"\(path)\" became shorter while it was uploaded: \(offset.counted("byte")) instead of \(length)."
      )
    }
    return count
  }

  private static func error(_ path: String, _ code: Int32) -> RelayError {
    RelayError(
      .request, "\"\(path)\" cannot be read: \(String(cString: strerror(code))).",
      underlying: POSIXErrorCode(rawValue: code).map { POSIXError($0) })
  }
}
