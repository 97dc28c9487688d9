/// A lexer of one source.
///
/// `bytes` is a borrowed buffer: the lexer must not outlive the closure that provides it.
struct Lexer {
  /// The reason why the bytes at an offset do not form a token.
  struct Failure: Hashable, Sendable {
    var offset: UInt32
    var message: String
    var help: String?
  }

  let bytes: UnsafeBufferPointer<UInt8>
  private let interner: SymbolTable.LockedInterner
  var position = 0
  /// The offset at which the last token's line starts. Line terminators inside block strings do not
  /// count, so a token after a block string shares the string's line start.
  private(set) var lineStart = 0
  /// Whether the current token is the first on its line.
  private var isFirstOnLine = false
  /// The failure of the last ``Token/Kind/invalid`` token.
  var failure: Failure?

  /// Creates a lexer at the start of a source.
  init(_ bytes: UnsafeBufferPointer<UInt8>, interner: SymbolTable.LockedInterner) {
    self.bytes = bytes
    self.interner = interner
  }

  /// Returns the byte at an offset; 0 beyond the end.
  @inline(__always)
  func byte(at offset: Int) -> UInt8 {
    // The comparison with `count` keeps the unchecked access inside the buffer.
    offset < bytes.count ? bytes[unchecked: offset] : 0
  }

  /// Lexes the next token. At the end of the source, it returns ``Token/Kind/endOfText`` on every
  /// call. Lexing continues after an invalid token.
  mutating func next() -> Token {
    skipIgnored()
    let start = position
    guard start < bytes.count else { return token(.endOfText, from: start) }
    let first = byte(at: start)
    switch CharacterClass.of(first) {
    case CharacterClass.letter:
      position += 1
      while CharacterClass.continuesName(byte(at: position)) { position += 1 }
      return token(.name, from: start, symbol: intern(from: start))
    case CharacterClass.digit, UInt8(ascii: "-"): return number()
    case UInt8(ascii: "\""): return string()
    case UInt8(ascii: "."):
      guard byte(at: start + 1) == first, byte(at: start + 2) == first else {
        return unexpectedDot()
      }
      position += 3
      return token(.spread, from: start)
    case let found:
      guard let kind = Token.Kind(rawValue: found) else { return unexpectedCharacter() }
      position += 1
      return token(kind, from: start)
    }
  }

  @inline(__always)
  func token(_ kind: Token.Kind, from start: Int, symbol: Symbol = .empty) -> Token {
    Token(
      kind: kind, isFirstOnLine: isFirstOnLine, start: UInt32(truncatingIfNeeded: start),
      end: UInt32(truncatingIfNeeded: position), symbol: symbol)
  }

  @inline(__always)
  func intern(from start: Int) -> Symbol {
    interner.intern(UnsafeBufferPointer(rebasing: bytes[start..<position]))
  }

  /// Returns the bytes between two offsets.
  func slice(_ start: Int, _ end: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[start..<end])
  }

  /// Skips ignored tokens: white space, line terminators, commas, comments, and byte order marks
  /// anywhere in the source.
  mutating func skipIgnored() {
    isFirstOnLine = position == 0
    while position < bytes.count {
      switch CharacterClass.of(byte(at: position)) {
      case CharacterClass.space, UInt8(ascii: ","): position += 1
      case CharacterClass.lineEnd:
        isFirstOnLine = true
        position += 1
        lineStart = position
      case UInt8(ascii: "#"): skipComment()
      case CharacterClass.nonASCII where isByteOrderMark(at: position): position += 3
      default: return
      }
    }
  }

  private func isByteOrderMark(at offset: Int) -> Bool {
    byte(at: offset) == 0xEF && byte(at: offset + 1) == 0xBB && byte(at: offset + 2) == 0xBF
  }

  private mutating func skipComment() {
    while position < bytes.count {
      let next = byte(at: position)
      if next == 0x0A || next == 0x0D || !skipCharacter(next) { return }
    }
  }

  /// Skips one character of a comment or string, unless it is not valid UTF-8.
  ///
  /// - Parameter next: The character's first byte.
  /// - Returns: Whether it was skipped.
  @inline(__always)
  mutating func skipCharacter(_ next: UInt8) -> Bool {
    if next < 0x80 {
      position += 1
      return true
    }
    let length = UTF8Sequence.length(bytes, at: position)
    position += length
    return length > 0
  }
}

extension UnsafeBufferPointer {
  /// Accesses an element without a bounds check, except in debug builds. The index must be valid.
  @inline(__always)
  subscript(unchecked index: Int) -> Element {
    assert(index >= 0 && index < count)
    return baseAddress.unsafelyUnwrapped[index]
  }
}
