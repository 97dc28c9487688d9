/// The first sixteen bytes of a quoted response key and its colon, as two masked words that are
/// compared in one or two steps.
package struct KeyWord: Sendable {
  private var head: UInt64 = 1
  private var headMask: UInt64 = 0
  private var tail: UInt64 = 0
  private var tailMask: UInt64 = 0
  /// The byte count of the entire quoted key and the colon.
  package private(set) var count = 0

  /// A word that matches no bytes.
  package init() {}

  /// Creates the word of a key.
  ///
  /// - Parameter text: The quoted key and the colon.
  package init(_ text: [UInt8]) {
    count = text.count
    (head, headMask) = Self.word(text.prefix(8))
    (tail, tailMask) = Self.word(text.dropFirst(8).prefix(8))
  }

  private static func word(_ bytes: ArraySlice<UInt8>) -> (UInt64, UInt64) {
    var (word, mask): (UInt64, UInt64) = (0, 0)
    for (position, byte) in bytes.enumerated() {
      word |= UInt64(byte) << UInt64(8 * position)
      mask |= 0xFF << UInt64(8 * position)
    }
    return (word, mask)
  }

  /// Returns whether the bytes at a position are the first sixteen bytes of the key.
  ///
  /// - Precondition: At least sixteen bytes can be read at `address`, regardless of the length of
  ///   the key. The normalizer's fast path checks the remaining bytes of the response before each
  ///   call.
  @inline(__always)
  package func begins(at address: UnsafeRawPointer) -> Bool {
    let first = UInt64(littleEndian: address.loadUnaligned(as: UInt64.self))
    if first & headMask != head { return false }
    if count <= 8 { return true }
    let second = UInt64(
      littleEndian: address.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    return second & tailMask == tail
  }
}
