import Foundation

/// The name of the standard output in messages.
package let standardOutputName = "<stdout>"

/// Writes a text to the standard output.
///
/// - Throws: ``FileError`` with the system's reason, also if the standard output is closed.
package func writeStandardOutput(_ text: String) throws(FileError) {
  try writeAll(Array(text.utf8), to: STDOUT_FILENO, named: standardOutputName)
}

/// Closes the standard output. Some file systems report a failed write only then.
///
/// - Throws: ``FileError`` with the system's reason.
func closeStandardOutput() throws(FileError) {
  guard close(STDOUT_FILENO) == 0 || errno == EINTR else {
    throw FileError("write", standardOutputName)
  }
}

/// Gives each standard descriptor that is closed one that can neither be read nor written, so that no
/// file that is opened later takes its number.
package func reserveStandardDescriptors() {
  let modes = [
    (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY),
  ]
  for (descriptor, mode) in modes where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
    // It is the lowest number that is free.
    _ = open("/dev/null", mode)
  }
}

/// Writes all bytes to a descriptor. One that has no room at the moment is waited for.
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
