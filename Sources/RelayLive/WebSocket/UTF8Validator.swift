import RelayNetwork
import RelayStore

/// An incremental UTF-8 validator. Chunks may end inside a character.
///
/// Source: Unicode 16, section 3.9, table 3-7.
struct UTF8Validator: Sendable {
  /// The number of continuation bytes missing from the last character.
  private var missingCount = 0
  /// The allowed values of the next continuation byte.
  private var allowed = Self.anyContinuation

  private static let anyContinuation: ClosedRange<UInt8> = 0x80...0xBF

  /// Whether the last character is complete.
  var isComplete: Bool { missingCount == 0 }

  /// Validates the next bytes.
  ///
  /// - Returns: Whether the bytes accepted until now are a prefix of valid UTF-8.
  /// - Complexity: O(*n*) in the bytes; eight ASCII characters are validated at a time.
  mutating func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < bytes.count {
      if missingCount > 0 {
        guard allowed.contains(bytes[index]) else { return false }
        missingCount -= 1
        allowed = Self.anyContinuation
      } else {
        while index + 8 <= bytes.count,
          bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        { index += 8 }
        if index == bytes.count { break }
        guard beginCharacter(bytes[index]) else { return false }
      }
      index += 1
    }
    return true
  }

  private mutating func beginCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case ..<0x80: return true
    case 0xC2...0xDF: missingCount = 1
    case 0xE0...0xEF:
      missingCount = 2
      // Excludes overlong encodings and surrogates.
      if byte == 0xE0 { allowed = 0xA0...0xBF }
      if byte == 0xED { allowed = 0x80...0x9F }
    case 0xF0...0xF4:
      missingCount = 3
      // Excludes overlong encodings and scalars above U+10FFFF.
      if byte == 0xF0 { allowed = 0x90...0xBF }
      if byte == 0xF4 { allowed = 0x80...0x8F }
    default: return false
    }
    return true
  }
}
