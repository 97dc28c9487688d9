extension Lexer {
  /// Lexes an integer or a float; a fraction or exponent makes it a float.
  mutating func number() -> Token {
    let start = position
    var kind = Token.Kind.int
    if byte(at: position) == UInt8(ascii: "-") { position += 1 }
    if byte(at: position) == UInt8(ascii: "0") {
      position += 1
      if CharacterClass.of(byte(at: position)) == CharacterClass.digit {
        return fail(
          "Invalid number, unexpected digit after 0: \(characterDescription(at: position)).",
          at: position, help: "Numbers have no leading zeros.")
      }
    } else if !skipDigits() {
      return digitExpected()
    }
    if byte(at: position) == UInt8(ascii: ".") {
      kind = .float
      position += 1
      if !skipDigits() { return digitExpected() }
    }
    if byte(at: position) | 0x20 == UInt8(ascii: "e") {
      kind = .float
      position += 1
      let sign = byte(at: position)
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
      if !skipDigits() { return digitExpected() }
    }
    let next = byte(at: position)
    if next == UInt8(ascii: ".") || CharacterClass.of(next) == CharacterClass.letter {
      return digitExpected()
    }
    return token(kind, from: start, symbol: intern(from: start))
  }

  /// Skips digits and returns whether there was at least one.
  private mutating func skipDigits() -> Bool {
    let start = position
    while CharacterClass.of(byte(at: position)) == CharacterClass.digit { position += 1 }
    return position > start
  }

  private mutating func digitExpected() -> Token {
    let offset = position
    while byte(at: position) == UInt8(ascii: ".")
      || CharacterClass.continuesName(byte(at: position))
    {
      position += 1
    }
    return fail(
      "Invalid number, expected a digit but found \(characterDescription(at: offset)).", at: offset)
  }
}
