/// One field value of a record in eight bytes.
///
/// The lowest three bits are the ``Kind``. Small values are stored inline. A string, or a number's
/// digits, is stored as an offset and count into its owner's ``StringBytes``. Any other value is an
/// index into its owner's list of boxed values.
///
/// The accessors are inlinable, because persistence encodes cells in another module.
@usableFromInline
package struct FieldCell: Equatable, Sendable {
  @usableFromInline
  package enum Kind: UInt8 {
    case null, bool, int, string, number, link, boxed
  }

  @usableFromInline package let bits: UInt64

  private init(bits: UInt64) { self.bits = bits }

  private init(_ kind: Kind, _ payload: UInt64) {
    bits = payload << 3 | UInt64(kind.rawValue)
  }

  package static let null = FieldCell(.null, 0)

  package init(_ bool: Bool) { self.init(.bool, bool ? 1 : 0) }

  /// Creates an integer; `nil` if it needs more than 61 bits.
  package init?(_ int: Int) {
    let shifted = Int64(int) << 3
    guard shifted >> 3 == Int64(int) else { return nil }
    bits = UInt64(bitPattern: shifted) | UInt64(Kind.int.rawValue)
  }

  package init(link index: RecordIndex) { self.init(.link, UInt64(index.rawValue)) }

  /// Creates a reference to a boxed value.
  package init(boxed index: Int) { self.init(.boxed, UInt64(index)) }

  /// The exclusive upper bound of a string's byte count.
  package static let textLimit = 1 << 29

  /// Creates a string or the digits of a number; `nil` if `count` or `offset` is too large.
  package init?(_ kind: Kind, offset: Int, count: Int) {
    guard count < Self.textLimit, offset <= UInt32.max else { return nil }
    self.init(kind, UInt64(offset) << 29 | UInt64(count))
  }

  /// Creates a string.
  ///
  /// - Precondition: `offset` and `count` are below ``textLimit``.
  @inline(__always)
  package init(textAt offset: Int, count: Int) {
    self.init(
      .string,
      UInt64(truncatingIfNeeded: offset) << 29 | UInt64(truncatingIfNeeded: count))
  }

  @inlinable package var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: bits & 7)) ?? .null }
  /// Whether the cell is of a kind. Faster than comparing ``kind``.
  @inlinable @inline(__always)
  func isA(_ kind: Kind) -> Bool { UInt8(truncatingIfNeeded: bits & 7) == kind.rawValue }
  /// Whether the cell's kind is in a set with one bit for each raw value.
  @inline(__always)
  func isOne(of kinds: UInt8) -> Bool {
    kinds >> UInt8(truncatingIfNeeded: bits & 7) & 1 != 0
  }
  @inlinable package var bool: Bool { bits >> 3 != 0 }
  @inlinable package var int: Int { Int(truncatingIfNeeded: Int64(bitPattern: bits) >> 3) }
  @inlinable package var link: RecordIndex {
    RecordIndex(rawValue: UInt32(truncatingIfNeeded: bits >> 3))
  }
  @inlinable package var boxedIndex: Int { Int(truncatingIfNeeded: bits >> 3) }

  /// Whether the value is stored in the text bytes.
  @inlinable package var isText: Bool { isA(.string) || isA(.number) }
  @inlinable package var stringOffset: Int { Int(truncatingIfNeeded: bits >> 32) }
  @inlinable package var stringCount: Int { Int(truncatingIfNeeded: bits >> 3) & (1 << 29 - 1) }

  /// Returns the same string or digits at another offset.
  ///
  /// - Precondition: `offset` is below 2³².
  package func moved(to offset: Int) -> FieldCell {
    FieldCell(bits: bits & 0xFFFF_FFFF | UInt64(truncatingIfNeeded: offset) << 32)
  }
}

/// The memory that cells' offsets refer to: one region, and a second one for offsets from `limit`
/// on.
///
/// The pointers are not retained. A value is used only inside the closure that provides it
/// (`RecordBox.withCells`, `RecordPayload.withStrings`), or while the caller retains the owner of
/// the bytes.
@usableFromInline
package struct StringBytes {
  @usableFromInline let first: UnsafeRawPointer
  @usableFromInline let limit: Int
  @usableFromInline let rest: UnsafeRawPointer

  package init(first: UnsafeRawPointer, limit: Int = .max, rest: UnsafeRawPointer? = nil) {
    self.first = first
    self.limit = limit
    self.rest = rest ?? first
  }

  @inlinable
  package func at(_ offset: Int) -> UnsafeRawPointer {
    offset < limit ? first + offset : rest + (offset - limit)
  }

  @inlinable
  package subscript(cell: FieldCell) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: at(cell.stringOffset), count: cell.stringCount)
  }
}

extension UnsafeRawBufferPointer {
  /// Whether both buffers contain the same bytes.
  @inline(__always)
  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    return bindMemory(to: UInt8.self).hasSameBytes(as: other.bindMemory(to: UInt8.self))
  }

  /// Whether the bytes start with a prefix.
  func hasPrefix(_ prefix: StaticString) -> Bool {
    count >= prefix.utf8CodeUnitCount
      && prefix.withUTF8Buffer {
        UnsafeRawBufferPointer(rebasing: self[..<$0.count])
          .hasSameBytes(as: UnsafeRawBufferPointer($0))
      }
  }

  /// The bytes as a string.
  ///
  /// - Precondition: The bytes are valid UTF-8. The scanner of a response and the decoder of
  ///   persisted records check it once; a string is read many times.
  package var text: String {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
      return String(decoding: self, as: UTF8.self)
    }
    var utf8 = UTF8Span(unchecked: bindMemory(to: UInt8.self).span)
    // A string that is known to be ASCII is compared and hashed faster.
    _ = utf8.checkForASCII()
    return String(copying: utf8)
  }

  /// Whether all bytes are ASCII.
  var isASCII: Bool {
    let words = count / 8 * 8
    var all: UInt64 = 0
    for offset in stride(from: 0, to: words, by: 8) {
      all |= loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
    for byte in self[words...] { all |= UInt64(byte) }
    return all & 0x8080_8080_8080_8080 == 0
  }

  /// Whether the bytes are valid UTF-8.
  package var isUTF8: Bool {
    // Decoding replaces invalid bytes.
    isASCII || String(decoding: self, as: UTF8.self).utf8.elementsEqual(self)
  }
}
