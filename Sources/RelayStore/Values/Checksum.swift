/// A 64-bit hash of bytes, the same in every process. Used to recognize bytes and to detect damage;
/// not collision-resistant.
///
/// Each step is a bijection of the state for a given word, and maps different words to different
/// states. So any change within one word changes the hash; any other change does with a probability
/// of 1 - 2⁻⁶⁴.
package struct Checksum: Hashable, Sendable {
  package private(set) var value: UInt64

  /// Starts a hash.
  ///
  /// - Parameter seed: A number that is hashed first.
  package init(seed: UInt64 = 0) {
    value = 0x9e37_79b9_7f4a_7c15
    combine(seed)
  }

  package mutating func combine(_ word: UInt64) {
    // The odd factor makes the product a bijection; the shift carries the high bits into the low.
    value = (value ^ word) &* 0xff51_afd7_ed55_8ccd
    value ^= value >> 32
  }

  /// Adds bytes and their count.
  ///
  /// - Complexity: O(*n*) in the bytes.
  package mutating func combine(_ bytes: UnsafeRawBufferPointer) {
    combine(UInt64(bytes.count))
    var position = 0
    while position + 8 <= bytes.count {
      combine(bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian)
      position += 8
    }
    if position == bytes.count { return }
    var last: UInt64 = 0
    for index in (position..<bytes.count).reversed() { last = last << 8 | UInt64(bytes[index]) }
    combine(last)
  }
}
