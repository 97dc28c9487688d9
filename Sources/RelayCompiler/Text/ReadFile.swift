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
  while ferror(file) == 0, feof(file) == 0 {
    // The size helps, but a file may be a pipe, or grow. One byte more, so that the end is seen.
    let room = max(1 << 12, bytes.isEmpty ? size(of: file) + 1 : bytes.count)
    let chunk = ContiguousArray<UInt8>(unsafeUninitializedCapacity: room) { buffer, count in
      count = fread(buffer.baseAddress, 1, room, file)
    }
    if bytes.isEmpty { bytes = chunk } else { bytes.append(contentsOf: chunk) }
  }
  guard ferror(file) == 0 else {
    throw FileError(message: "Cannot read \"\(path)\": \(String(cString: strerror(errno))).")
  }
  return bytes
}

/// The size of a file, zero where it has none.
private func size(of file: UnsafeMutablePointer<FILE>) -> Int {
  var status = stat()
  guard fstat(fileno(file), &status) == 0 else { return 0 }
  return max(0, Int(status.st_size))
}
