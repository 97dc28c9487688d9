extension Lexer {
  /// Sets the failure at `offset` and returns an invalid token that starts there. If the lexer has
  /// not passed `offset`, it first advances past the character at that offset.
  mutating func fail(_ message: String, at offset: Int, help: String? = nil) -> Token {
    failure = Failure(offset: UInt32(truncatingIfNeeded: offset), message: message, help: help)
    if position <= offset {
      position = min(bytes.count, offset + max(1, UTF8Sequence.length(bytes, at: offset)))
    }
    return token(.invalid, from: offset)
  }

  /// Returns the character at an offset in the form used in messages: `"?"` or `U+00E9`.
  func characterDescription(at offset: Int) -> String {
    guard offset < bytes.count else { return "the end of the document" }
    guard let scalar = UTF8Sequence.decode(bytes, at: offset)?.scalar else {
      return "the byte 0x\(hexadecimal(UInt32(bytes[offset]), digits: 2)), which is not UTF-8"
    }
    if scalar == "\"" { return "'\"'" }
    if scalar.value >= 0x20, scalar.value < 0x7F { return "\"\(Character(scalar))\"" }
    return "U+\(hexadecimal(scalar.value, digits: 4))"
  }

  mutating func unexpectedCharacter() -> Token {
    let start = position
    let isQuote = byte(at: start) == UInt8(ascii: "'")
    return fail(
      "Unexpected character: \(characterDescription(at: start)).", at: start,
      help: isQuote ? "Write strings in double quotes (\")." : nil)
  }

  mutating func unexpectedDot() -> Token {
    let start = position
    while byte(at: position) == UInt8(ascii: ".") { position += 1 }
    let isNumber = CharacterClass.of(byte(at: position)) == CharacterClass.digit
    return fail(
      "Unexpected character: \".\".", at: start,
      help: isNumber && position == start + 1
        ? "A number needs a digit before the decimal point: write \"0.5\"."
        : "A spread is three dots: \"...\".")
  }
}
