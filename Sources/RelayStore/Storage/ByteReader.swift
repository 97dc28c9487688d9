/// A reader of the bytes of a stored row.
///
/// A read beyond the end, or of a number that is too large, returns zero or no bytes and sets
/// ``isValid`` to `false`, so that a caller checks once for many reads.
///
/// The bytes are borrowed: a reader is used only while its creator keeps them alive.
package struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  package private(set) var position = 0
  /// Whether every read so far was within the bytes.
  package private(set) var isValid = true

  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  package var isAtEnd: Bool { position == bytes.count }

  /// The number of bytes left.
  package var remaining: Int { bytes.count - position }

  /// Reports that what was read makes no sense.
  package mutating func invalidate() {
    isValid = false
    position = bytes.count
  }

  @inline(__always)
  package mutating func byte() -> UInt8 {
    guard position < bytes.count else {
      invalidate()
      return 0
    }
    defer { position += 1 }
    return bytes[position]
  }

  /// Reads a number that ``ByteWriter/number(_:)`` has written.
  @inline(__always)
  package mutating func number() -> UInt64 {
    let first = byte()
    return first < 0x80 ? UInt64(first) : longNumber(first)
  }

  private mutating func longNumber(_ first: UInt8) -> UInt64 {
    var (value, shift) = (UInt64(first & 0x7F), UInt64(7))
    while true {
      let next = byte()
      if shift == 63, next > 1 { invalidate() }
      value |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return isValid ? value : 0 }
      shift += 7
      if shift > 63 {
        invalidate()
        return 0
      }
    }
  }

  /// Reads a number that counts something of which each takes at least one of the bytes left, so
  /// that a damaged count allocates no more memory than the row has bytes.
  @inline(__always)
  package mutating func count() -> Int {
    let count = number()
    if count <= UInt64(remaining) { return Int(truncatingIfNeeded: count) }
    invalidate()
    return 0
  }

  /// Reads a number of at most 32 bits.
  @inline(__always)
  package mutating func number32() -> UInt32 {
    let value = number()
    if value <= UInt64(UInt32.max) { return UInt32(value) }
    invalidate()
    return 0
  }

  /// Reads an index or a count of at most 31 bits, which an `Int` holds on every platform.
  @inline(__always)
  package mutating func index() -> Int {
    let value = number()
    if value <= UInt64(Int32.max) { return Int(truncatingIfNeeded: value) }
    invalidate()
    return 0
  }

  /// Reads a number that ``ByteWriter/signed(_:)`` has written. A platform whose `Int` has more bits
  /// may have written it.
  package mutating func signed() -> Int64 {
    let value = number()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  package mutating func fixed() -> UInt64 {
    guard remaining >= 8 else {
      invalidate()
      return 0
    }
    defer { position += 8 }
    return bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian
  }

  /// Reads a number of bytes.
  @inline(__always)
  package mutating func raw(_ count: Int) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= remaining else {
      invalidate()
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
  }

  /// Reads bytes that their count precedes.
  @inline(__always)
  package mutating func counted() -> UnsafeRawBufferPointer { raw(count()) }

  /// Reads a text, which is repaired where it is not UTF-8.
  package mutating func text() -> String { String(decoding: counted(), as: UTF8.self) }
}
