import RelayStore

/// A decoder of persisted records; see ``PersistedRecord``. Damaged bytes decode to `nil`.
struct RecordDecoder: PersistedRecordDecoder {
  /// A shape of the store, for records persisted with another field order.
  struct Shape: Sendable {
    let shape: RecordShape
    /// The position of each persisted field in the shape; `nil` if the orders are the same.
    let positions: [Int]?

    init(shape: RecordShape, positions: [Int]?) {
      self.shape = shape
      self.positions = positions
    }
  }

  package let numbering: RecordNumbering
  /// The numbers that have an id. A link to any other number is damaged.
  private let numbers: RecordSet
  /// The storage key or type name of each name's number.
  private let names: [Name]
  /// The shape of each shape number; `nil` for a free number.
  private let shapes: [Shape?]
  /// The parts of records with many fields, by record number.
  private let parts: [UInt32: [[UInt8]]]

  enum Name: Sendable {
    case free
    case key(FieldKey)
    case typeName(String)
  }

  init(
    numbering: RecordNumbering, numbers: RecordSet, names: [Name], shapes: [Shape?],
    parts: [UInt32: [[UInt8]]]
  ) {
    self.numbering = numbering
    self.numbers = numbers
    self.names = names
    self.shapes = shapes
    self.parts = parts
  }

  /// Decodes a record.
  package func decode(
    _ bytes: UnsafeRawBufferPointer, number: UInt32, id: UnsafeRawBufferPointer
  ) -> RecordBox? {
    var reader = ByteReader(bytes)
    let header = PersistedRecord.Header(&reader)
    guard reader.isValid else { return nil }
    guard header.flags.contains(.present) else {
      return reader.isAtEnd ? .make(.empty, .deleted, id: id) : nil
    }
    let record = decode(&reader, header, number: number, id: id)
    return reader.isValid && reader.isAtEnd ? record : nil
  }

  private func decode(
    _ reader: inout ByteReader, _ header: PersistedRecord.Header, number: UInt32,
    id: UnsafeRawBufferPointer
  ) -> RecordBox? {
    var typeName: String?
    if header.typeName > 0 {
      guard let name = self.typeName(header.typeName - 1) else { return nil }
      typeName = name
    }
    if header.flags.contains(.parts) {
      return decodeParts(
        count: reader.index(), typeName: typeName, number: number, id: id)
    }
    let isBoxed = header.flags.contains(.boxed)
    guard let shape = header.shape else {
      guard let keys = keys(header.keys) else { return nil }
      return decodeValues(
        &reader, shape: nil, typeName: typeName, keys: keys, hasExtras: isBoxed, id: id)
    }
    guard shape < shapes.count, let shape = shapes[shape] else { return nil }
    if !isBoxed {
      var (cells, hasWideNumber) = (reader, false)
      let record = decodeCells(&cells, shape: shape, hasWideNumber: &hasWideNumber, id: id)
      if !hasWideNumber {
        reader = cells
        return record
      }
    }
    return decodeValues(
      &reader, shape: shape.shape, typeName: nil, keys: storedKeys(shape), hasExtras: isBoxed,
      id: id)
  }

  /// Returns the keys of a shape in their persisted order.
  private func storedKeys(_ shape: Shape) -> [FieldKey] {
    guard let positions = shape.positions else { return Array(shape.shape.keys) }
    return positions.map { shape.shape.keys[$0] }
  }

  private func typeName(_ number: UInt32) -> String? {
    guard number < names.count, case .typeName(let name) = names[Int(number)] else {
      return nil
    }
    return name
  }

  private func key(_ number: UInt32) -> FieldKey? {
    guard number < names.count, case .key(let key) = names[Int(number)] else { return nil }
    return key
  }

  private func keys(_ numbers: [UInt32]) -> [FieldKey]? {
    let keys = numbers.compactMap { key($0) }
    return Set(keys).count == numbers.count ? keys : nil
  }

  /// Returns the index of a linked record.
  @inline(__always)
  private func link(_ reader: inout ByteReader) -> RecordIndex {
    let number = reader.number32()
    guard numbers.contains(RecordIndex(rawValue: number)) else {
      reader.invalidate()
      return RecordIndex(0)
    }
    return numbering.index(of: number)
  }

  // MARK: Cells

  /// Decodes fields without boxed values directly into the cells and text bytes of a record.
  ///
  /// - Parameter hasWideNumber: Set if an integer does not fit into a cell or an `Int`.
  private func decodeCells(
    _ reader: inout ByteReader, shape: Shape, hasWideNumber: inout Bool,
    id: UnsafeRawBufferPointer
  ) -> RecordBox? {
    // Each string of the record is in the remaining bytes, or is the id.
    let limit = UInt64(reader.remaining) + UInt64(id.count) * UInt64(shape.shape.keys.count)
    let stated = reader.number()
    guard stated <= limit, let stringCount = Int(exactly: stated) else { return nil }
    var (copied, isWide) = (0, false)
    let record = RecordBox.make(
      shape.shape, .present, id: id, stringCount: stringCount
    ) { cells, writer in
      for stored in 0..<shape.shape.keys.count {
        let cell = self.cell(
          &reader, id: id, copied: &copied, limit: stringCount, isWide: &isWide, to: &writer)
        (cells + (shape.positions?[stored] ?? stored)).initialize(to: cell)
      }
    }
    hasWideNumber = isWide
    return reader.isValid ? record : nil
  }

  @inline(__always)
  private func cell(
    _ reader: inout ByteReader, id: UnsafeRawBufferPointer, copied: inout Int, limit: Int,
    isWide: inout Bool, to writer: inout StringWriter
  ) -> FieldCell {
    switch PersistedRecord.Tag(rawValue: reader.byte()) {
    case .null: return .null
    case .false: return FieldCell(false)
    case .true: return FieldCell(true)
    case .int:
      if let int = Int(exactly: reader.signed()), let cell = FieldCell(int) { return cell }
      isWide = true
    case .id: return FieldCell(textAt: 0, count: id.count)
    case .string: return text(.string, &reader, copied: &copied, limit: limit, to: &writer)
    case .number: return text(.number, &reader, copied: &copied, limit: limit, to: &writer)
    case .link: return FieldCell(link: link(&reader))
    case .links, .list, .json, nil: break
    }
    reader.invalidate()
    return .null
  }

  @inline(__always)
  private func text(
    _ kind: FieldCell.Kind, _ reader: inout ByteReader, copied: inout Int, limit: Int,
    to writer: inout StringWriter
  ) -> FieldCell {
    let text = reader.counted()
    copied += text.count
    guard copied <= limit, text.isUTF8,
      let first = text.baseAddress ?? UnsafeRawPointer(bitPattern: 1),
      let cell = FieldCell(kind, offset: 0, count: text.count)
    else {
      reader.invalidate()
      return .null
    }
    return writer.copy(cell, from: StringBytes(first: first))
  }

  // MARK: Values

  /// Decodes the values of a record.
  ///
  /// - Parameters:
  ///   - shape: The shared shape; `nil` if the record has its own.
  ///   - typeName: The type, if the record has its own shape.
  ///   - keys: The keys in the order of the persisted values.
  private func decodeValues(
    _ reader: inout ByteReader, shape: RecordShape?, typeName: String?, keys: [FieldKey],
    hasExtras: Bool, id: UnsafeRawBufferPointer
  ) -> RecordBox? {
    if !hasExtras { _ = reader.number() }
    var fields: [(key: FieldKey, value: FieldValue)] = []
    fields.reserveCapacity(keys.count)
    for key in keys { fields.append((key, value(&reader, id: id))) }
    var errors: [FieldKey: [StoredError]] = [:]
    if hasExtras {
      for _ in 0..<reader.count() {
        guard let key = key(reader.number32()), keys.contains(key) else { return nil }
        errors[key] = self.errors(&reader)
      }
    }
    guard reader.isValid else { return nil }
    fields.sort { $0.key.rawValue < $1.key.rawValue }
    if shape == nil, fields.count > RecordBox.cellLimit {
      let tree = FieldTree(
        fields.map { FieldTree.Field(key: $0.key, value: $0.value, errors: errors[$0.key] ?? []) })
      return .large(self.shape(typeName, [], isLarge: true), id: id, tree)
    }
    let shape =
      shape ?? self.shape(typeName, ContiguousArray(fields.map(\.key)), isLarge: false)
    return .make(shape, .present, id: id, values: fields.lazy.map(\.value), errors: errors)
  }

  /// Returns a shared shape, or a new one.
  private func shape(
    _ typeName: String?, _ keys: ContiguousArray<FieldKey>, isLarge: Bool
  ) -> RecordShape {
    for case let shape? in shapes
    where shape.shape.isLarge == isLarge && shape.shape.keys == keys
      && shape.shape.isOfType(typeName)
    {
      return shape.shape
    }
    return RecordShape(typeName: typeName, keys: keys, isLarge: isLarge)
  }

  private func value(
    _ reader: inout ByteReader, id: UnsafeRawBufferPointer, depth: Int = 0
  ) -> FieldValue {
    switch PersistedRecord.Tag(rawValue: reader.byte()) {
    case .null: return .null
    case .false: return .bool(false)
    case .true: return .bool(true)
    case .int:
      let number = reader.signed()
      return Int(exactly: number).map { .int($0) } ?? .number(JSONNumber(digits: String(number)))
    case .id: return .string(id.text)
    case .string: return .string(reader.text())
    case .number:
      if let number = JSONNumber(reader.text()) { return .number(number) }
    case .link: return .link(link(&reader))
    case .links:
      return .links(
        (0..<reader.count()).map { _ in
          let number = reader.number()
          if number == 0 { return .none }
          let target = UInt32(truncatingIfNeeded: number - 1)
          if number > UInt64(UInt32.max) || !numbers.contains(RecordIndex(rawValue: target)) {
            reader.invalidate()
            return .none
          }
          return numbering.index(of: target)
        })
    case .list where depth < FieldValue.listDepthLimit:
      return .list((0..<reader.count()).map { _ in value(&reader, id: id, depth: depth + 1) })
    case .json:
      switch reader.counted().withMemoryRebound(to: UInt8.self, { try? JSONValue(parsing: $0) }) {
      case .object(let object): return .object(object)
      case .array(let values): return .array(values)
      default: break
      }
    case .list, nil: break
    }
    reader.invalidate()
    return .null
  }

  private func errors(_ reader: inout ByteReader) -> [StoredError] {
    (0..<reader.count()).map { _ in
      let message = reader.text()
      let path = (0..<reader.count()).map { _ -> ResponsePath.Component in
        switch reader.byte() {
        case 0: return .field(reader.text())
        case 1:
          if let index = Int(exactly: reader.signed()) { return .index(index) }
        default: break
        }
        reader.invalidate()
        return .index(0)
      }
      return StoredError(message: message, path: ResponsePath(path))
    }
  }

  // MARK: Parts

  private func decodeParts(
    count: Int, typeName: String?, number: UInt32, id: UnsafeRawBufferPointer
  ) -> RecordBox? {
    var fields = FieldTree()
    for part in parts[number] ?? [] {
      let isDecoded = part.withUnsafeBytes { bytes in
        var reader = ByteReader(bytes)
        while reader.isValid, !reader.isAtEnd {
          guard let key = key(reader.number32()) else { return false }
          let value = value(&reader, id: id)
          fields.set(FieldTree.Field(key: key, value: value, errors: errors(&reader)))
        }
        return reader.isValid
      }
      if !isDecoded { return nil }
    }
    guard fields.count == count else { return nil }
    return .large(shape(typeName, [], isLarge: true), id: id, fields)
  }
}
