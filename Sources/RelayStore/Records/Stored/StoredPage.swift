/// The pages of records: 64 consecutive numbers each.
package enum StoredPage {
  package static let size = 64
  /// The exclusive upper bound of the pages. Their numbers have 31 bits, so that an `Int` holds them on
  /// every platform.
  package static let limit = 1 << 25 - 1

  package static func page(of number: UInt32) -> Int { Int(number >> 6) }
  package static func slot(of number: UInt32) -> Int { Int(number & 63) }
  package static func number(_ slot: Int, of page: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: page << 6 | slot)
  }
}

/// The stored form of a record: its flags, its shape, the number of bytes in texts, and its fields.
///
/// A present record's fields are values in the order of its stored shape. Each value begins with its
/// tag, so a link cannot be made by a string or a JSON object.
package enum StoredRecord {
  /// The flags of a record, in its first byte.
  package struct Flags: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The record exists; otherwise it was deleted.
    package static let present = Flags(rawValue: 1)
    /// The shape is part of the record.
    package static let ownShape = Flags(rawValue: 2)
    /// The fields are stored in parts.
    package static let parts = Flags(rawValue: 4)
    /// A value is a list or an object, or a field has errors.
    package static let boxed = Flags(rawValue: 8)
    /// A field is client-written.
    package static let clientWritten = Flags(rawValue: 16)
    static let all: Flags = [.present, .ownShape, .parts, .boxed, .clientWritten]
  }

  /// The first byte of a value.
  package enum Tag: UInt8 {
    case null, `false`, `true`
    /// A signed number.
    case int
    /// A counted text.
    case string
    /// The text that is the record's id.
    case id
    /// The digits of a number, as a counted text.
    case number
    /// The number of a record.
    case link
    /// A count, and for each link the record's number plus one, or zero.
    case links
    /// A count, and the values.
    case list
    /// A counted JSON text of an object, or of a list that is nested too deep.
    case json
  }

  /// The header of a record, which precedes its fields.
  package struct Header {
    let flags: Flags
    /// The number of the shared shape; `nil` if the record has its own or none.
    package var shape: Int?
    /// The name of its type plus one, or 0; only if the record has its own shape.
    package var typeName: UInt32 = 0
    /// The names of its own shape's keys.
    package var keys: [UInt32] = []
    /// The names of its client-written fields.
    package var clientWritten: [UInt32] = []

    /// Decodes a header. Check whether the reader is valid afterwards.
    package init(_ reader: inout ByteReader) {
      flags = Flags(rawValue: reader.byte())
      if !flags.isSubset(of: .all) { reader.invalidate() }
      guard flags.contains(.present) else {
        if !flags.isEmpty { reader.invalidate() }
        return
      }
      if flags.contains(.ownShape) {
        typeName = reader.number32()
        if !flags.contains(.parts) { keys = Self.numbers(&reader) }
      } else {
        shape = reader.index()
        if flags.contains(.parts) { reader.invalidate() }
      }
      if flags.contains(.clientWritten) { clientWritten = Self.numbers(&reader) }
    }

    private static func numbers(_ reader: inout ByteReader) -> [UInt32] {
      (0..<reader.count()).map { _ in reader.number32() }
    }
  }

  /// The number of fields up to which a record is stored as a whole.
  package static let fieldLimit = 256

  /// The number of consecutive names in a part of a record with more fields.
  package static let partSize = 64
}
