import GraphQLLanguage

/// The text of a JSON file, in which keys have locations.
struct JSONFile {
  private let path: String
  private let lines: LineIndex
  /// The byte offset of each key and list element, by the keys that lead to it.
  private let offsets: [String: Int]

  init(_ source: Source) {
    path = source.path
    lines = LineIndex(source.bytes)
    offsets = Self.offsets(in: source.bytes)
  }

  /// Returns the location of a byte.
  func location(of offset: Int) -> SourceLocation {
    lines.location(path: path, offset: UInt32(truncatingIfNeeded: offset))
  }

  /// Returns the location of a key such as `input.schemaSearchPaths[0]`.
  func location(ofKey key: String) -> SourceLocation { location(of: offsets[key] ?? 0) }

  /// An object or a list around the byte that is read.
  private struct Frame {
    let path: String
    let isList: Bool
    var count = 0
    var expectsName: Bool
    var name = ""

    /// The keys of the member or element that is read.
    var child: String {
      if isList { return "\(path)[\(count)]" }
      return path.isEmpty ? name : "\(path).\(name)"
    }
  }

  /// Finds the keys. A text that is not JSON has any offsets.
  private static func offsets(in bytes: ContiguousArray<UInt8>) -> [String: Int] {
    var offsets: [String: Int] = [:]
    var frames: [Frame] = []
    var index = 0
    /// Notes where a list's element begins.
    func begin() {
      guard let frame = frames.last, frame.isList, offsets[frame.child] == nil else { return }
      offsets[frame.child] = index
    }
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        begin()
        let isList = bytes[index] == UInt8(ascii: "[")
        // No JSON that is accepted nests deeper.
        if frames.count > JSONReader.depthLimit { return offsets }
        frames.append(
          Frame(path: frames.last?.child ?? "", isList: isList, expectsName: !isList))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = frames.popLast()
      case UInt8(ascii: ","):
        guard let last = frames.indices.last else { break }
        frames[last].count += 1
        frames[last].expectsName = !frames[last].isList
      case UInt8(ascii: "\""):
        begin()
        let start = index + 1
        index = end(ofStringAt: start, in: bytes)
        guard let last = frames.indices.last, frames[last].expectsName else { break }
        frames[last].name = String(decoding: bytes[start..<index], as: UTF8.self)
        frames[last].expectsName = false
        offsets[frames[last].child] = start - 1
      case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ":"): break
      default: begin()
      }
      index += 1
    }
    return offsets
  }

  /// Returns the index of the quotation mark that ends a string.
  private static func end(ofStringAt start: Int, in bytes: ContiguousArray<UInt8>) -> Int {
    var index = start
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index, bytes.count)
  }
}
