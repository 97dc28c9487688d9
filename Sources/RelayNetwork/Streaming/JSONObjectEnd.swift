import RelayStore

/// A scanner that finds the end of a JSON object in bytes that arrive over time.
///
/// It counts brackets outside strings and does not check anything else. In valid JSON only white
/// space follows that end.
struct JSONObjectEnd: Sendable {
  private enum Position: Sendable {
    /// Before the first non-white-space byte.
    case start
    case betweenTokens
    case string
    /// After a backslash in a string.
    case escape
    /// After the end, or in JSON that is not an object.
    case outside
  }

  private var position = Position.start
  private var depth = 0

  /// Reads the next byte. Returns whether it is the object's last byte.
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
