/// A 64-bit hash of bytes that is the same in every process, to recognize them and to detect that
/// they were damaged. It is no protection against bytes made up to have the same hash.
///
/// Each step is a bijection of the state for a given word, and maps different words to different
/// states, so any change within one word changes the hash; other changes do with a probability of
/// 1 - 2⁻⁶⁴.
package struct Checksum: Hashable, Sendable {
  package private(set) var value: UInt64

  /// Begins a hash.
  ///
  /// - Parameter seed: A number that is part of what is hashed.
  package init(seed: UInt64 = 0) {
    value = 0x9e37_79b9_7f4a_7c15
    combine(seed)
  }

  package mutating func combine(_ word: UInt64) {
    // The odd factor makes the product a bijection; the shift carries its high bits into the low.
    value = (value ^ word) &* 0xff51_afd7_ed55_8ccd
    value ^= value >> 32
  }

  /// Adds bytes, and their number.
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
