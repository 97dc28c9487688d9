/// Evaluation of string literals.
enum StringLiteral {
  /// Returns the value of a string, given the bytes between its quotes. The lexer must have
  /// accepted them.
  static func value(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
    var value: [UInt8] = []
    value.reserveCapacity(bytes.count)
    var offset = 0
    while offset < bytes.count {
      if bytes[offset] == UInt8(ascii: "\\"), let escape = escape(bytes, at: offset) {
        value.append(contentsOf: UTF8.encode(escape.scalar) ?? UTF8.encodedReplacementCharacter)
        offset += escape.length
      } else {
        value.append(bytes[offset])
        offset += 1
      }
    }
    return String(decoding: value, as: UTF8.self)
  }

  /// Decodes the escape sequence at an offset into its scalar value and its length in bytes.
  /// Returns `nil` if the sequence is invalid.
  static func escape(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> (
    scalar: Unicode.Scalar, length: Int
  )? {
    guard offset + 1 < bytes.count else { return nil }
    switch bytes[offset + 1] {
    case UInt8(ascii: "\""): return ("\"", 2)
    case UInt8(ascii: "\\"): return ("\\", 2)
    case UInt8(ascii: "/"): return ("/", 2)
    case UInt8(ascii: "b"): return ("\u{8}", 2)
    case UInt8(ascii: "f"): return ("\u{C}", 2)
    case UInt8(ascii: "n"): return ("\n", 2)
    case UInt8(ascii: "r"): return ("\r", 2)
    case UInt8(ascii: "t"): return ("\t", 2)
    case UInt8(ascii: "u"):
      guard offset + 2 < bytes.count else { return nil }
      return bytes[offset + 2] == UInt8(ascii: "{")
        ? variableWidthEscape(bytes, at: offset) : fixedWidthEscape(bytes, at: offset)
    default: return nil
    }
  }

  /// Decodes `\u{X…}`, with at most eight digits.
  private static func variableWidthEscape(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> (
    scalar: Unicode.Scalar, length: Int
  )? {
    var value: UInt32 = 0
    var end = offset + 3
    while end < bytes.count, let digit = Character(Unicode.Scalar(bytes[end])).hexDigitValue {
      value = value << 4 | UInt32(digit)
      guard value <= 0x10FFFF, end < offset + 11 else { return nil }
      end += 1
    }
    guard end > offset + 3, end < bytes.count, bytes[end] == UInt8(ascii: "}"),
      let scalar = Unicode.Scalar(value)
    else { return nil }
    return (scalar, end + 1 - offset)
  }

  /// Decodes `\uXXXX`, or two of them that form a surrogate pair.
  private static func fixedWidthEscape(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> (
    scalar: Unicode.Scalar, length: Int
  )? {
    guard let unit = fourDigits(bytes, at: offset + 2) else { return nil }
    if let scalar = Unicode.Scalar(unit) { return (scalar, 6) }
    guard unit < 0xDC00, offset + 7 < bytes.count, bytes[offset + 6] == UInt8(ascii: "\\"),
      bytes[offset + 7] == UInt8(ascii: "u"), let trailing = fourDigits(bytes, at: offset + 8),
      (0xDC00..<0xE000).contains(trailing),
      let scalar = Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (trailing - 0xDC00))
    else { return nil }
    return (scalar, 12)
  }

  /// Returns the value of the four hexadecimal digits at an offset, or `nil` if there are fewer.
  static func fourDigits(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> UInt32? {
    guard offset + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[offset..<offset + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
