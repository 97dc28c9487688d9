extension Lexer {
  /// Lexes a string or block string. ``StringLiteral`` and ``BlockString`` evaluate the token.
  mutating func string() -> Token {
    let start = position
    if isTripleQuote(at: start) { return blockString() }
    position += 1
    while position < bytes.count {
      let next = byte(at: position)
      switch next {
      case UInt8(ascii: "\""):
        position += 1
        return token(.string, from: start)
      case UInt8(ascii: "\\"):
        guard let length = StringLiteral.escape(bytes, at: position)?.length else {
          return invalidEscape()
        }
        position += length
      case 0x0A, 0x0D: return unterminated(from: start)
      default: if !skipCharacter(next) { return invalidByte() }
      }
    }
    return unterminated(from: start)
  }

  private mutating func blockString() -> Token {
    let start = position
    position += 3
    while position < bytes.count {
      let next = byte(at: position)
      if next == 0x22, isTripleQuote(at: position) {
        position += 3
        return token(.blockString, from: start)
      }
      if next == UInt8(ascii: "\\"), isTripleQuote(at: position + 1) {
        position += 4
      } else if !skipCharacter(next) {
        return invalidByte()
      }
    }
    return unterminated(from: start)
  }

  @inline(__always)
  private func isTripleQuote(at offset: Int) -> Bool {
    byte(at: offset) == 0x22 && byte(at: offset + 1) == 0x22 && byte(at: offset + 2) == 0x22
  }

  private mutating func unterminated(from start: Int) -> Token {
    let isBlock = isTripleQuote(at: start)
    return fail(
      "Unterminated string.", at: position,
      help: isBlock
        ? "A block string ends with \"\"\"."
        : "Close it with a quote on the same line, or use a block string (\"\"\").")
  }

  private mutating func invalidByte() -> Token {
    fail(
      "Invalid character within a string: \(characterDescription(at: position)).", at: position)
  }

  private mutating func invalidEscape() -> Token {
    let start = position
    let isUnicode = byte(at: start + 1) == UInt8(ascii: "u")
    var end = min(start + 2, bytes.count)
    if isUnicode {
      // Extend the range to the longest possible escape within the string.
      let limit = byte(at: end) == UInt8(ascii: "{") ? end + 10 : end + 4
      while end < min(limit, bytes.count), bytes[end] > 0x20, bytes[end] < 0x7F, bytes[end] != 0x22
      {
        end += 1
        if bytes[end - 1] == UInt8(ascii: "}") { break }
      }
    }
    let text = String(decoding: slice(start, end), as: UTF8.self)
    skipRestOfString()
    return fail(
      isUnicode ? "Invalid Unicode escape: \"\(text)\"." : "Invalid character escape: \"\(text)\".",
      at: start, help: "The escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t, \\uXXXX and \\u{X…}.")
  }

  /// Whether the next token is a string that is still open at the end of the source.
  var isBeforeOpenString: Bool {
    var ahead = self
    ahead.skipIgnored()
    var offset = ahead.position
    guard byte(at: offset) == 0x22 else { return false }
    let isBlock = isTripleQuote(at: offset)
    offset += isBlock ? 3 : 1
    while offset < bytes.count {
      switch byte(at: offset) {
      case 0x22 where !isBlock || isTripleQuote(at: offset): return false
      case 0x0A where !isBlock, 0x0D where !isBlock: return false
      case UInt8(ascii: "\\") where isBlock: offset += isTripleQuote(at: offset + 1) ? 4 : 1
      case UInt8(ascii: "\\"):
        let next = byte(at: offset + 1)
        offset += next == 0x22 || next == UInt8(ascii: "\\") ? 2 : 1
      default: offset += 1
      }
    }
    return true
  }

  /// Advances past the closing quote or to the end of the line, where lexing can continue.
  private mutating func skipRestOfString() {
    position += 1
    while position < bytes.count {
      let next = bytes[position]
      if next == 0x0A || next == 0x0D { return }
      position += 1
      if next == 0x22 { return }
      if next == UInt8(ascii: "\\"), position < bytes.count, bytes[position] == 0x22 {
        position += 1
      }
    }
  }
}
