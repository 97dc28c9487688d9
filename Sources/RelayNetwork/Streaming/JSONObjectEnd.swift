import RelayStore

/// A scanner that finds the end of a JSON object in bytes that arrive over time.
///
/// It counts brackets outside of strings and checks nothing else. Valid JSON has only white space
/// after that end.
struct JSONObjectEnd: Sendable {
  private enum Position: Sendable {
    /// Before the first byte that is not white space.
    case start
    case betweenTokens
    case string
    /// After a backslash in a string.
    case escape
    /// After the end, or in a text that is not an object.
    case outside
  }

  private var position = Position.start
  private var depth = 0

  /// Reads the next byte, and returns whether it is the last one of the object.
  mutating func advance(_ byte: UInt8) -> Bool {
    switch position {
    case .betweenTokens:
      switch byte {
      case UInt8(ascii: "\""): position = .string
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { position = .outside }
        return depth == 0
      default: break
      }
    case .string:
      if byte == UInt8(ascii: "\"") { position = .betweenTokens }
      if byte == UInt8(ascii: "\\") { position = .escape }
    case .escape: position = .string
    case .start:
      if byte == UInt8(ascii: "{") {
        (position, depth) = (.betweenTokens, 1)
      } else if !byte.isJSONSpace {
        position = .outside
      }
    case .outside: break
    }
    return false
  }
}
