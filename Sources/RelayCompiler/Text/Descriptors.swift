import Foundation

/// The name of standard output in messages.
package let standardOutputName = "<stdout>"

/// Writes a string to standard output.
///
/// - Throws: ``FileError`` with the system's reason, including when standard output is closed.
package func writeStandardOutput(_ text: String) throws(FileError) {
  try writeAll(Array(text.utf8), to: STDOUT_FILENO, named: standardOutputName)
}

/// Closes standard output. Some file systems report a failed write only at this point.
///
/// - Throws: ``FileError`` with the system's reason.
func closeStandardOutput() throws(FileError) {
  guard close(STDOUT_FILENO) == 0 || errno == EINTR else {
    throw FileError("write", standardOutputName)
  }
}

/// Opens a placeholder that can neither be read nor written for each closed standard descriptor, so
/// that no file opened later takes its number.
package func reserveStandardDescriptors() {
  let modes = [
    (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY),
  ]
  for (descriptor, mode) in modes where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
    // `open` returns the lowest free number, which is this descriptor.
    _ = open("/dev/null", mode)
  }
}

/// Writes all bytes to a descriptor, waiting while it has no room.
///
/// - Parameter name: The name of the descriptor's file in errors.
/// - Throws: ``FileError`` with the system's reason.
package func writeAll(
  _ bytes: [UInt8], to descriptor: Int32, named name: String
) throws(FileError) {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count > 0 {
      rest = rest.dropFirst(count)
    } else if count < 0, errno == EAGAIN {
      var port = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&port, 1, -1)
    } else if count == 0 || errno != EINTR {
      throw FileError("write", name)
    }
  }
}
