import Foundation
import RelayCompiler

/// The argument that stands for the standard input.
let standardInputArgument = "-"
/// The name of the standard input in diagnostics.
let standardInputName = "<stdin>"

/// Reads standard input to its end.
///
/// - Throws: ``FileError`` with the system's reason.
func readStandardInput() throws(FileError) -> ContiguousArray<UInt8> {
  var bytes: ContiguousArray<UInt8> = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw FileError("read", standardInputName) }
    if count == 0 { return bytes }
    bytes += buffer[..<count]
  }
}
