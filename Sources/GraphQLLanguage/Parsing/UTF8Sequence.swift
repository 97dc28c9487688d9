/// Decoding of single UTF-8 sequences. The lexer validates bytes with it as it goes, so each error
/// has an exact offset.
enum UTF8Sequence {
  /// Decodes the well-formed sequence at an offset into its scalar value and its length in bytes.
  /// Returns `nil` if there is none.
  static func decode(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> (
    scalar: Unicode.Scalar, length: Int
  )? {
    guard offset < bytes.count else { return nil }
    var iterator = bytes[offset...].makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    guard case .valid(let sequence) = parser.parseScalar(from: &iterator) else { return nil }
    return (Unicode.UTF8.decode(sequence), sequence.count)
  }

  /// Returns the length in bytes of the well-formed sequence at an offset, or 0 if there is none.
  static func length(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int {
    decode(bytes, at: offset)?.length ?? 0
  }
}
