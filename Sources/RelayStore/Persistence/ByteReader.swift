/// A reader of the bytes of a persisted row.
///
/// Reading beyond the end, or reading a number that is too large, returns zero or no bytes and sets
/// ``isValid`` to `false`. A caller can check once after many reads.
///
/// The bytes are borrowed: use a reader only while its creator keeps them alive.
package struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  package private(set) var position = 0
  /// Whether every read has succeeded.
  package private(set) var isValid = true

  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  package var isAtEnd: Bool { position == bytes.count }

  /// The number of bytes left.
  package var remaining: Int { bytes.count - position }

  /// Makes the reader invalid, because a value it has read makes no sense.
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

  /// Reads a number written by ``ByteWriter/number(_:)``.
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

  /// Reads a count of items that each take at least one of the remaining bytes, so a damaged count
  /// cannot allocate more memory than the row has bytes.
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

  /// Reads a number written by ``ByteWriter/signed(_:)``, possibly on a platform whose `Int` has
  /// more bits.
  package mutating func signed() -> Int64 {
    let value = number()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// The exclusive upper bound of counters. The sum of many still fits into 64 bits, also as a
  /// signed number, and no program counts this far.
  package static let counterLimit: UInt64 = 1 << 56

  /// Reads a number written by ``ByteWriter/fixed(_:)`` from which the program goes on counting.
  package mutating func counter() -> UInt64 {
    let value = fixed()
    if value < Self.counterLimit { return value }
    invalidate()
    return 0
  }

  package mutating func fixed() -> UInt64 {
    guard remaining >= 8 else {
      invalidate()
      return 0
    }
    defer { position += 8 }
    return bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian
  }

  /// Reads `count` bytes.
  @inline(__always)
  package mutating func raw(_ count: Int) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= remaining else {
      invalidate()
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
  }

  /// Reads bytes preceded by their count.
  @inline(__always)
  package mutating func counted() -> UnsafeRawBufferPointer { raw(count()) }

  /// Reads a string, repairing invalid UTF-8.
  package mutating func text() -> String { String(decoding: counted(), as: UTF8.self) }
}
