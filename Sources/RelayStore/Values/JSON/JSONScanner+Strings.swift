// Strings are read in two steps. The first finds the end and checks escapes and UTF-8. The second
// resolves the escapes and cannot fail.

extension JSONScanner {
  /// The content of a string, without its quotes.
  package struct Text {
    package let range: Range<Int>
    package let hasEscapes: Bool
  }

  /// Reads a string and resolves its escapes.
  package mutating func string() throws(Failure) -> String {
    let text = try text()
    guard text.hasEscapes else { return String(decoding: bytes(in: text.range), as: UTF8.self) }
    return String(unsafeUninitializedCapacity: text.range.count) {
      unescape(text.range, to: UnsafeMutableRawBufferPointer($0))
    }
  }

  /// Reads a string without copying it, and checks its escapes and UTF-8.
  @inline(__always)
  package mutating func text() throws(Failure) -> Text {
    try expect(UInt8(ascii: "\""))
    let start = position
    skipPlainText()
    if position < count,
      self.start.load(fromByteOffset: position, as: UInt8.self) == UInt8(ascii: "\"")
    {
      position += 1
      return Text(range: start..<position - 1, hasEscapes: false)
    }
    return try longText(from: start)
  }

  /// Reads the rest of a string with escapes or non-ASCII characters.
  @inline(never)
  private mutating func longText(from start: Int) throws(Failure) -> Text {
    var hasEscapes = false
    while position < count {
      let byte = self.start.load(fromByteOffset: position, as: UInt8.self)
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return Text(range: start..<position - 1, hasEscapes: hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        position += 1
        try skipEscape()
      case 0..<0x20: throw failure("control character in a string")
      case 0x80...:
        guard let length = lengthOfScalar(at: position) else {
          throw Failure(reason: "bytes that are not UTF-8", offset: start)
        }
        position += length
      default:
        position += 1
        skipPlainText()
      }
    }
    throw failure("unexpected end")
  }

  /// Skips unescaped ASCII, eight bytes at a time.
  @inline(__always)
  private mutating func skipPlainText() {
    while position + 8 <= count {
      let special = Self.specials(at: start + position)
      if special != 0 {
        position += special.trailingZeroBitCount >> 3
        return
      }
      position += 8
    }
  }

  /// Returns the length of the UTF-8 sequence at an offset whose first byte is not ASCII (table 3-7
  /// of the Unicode Standard); `nil` if the sequence is ill-formed.
  private func lengthOfScalar(at offset: Int) -> Int? {
    func isTrailing(_ index: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
      offset + index < count
        && range.contains(start.load(fromByteOffset: offset + index, as: UInt8.self))
    }
    switch start.load(fromByteOffset: offset, as: UInt8.self) {
    case 0xC2...0xDF: return isTrailing(1) ? 2 : nil
    case 0xE0: return isTrailing(1, 0xA0...0xBF) && isTrailing(2) ? 3 : nil
    case 0xED: return isTrailing(1, 0x80...0x9F) && isTrailing(2) ? 3 : nil
    case 0xE1...0xEF: return isTrailing(1) && isTrailing(2) ? 3 : nil
    case 0xF0: return isTrailing(1, 0x90...0xBF) && isTrailing(2) && isTrailing(3) ? 4 : nil
    case 0xF1...0xF3: return isTrailing(1) && isTrailing(2) && isTrailing(3) ? 4 : nil
    case 0xF4: return isTrailing(1, 0x80...0x8F) && isTrailing(2) && isTrailing(3) ? 4 : nil
    default: return nil
    }
  }

  // MARK: Escapes

  /// Skips the rest of an escape, after its backslash.
  private mutating func skipEscape() throws(Failure) {
    guard position < count else { throw failure("unexpected end") }
    switch start.load(fromByteOffset: position, as: UInt8.self) {
    case UInt8(ascii: "u"):
      position += 1
      try skipUnicodeEscape()
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 1
    default: throw failure("unknown escape")
    }
  }

  private mutating func skipUnicodeEscape() throws(Failure) {
    let first = try hexUnit()
    if Unicode.Scalar(first) != nil { return }
    guard first < 0xDC00, position + 2 <= count,
      start.load(fromByteOffset: position, as: UInt8.self) == UInt8(ascii: "\\"),
      start.load(fromByteOffset: position + 1, as: UInt8.self) == UInt8(ascii: "u")
    else { throw failure("lone surrogate") }
    position += 2
    guard (0xDC00..<0xE000).contains(try hexUnit()) else { throw failure("lone surrogate") }
  }

  private mutating func hexUnit() throws(Failure) -> UInt32 {
    guard position + 4 <= count else { throw failure("unexpected end") }
    guard let unit = hexUnit(at: position) else {
      throw failure("expected four hexadecimal digits")
    }
    position += 4
    return unit
  }

  /// Returns the value of four hexadecimal digits; `nil` if a byte is not such a digit.
  ///
  /// - Precondition: Four bytes are readable at `offset`.
  private func hexUnit(at offset: Int) -> UInt32? {
    var unit: UInt32 = 0
    for index in offset..<offset + 4 {
      let byte = start.load(fromByteOffset: index, as: UInt8.self)
      let digit = byte &- UInt8(ascii: "0")
      let letter = (byte | 0x20) &- UInt8(ascii: "a")
      if digit < 10 {
        unit = unit << 4 | UInt32(digit)
      } else if letter < 6 {
        unit = unit << 4 | UInt32(letter + 10)
      } else {
        return nil
      }
    }
    return unit
  }

  /// Writes the content of a string with its escapes resolved, which makes it shorter.
  ///
  /// - Parameter output: At least as many bytes as `range` has. Those after the result are undefined.
  /// - Returns: The number of bytes of the result.
  /// - Precondition: `range` belongs to a ``Text`` with escapes, so its content has been checked.
  func unescape(_ range: Range<Int>, to output: UnsafeMutableRawBufferPointer) -> Int {
    var (position, count) = (range.lowerBound, 0)
    while position < range.upperBound {
      if position + 8 <= range.upperBound {
        // The bytes from the first backslash on are not part of the result.
        let word = (start + position).loadUnaligned(as: UInt64.self)
        output.storeBytes(of: word, toByteOffset: count, as: UInt64.self)
        let length = Self.plainBytes(in: UInt64(littleEndian: word))
        (position, count) = (position + length, count + length)
        if length == 8 { continue }
      }
      let byte = start.load(fromByteOffset: position, as: UInt8.self)
      var (utf8, length, next) = (UInt32(byte), 1, position + 1)
      if byte == UInt8(ascii: "\\") { (utf8, length, next) = resolvedEscape(at: position) }
      for _ in 0..<length {
        output[count] = UInt8(truncatingIfNeeded: utf8)
        (utf8, count) = (utf8 >> 8, count + 1)
      }
      position = next
    }
    return count
  }

  /// Returns the number of bytes before the first backslash, at most 8.
  private static func plainBytes(in word: UInt64) -> Int {
    let different = word ^ 0x5C5C_5C5C_5C5C_5C5C
    // The lowest bit is exact, and borrows reach only the bytes above it.
    let zeros = (different &- 0x0101_0101_0101_0101) & ~different & 0x8080_8080_8080_8080
    return zeros.trailingZeroBitCount >> 3
  }

  /// Returns the UTF-8 of the escape at an offset (lowest byte first), its byte count, and the
  /// offset after the escape.
  private func resolvedEscape(at offset: Int) -> (utf8: UInt32, count: Int, end: Int) {
    let byte = start.load(fromByteOffset: offset + 1, as: UInt8.self)
    switch byte {
    case UInt8(ascii: "b"): return (0x08, 1, offset + 2)
    case UInt8(ascii: "f"): return (0x0C, 1, offset + 2)
    case UInt8(ascii: "n"): return (0x0A, 1, offset + 2)
    case UInt8(ascii: "r"): return (0x0D, 1, offset + 2)
    case UInt8(ascii: "t"): return (0x09, 1, offset + 2)
    case UInt8(ascii: "u"): break
    default: return (UInt32(byte), 1, offset + 2)
    }
    let first = hexUnit(at: offset + 2) ?? 0xFFFD
    if first < 0x80 { return (first, 1, offset + 6) }
    if first < 0x800 { return (0x80C0 | first >> 6 | (first & 0x3F) << 8, 2, offset + 6) }
    if !(0xD800..<0xE000).contains(first) {
      let utf8 = 0x80_80E0 | first >> 12 | (first >> 6 & 0x3F) << 8 | (first & 0x3F) << 16
      return (utf8, 3, offset + 6)
    }
    let second = hexUnit(at: offset + 8) ?? 0xDC00
    let scalar = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
    let utf8 =
      0x8080_80F0 | scalar >> 18 | (scalar >> 12 & 0x3F) << 8 | (scalar >> 6 & 0x3F) << 16
      | (scalar & 0x3F) << 24
    return (utf8, 4, offset + 12)
  }
}
