import RelayCompiler

/// The contents of files. A file is read again when its date or size changes.
final class CachedFiles {
  private var texts: [String: (stamp: FileStamp?, bytes: ContiguousArray<UInt8>)] = [:]

  /// Returns the contents of a file.
  func bytes(at path: String) throws(FileError) -> ContiguousArray<UInt8> {
    let stamp = FileStamp(ofFile: path)
    if let known = texts[path], let stamp, known.stamp == stamp { return known.bytes }
    let bytes = try readFile(path)
    texts[path] = (stamp.flatMap { $0.isSettled ? $0 : nil }, bytes)
    return bytes
  }
}
