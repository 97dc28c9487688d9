/// One value of a record in eight bytes: what fits as it is, text as a place among the bytes that stand
/// behind the cells, anything else as a place in a side list.
///
/// The lowest three bits say which it is.
package struct FieldCell: Equatable, Sendable {
  package enum Kind: UInt8 {
    case null, bool, int, string, number, link, boxed
  }

  package let bits: UInt64

  private init(bits: UInt64) { self.bits = bits }

  private init(_ kind: Kind, _ payload: UInt64) {
    bits = payload << 3 | UInt64(kind.rawValue)
  }

  package static let null = FieldCell(.null, 0)

  package init(_ bool: Bool) { self.init(.bool, bool ? 1 : 0) }

  /// An integer; `nil` where it needs more than 61 bits.
  package init?(_ int: Int) {
    let shifted = Int64(int) << 3
    guard shifted >> 3 == Int64(int) else { return nil }
    bits = UInt64(bitPattern: shifted) | UInt64(Kind.int.rawValue)
  }

  package init(link index: RecordIndex) { self.init(.link, UInt64(index.rawValue)) }

  /// A value that stands at a position in the side list.
  package init(boxed index: Int) { self.init(.boxed, UInt64(index)) }

  /// Texts are shorter than this.
  package static let textLimit = 1 << 29

  /// A string, or a number's digits; `nil` where it is too long or too far away.
  package init?(_ kind: Kind, offset: Int, count: Int) {
    guard count < Self.textLimit, offset < 1 << 32 else { return nil }
    self.init(kind, UInt64(offset) << 29 | UInt64(count))
  }

  /// A string.
  ///
  /// - Precondition: Its place and length are below ``textLimit``.
  @inline(__always)
  package init(textAt offset: Int, count: Int) {
    self.init(
      .string,
      UInt64(truncatingIfNeeded: offset) << 29 | UInt64(truncatingIfNeeded: count))
  }

  package var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: bits & 7)) ?? .null }
  /// Whether it is of a kind, faster than ``kind`` tells.
  @inline(__always)
  package func isA(_ kind: Kind) -> Bool { UInt8(truncatingIfNeeded: bits & 7) == kind.rawValue }
  /// Whether it is of one of these kinds, as bits.
  @inline(__always)
  package func isOne(of kinds: UInt8) -> Bool {
    kinds >> UInt8(truncatingIfNeeded: bits & 7) & 1 != 0
  }
  package var bool: Bool { bits >> 3 != 0 }
  package var int: Int { Int(Int64(bitPattern: bits) >> 3) }
  package var link: RecordIndex { RecordIndex(rawValue: UInt32(truncatingIfNeeded: bits >> 3)) }
  package var boxedIndex: Int { Int(bits >> 3) }

  /// Whether its value stands among the bytes.
  package var isText: Bool { isA(.string) || isA(.number) }
  package var textOffset: Int { Int(bits >> 32) }
  package var textCount: Int { Int(bits >> 3) & (1 << 29 - 1) }

  /// The same text at another place, which is not further away than texts can be.
  package func moved(to offset: Int) -> FieldCell {
    FieldCell(bits: bits & 0xFFFF_FFFF | UInt64(truncatingIfNeeded: offset) << 32)
  }
}

/// Where the texts of cells stand: behind one address, and from `limit` on behind another.
///
/// It is used only while what owns the bytes is held.
package struct TextBytes {
  let first: UnsafeRawPointer
  let limit: Int
  let rest: UnsafeRawPointer

  package init(first: UnsafeRawPointer, limit: Int = .max, rest: UnsafeRawPointer? = nil) {
    self.first = first
    self.limit = limit
    self.rest = rest ?? first
  }

  package func at(_ offset: Int) -> UnsafeRawPointer {
    offset < limit ? first + offset : rest + (offset - limit)
  }

  package subscript(cell: FieldCell) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: at(cell.textOffset), count: cell.textCount)
  }
}

extension UnsafeRawBufferPointer {
  /// Whether both hold the same bytes.
  @inline(__always)
  package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    return bindMemory(to: UInt8.self).hasSameBytes(as: other.bindMemory(to: UInt8.self))
  }

  /// The bytes, which are known to be UTF-8, as a string.
  package var text: String { String(decoding: self, as: UTF8.self) }
}
