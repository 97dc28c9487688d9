/// A writer of the bytes of a persisted row.
///
/// Numbers are written as LEB128: seven bits per byte, lowest first, with the high bit set in all
/// bytes but the last.
///
/// Inlinable because another module encodes the records.
@usableFromInline
package struct ByteWriter {
  @usableFromInline package private(set) var bytes: [UInt8] = []

  @inlinable
  package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  @inlinable package var count: Int { bytes.count }

  @inlinable
  package mutating func byte(_ byte: UInt8) { bytes.append(byte) }

  /// Writes a number in one to ten bytes.
  @inlinable @inline(__always)
  package mutating func number(_ number: some BinaryInteger) {
    var rest = UInt64(truncatingIfNeeded: number)
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Writes a signed number, small magnitudes in few bytes.
  @inlinable
  package mutating func signed(_ number: Int) {
    let wide = Int64(number)
    self.number(UInt64(bitPattern: wide << 1 ^ wide >> 63))
  }

  /// Writes a number in eight bytes.
  @inlinable
  package mutating func fixed(_ number: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }

  /// Writes bytes without their count.
  @inlinable
  package mutating func raw(_ other: UnsafeRawBufferPointer) { bytes.append(contentsOf: other) }

  /// Writes bytes preceded by their count.
  @inlinable
  package mutating func counted(_ other: UnsafeRawBufferPointer) {
    number(other.count)
    bytes.append(contentsOf: other)
  }

  /// Writes the UTF-8 bytes of a string, preceded by their count.
  @inlinable
  package mutating func text(_ text: String) {
    var text = text
    text.withUTF8 { counted(UnsafeRawBufferPointer($0)) }
  }

  /// Removes the bytes and retains the capacity.
  @inlinable
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}
