/// Decoding of single UTF-8 sequences. The lexer validates the text with it as it goes, so that an
/// error has its exact offset.
enum UTF8Sequence {
  /// Decodes the well-formed sequence at an offset: its scalar value and its length in bytes.
  /// Returns `nil` if there is none.
  static func decode(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> (
    scalar: Unicode.Scalar, length: Int
  )? {
    guard offset < bytes.count else { return nil }
    let first = bytes[offset]
    let length: Int
    switch first {
    case 0..<0x80: length = 1
    case 0xC2..<0xE0: length = 2
    case 0xE0..<0xF0: length = 3
    case 0xF0..<0xF5: length = 4
    default: return nil
    }
    guard offset + length <= bytes.count else { return nil }
    var value = length == 1 ? UInt32(first) : UInt32(first & (0x7F >> UInt8(length)))
    for index in 1..<max(length, 1) {
      let byte = bytes[offset + index]
      guard byte & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    let least: UInt32 = length == 3 ? 0x800 : length == 4 ? 0x10000 : 0
    guard value >= least, let scalar = Unicode.Scalar(value) else { return nil }
    return (scalar, length)
  }

  /// Returns the length in bytes of the well-formed sequence at an offset, or 0 if there is none.
  static func length(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int {
    decode(bytes, at: offset)?.length ?? 0
  }
}
