// The fast path: the common form of a value, read in few steps. Any other form, and any value near
// the end of the bytes, returns `nil` and is left to the slow path.
//
// The `UnsafeRawPointer` loads are in bounds because each is preceded by a comparison with `count`.

extension JSONScanner {
  /// Returns the index of the closing quote of a string without escapes.
  ///
  /// - Returns: `nil` if an escape, a non-ASCII byte or a control character comes first, or if
  ///   fewer than eight bytes are left.
  @inline(__always)
  func unescapedTextEnd(from start: Int) -> Int? {
    var at = start
    while at + 8 <= count {
      let special = Self.specials(at: self.start + at)
      if special == 0 {
        at += 8
        continue
      }
      at += special.trailingZeroBitCount >> 3
      return self.start.load(fromByteOffset: at, as: UInt8.self) == UInt8(ascii: "\"") ? at : nil
    }
    return nil
  }

  /// Returns the range of the next member's key, with its quotes, if a colon follows the key
  /// directly. Consumes only white space.
  ///
  /// - Returns: `nil` if the key has escapes or non-ASCII characters, or if white space follows it.
  mutating func peekPlainKey() -> Range<Int>? {
    skipSpace()
    guard position + 1 < count,
      start.load(fromByteOffset: position, as: UInt8.self) == UInt8(ascii: "\""),
      let end = unescapedTextEnd(from: position + 1), end + 1 < count,
      start.load(fromByteOffset: end + 1, as: UInt8.self) == UInt8(ascii: ":")
    else { return nil }
    return position..<end + 1
  }

  /// Returns the offset of the comma or closing brace after the member at an offset, without
  /// checking that the bytes between are JSON.
  ///
  /// - Returns: `nil` if the bytes end first.
  func endOfMember(from offset: Int) -> Int? {
    var (at, depth) = (offset, 0)
    while at < count {
      let byte = start.load(fromByteOffset: at, as: UInt8.self)
      switch byte {
      case UInt8(ascii: "\""):
        guard let end = endOfText(from: at + 1) else { return nil }
        at = end
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return at }
        depth -= 1
      case UInt8(ascii: ","): if depth == 0 { return at }
      default: break
      }
      at += 1
    }
    return nil
  }

  /// Returns the offset of a string's closing quote, without checking the string.
  private func endOfText(from offset: Int) -> Int? {
    var at = offset
    while at < count {
      if at + 8 <= count {
        let found = Self.quotesOrBackslashes(at: start + at)
        if found == 0 {
          at += 8
          continue
        }
        at += found.trailingZeroBitCount >> 3
      }
      let byte = start.load(fromByteOffset: at, as: UInt8.self)
      if byte == UInt8(ascii: "\"") { return at }
      at += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }

  /// Returns a word with the high bit set for each quote or backslash among the next eight bytes;
  /// as exact as ``specials(at:)``.
  @inline(__always)
  private static func quotesOrBackslashes(at address: UnsafeRawPointer) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let word = UInt64(littleEndian: address.loadUnaligned(as: UInt64.self))
    let quotes = word ^ (ones &* 0x22)
    let escapes = word ^ (ones &* 0x5C)
    return ((quotes &- ones) & ~quotes | (escapes &- ones) & ~escapes) & (ones &* 0x80)
  }

  /// Returns a word with the high bit set for each special byte among the next eight: quotes,
  /// backslashes, control characters and bytes outside ASCII.
  ///
  /// The lowest bit set is exact. Bits above it may be false positives, because the subtraction
  /// borrows.
  ///
  /// - Precondition: Eight bytes are readable at `address`.
  @inline(__always)
  static func specials(at address: UnsafeRawPointer) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let word = UInt64(littleEndian: address.loadUnaligned(as: UInt64.self))
    let quotes = word ^ (ones &* 0x22)
    let escapes = word ^ (ones &* 0x5C)
    return
      ((quotes &- ones) & ~quotes | (escapes &- ones) & ~escapes
      | (word &- (ones &* 0x20)) & ~word | word) & (ones &* 0x80)
  }

  /// The number of digits that fit into any `Int`, at most 16.
  private static var shortDigitCount: Int { Int.bitWidth < 64 ? 9 : 16 }

  /// Reads a short integer in the form that Swift prints, and advances `at` past it.
  ///
  /// - Returns: `nil` for any other value; `at` is then unchanged.
  @inline(__always)
  func shortInteger(_ at: inout Int) -> Int? {
    guard at < count else { return nil }
    let isNegative = start.load(fromByteOffset: at, as: UInt8.self) == UInt8(ascii: "-")
    let first = isNegative ? at + 1 : at
    var (end, value) = (first, 0)
    while end < count, end - first < Self.shortDigitCount,
      case let digit = start.load(fromByteOffset: end, as: UInt8.self) &- UInt8(ascii: "0"),
      digit < 10
    {
      value = value &* 10 &+ Int(digit)
      end += 1
    }
    guard end > first, end < count,
      start.load(fromByteOffset: first, as: UInt8.self) != UInt8(ascii: "0")
        || (end == first + 1 && !isNegative),
      !Self.continuesNumber(start.load(fromByteOffset: end, as: UInt8.self))
    else { return nil }
    at = end
    return isNegative ? -value : value
  }

  /// Reads `true` or `false` and advances `at` past it.
  ///
  /// - Returns: `nil` for any other value; `at` is then unchanged.
  @inline(__always)
  func literalBool(_ at: inout Int) -> Bool? {
    guard at + 5 <= count else { return nil }
    let word = UInt32(
      littleEndian: (start + at).loadUnaligned(as: UInt32.self))
    if word == 0x6575_7274 {  // true
      at += 4
      return true
    }
    let last = start.load(fromByteOffset: at + 4, as: UInt8.self)
    guard word == 0x736C_6166, last == UInt8(ascii: "e") else { return nil }  // false
    at += 5
    return false
  }
}
