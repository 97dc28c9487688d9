/// Splits the bytes from an assistant into lines; each line is a message.
struct LineReader {
  /// A line without its line end, or a marker for a line that was too long and skipped.
  enum Line: Equatable {
    case text(ContiguousArray<UInt8>)
    case tooLong
  }

  /// The largest number of bytes in a line.
  static let defaultLimit = 16 << 20

  private let limit: Int
  private var bytes: ContiguousArray<UInt8> = []
  /// Whether the rest of a line is being skipped.
  private var isSkipping = false

  init(limit: Int = Self.defaultLimit) { self.limit = limit }

  /// Appends received bytes.
  ///
  /// - Returns: The lines that they complete, except blank ones.
  /// - Complexity: O(*n*) in the received bytes and the length of the lines that they complete.
  mutating func append(_ received: some Sequence<UInt8>) -> [Line] {
    var lines: [Line] = []
    for byte in received {
      if byte == 0x0A {
        endLine(&lines)
      } else if isSkipping {
        continue
      } else if bytes.count < limit {
        bytes.append(byte)
      } else {
        bytes = []
        isSkipping = true
      }
    }
    return lines
  }

  /// Ends the last line, with or without a line feed.
  mutating func end() -> [Line] {
    var lines: [Line] = []
    if isSkipping || !bytes.isEmpty { endLine(&lines) }
    return lines
  }

  private mutating func endLine(_ lines: inout [Line]) {
    if isSkipping {
      lines.append(.tooLong)
    } else if !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) {
      lines.append(.text(bytes))
    }
    isSkipping = false
    bytes = []
  }
}
