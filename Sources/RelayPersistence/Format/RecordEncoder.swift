import RelayStore

/// An encoder of records into their persisted form; see ``PersistedRecord``.
///
/// It assigns numbers to storage keys, type names and shapes on first use; ``drainRows()`` returns
/// the new ones.
struct RecordEncoder {
  let numbering: RecordNumbering
  private(set) var names: PersistedNames
  private(set) var shapes: PersistedShapes
  /// The shape of the last record, with its number.
  var lastShape: (shape: RecordShape, number: Int)?

  /// Adds the strings of new storage keys.
  mutating func addKeys(_ texts: some Sequence<String>) { names.addKeys(texts) }

  /// Returns the rows of names and shapes changed since the last call.
  mutating func drainRows() -> [(key: RowKey, bytes: [UInt8]?)] {
    names.drainRows() + shapes.drainRows()
  }

  // MARK: Records

  /// Whether a record has so many fields that they are persisted in parts.
  static func hasParts(_ record: RecordBox) -> Bool {
    record.state == .present
      && (record.fields?.count ?? record.cellCount) > PersistedRecord.fieldLimit
  }

  /// Encodes a record that exists or was deleted.
  ///
  /// - Parameter clientWritten: The record's client-written fields.
  mutating func encode(
    _ record: RecordBox, clientWritten: Set<FieldKey>, to writer: inout ByteWriter
  ) {
    guard record.state == .present else { return writer.byte(0) }
    var flags: PersistedRecord.Flags = .present
    let shape = record.shape
    let isPart = Self.hasParts(record)
    if isPart { flags.insert(.parts) }
    let extras = record.extras
    if extras != nil { flags.insert(.boxed) }
    if !clientWritten.isEmpty { flags.insert(.clientWritten) }
    let number = isPart || shape.isLarge ? nil : number(of: shape)
    if number == nil { flags.insert(.ownShape) }
    writer.byte(flags.rawValue)
    if let number {
      writer.number(number)
    } else {
      writer.number(shape.typeName.map { UInt64(names.number(of: $0)) + 1 } ?? 0)
      if !isPart { encodeKeys(of: record, to: &writer) }
    }
    if flags.contains(.clientWritten) {
      writer.number(clientWritten.count)
      for key in clientWritten.sorted(by: { $0.rawValue < $1.rawValue }) {
        writer.number(names.number(of: key))
      }
    }
    if isPart { return writer.number(record.fields?.count ?? record.cellCount) }
    if let fields = record.fields {
      fields.forEach { encode($0.value, to: &writer) }
    } else {
      encodeCells(of: record, extras: extras, to: &writer)
    }
    if extras != nil { encode(record.errors, to: &writer) }
  }

  private mutating func number(of shape: RecordShape) -> Int? {
    if let lastShape, lastShape.shape === shape { return lastShape.number }
    guard let number = shapes.number(of: shape, names: &names) else { return nil }
    lastShape = (shape, number)
    return number
  }

  private mutating func encodeKeys(of record: RecordBox, to writer: inout ByteWriter) {
    let keys = Record(record).keys
    writer.number(keys.count)
    for key in keys { writer.number(names.number(of: key)) }
  }

  /// Encodes the number of string bytes, then the cells.
  private func encodeCells(
    of record: RecordBox, extras: RecordExtras?, to writer: inout ByteWriter
  ) {
    record.withID { id in
      record.withCells { cells, texts in
        let count = record.cellCount
        if extras == nil {
          var stringCount = 0
          for position in 0..<count where cells[position].isText {
            stringCount += cells[position].stringCount
          }
          writer.number(stringCount)
        }
        for position in 0..<count {
          let cell = cells[position]
          switch cell.kind {
          case .null: writer.tag(.null)
          case .bool: writer.tag(cell.bool ? .true : .false)
          case .int:
            writer.tag(.int)
            writer.signed(cell.int)
          case .string:
            if cell.stringOffset == 0, cell.stringCount == id.count {
              writer.tag(.id)
            } else {
              writer.tag(.string)
              writer.counted(texts[cell])
            }
          case .number:
            writer.tag(.number)
            writer.counted(texts[cell])
          case .link:
            writer.tag(.link)
            writer.number(numbering.number(of: cell.link))
          case .boxed: encode(extras?.boxedValues[cell.boxedIndex] ?? .null, to: &writer)
          }
        }
      }
    }
  }

  private func encode(_ value: FieldValue, to writer: inout ByteWriter) {
    switch value {
    case .null: writer.tag(.null)
    case .bool(let bool): writer.tag(bool ? .true : .false)
    case .int(let int):
      writer.tag(.int)
      writer.signed(int)
    case .number(let number):
      writer.tag(.number)
      writer.text(number.digits)
    case .string(let text):
      writer.tag(.string)
      writer.text(text)
    case .link(let index):
      writer.tag(.link)
      writer.number(numbering.number(of: index))
    case .links(let indexes):
      writer.tag(.links)
      writer.number(indexes.count)
      for index in indexes {
        writer.number(index == .none ? 0 : UInt64(numbering.number(of: index)) + 1)
      }
    case .list(let values):
      writer.tag(.list)
      writer.number(values.count)
      for value in values { encode(value, to: &writer) }
    case .object(let object): encode(json: .object(object), to: &writer)
    case .array(let values): encode(json: .array(values), to: &writer)
    }
  }

  private func encode(json: JSONValue, to writer: inout ByteWriter) {
    writer.tag(.json)
    json.jsonBytes.withUnsafeBytes { writer.counted($0) }
  }

  private mutating func encode(
    _ errors: [FieldKey: [StoredError]], to writer: inout ByteWriter
  ) {
    writer.number(errors.count)
    for (key, errors) in errors.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      writer.number(names.number(of: key))
      encode(errors, to: &writer)
    }
  }

  private func encode(_ errors: [StoredError], to writer: inout ByteWriter) {
    writer.number(errors.count)
    for error in errors {
      writer.text(error.message)
      writer.number(error.path.components.count)
      for component in error.path.components {
        switch component {
        case .field(let name):
          writer.byte(0)
          writer.text(name)
        case .index(let index):
          writer.byte(1)
          writer.signed(index)
        }
      }
    }
  }

  // MARK: Parts

  /// Returns the part that contains a field.
  mutating func part(of key: FieldKey) -> UInt32 {
    names.number(of: key) / UInt32(PersistedRecord.partSize)
  }

  /// Encodes a part of a record with many fields.
  ///
  /// - Parameter field: Returns the field with a key, or `nil` if the record does not have it.
  /// - Returns: `nil` if the part has no fields.
  mutating func encodePart(
    _ part: UInt32, field: (FieldKey) -> FieldTree.Field?
  ) -> [UInt8]? {
    var (writer, count) = (ByteWriter(), 0)
    let first = part * UInt32(PersistedRecord.partSize)
    for number in first..<first + UInt32(PersistedRecord.partSize) {
      guard let key = names.key(of: number), let field = field(key) else { continue }
      count += 1
      writer.number(number)
      encode(field.value, to: &writer)
      encode(field.errors, to: &writer)
    }
    return count == 0 ? nil : writer.bytes
  }
}

extension ByteWriter {
  fileprivate mutating func tag(_ tag: PersistedRecord.Tag) { byte(tag.rawValue) }
}
