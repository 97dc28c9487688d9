// What values mostly are, read with as few steps as can be; what is anything else, or too near the
// end, is left to the functions that look at everything.

extension JSONScanner {
  /// Where the quote stands that ends a text; `nil` where there is an escape, what is not ASCII, or
  /// a control character before it, or where the end is near.
  @inline(__always)
  package func unescapedTextEnd(from start: Int) -> Int? {
    var at = start
    while at + 8 <= count {
      let special = Self.specials(in: self.start + at)
      if special == 0 {
        at += 8
        continue
      }
      at += special.trailingZeroBitCount >> 3
      return self.start.load(fromByteOffset: at, as: UInt8.self) == UInt8(ascii: "\"") ? at : nil
    }
    return nil
  }

  /// The high bits of those of the next eight bytes that mean something in a string: a quote, a
  /// backslash, a control character, or what is not ASCII.
  ///
  /// The lowest one is right, those above it may not be.
  @inline(__always)
  static func specials(in place: UnsafeRawPointer) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let word = UInt64(littleEndian: place.loadUnaligned(as: UInt64.self))
    let quotes = word ^ (ones &* 0x22)
    let escapes = word ^ (ones &* 0x5C)
    return
      ((quotes &- ones) & ~quotes | (escapes &- ones) & ~escapes
      | (word &- (ones &* 0x20)) & ~word | word) & (ones &* 0x80)
  }

  /// An integer of few digits that is written as Swift writes it, from a place on; `nil` for any other
  /// value, then nothing is passed over.
  @inline(__always)
  package func shortInteger(_ at: inout Int) -> Int? {
    guard at < count else { return nil }
    let isNegative = start.load(fromByteOffset: at, as: UInt8.self) == UInt8(ascii: "-")
    let first = isNegative ? at + 1 : at
    var (end, value) = (first, 0)
    while end < count, end - first < 16,
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

  /// A truth value from a place on; `nil` for any other value, then nothing is passed over.
  @inline(__always)
  package func literalBool(_ at: inout Int) -> Bool? {
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
