import RelayStore

/// The persisted form of a record: its flags, its shape, the byte count of its strings, and its
/// fields.
///
/// A present record's fields are values in the order of its persisted shape. Each value starts with
/// its tag, so no string or JSON object can be taken for a link.
enum PersistedRecord {
  /// The flags of a record, in its first byte.
  struct Flags: OptionSet, Sendable {
    let rawValue: UInt8

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The record exists; otherwise it was deleted.
    static let present = Flags(rawValue: 1)
    /// The record includes its own shape.
    static let ownShape = Flags(rawValue: 2)
    /// The fields are persisted in parts.
    static let parts = Flags(rawValue: 4)
    /// A value is a list or an object, or a field has errors.
    static let boxed = Flags(rawValue: 8)
    /// A field is client-written.
    static let clientWritten = Flags(rawValue: 16)
    static let all: Flags = [.present, .ownShape, .parts, .boxed, .clientWritten]
  }

  /// The first byte of a value.
  enum Tag: UInt8 {
    case null, `false`, `true`
    /// A signed number.
    case int
    /// A length-prefixed string.
    case string
    /// A string equal to the record's id.
    case id
    /// The digits of a number, as a length-prefixed string.
    case number
    /// The number of a record.
    case link
    /// A count, then each linked record's number plus one, or zero for null.
    case links
    /// A count, then the values.
    case list
    /// Length-prefixed JSON: an object, or a list nested beyond ``FieldValue/listDepthLimit``.
    case json
  }

  /// The header of a record, before its fields.
  struct Header {
    let flags: Flags
    /// The number of the shared shape; `nil` if the record has its own shape or none.
    var shape: Int?
    /// The name number of the type plus one, or 0; only if the record has its own shape.
    var typeName: UInt32 = 0
    /// The name numbers of the keys, if the record has its own shape.
    var keys: [UInt32] = []
    /// The name numbers of its client-written fields.
    var clientWritten: [UInt32] = []

    /// Decodes a header. The caller must then check whether the reader is valid.
    init(_ reader: inout ByteReader) {
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

  /// The maximum number of fields of a record that is persisted in one piece.
  static let fieldLimit = 256

  /// The number of consecutive names in a part of a record with more fields.
  static let partSize = 64
  /// The exclusive upper bound of the parts; the numbers of all names of a part have 32 bits.
  static let partLimit = UInt32.max / UInt32(partSize)
}
