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
}

/// The bytes of a file.
///
/// - Throws: ``FileError`` with the path and the system's reason.
func readFile(_ path: String) throws(FileError) -> ContiguousArray<UInt8> {
  guard let file = fopen(path, "rb") else {
    throw FileError(message: "Cannot read \"\(path)\": \(String(cString: strerror(errno))).")
  }
  defer { fclose(file) }
  var bytes = ContiguousArray<UInt8>()
  while true {
    let start = bytes.count
    let room = max(1 << 16, start)
    var count = 0
    bytes.append(contentsOf: repeatElement(0, count: room))
    bytes.withUnsafeMutableBytes { buffer in
      count = fread(buffer.baseAddress.map { $0 + start }, 1, room, file)
    }
    bytes.removeLast(room - count)
    if count == 0 { break }
  }
  guard ferror(file) == 0 else {
    throw FileError(message: "Cannot read \"\(path)\": \(String(cString: strerror(errno))).")
  }
  return bytes
}
