/// What every record has in front of its cells.
package struct RecordHeader {
  package let shape: RecordShape
  /// What few records have.
  package let extras: RecordExtras?
  /// The bytes of the id, which are the first of the texts.
  package let idCount: UInt32
  package let cellCount: UInt32
  package let state: Record.State
}

/// What does not fit into cells, and errors.
package final class RecordExtras: Sendable {
  package let others: [FieldValue]
  package let errors: [FieldKey: [StoredError]]

  package init(others: [FieldValue], errors: [FieldKey: [StoredError]]) {
    self.others = others
    self.errors = errors
  }

  /// `nil` where there is nothing to keep.
  package static func make(others: [FieldValue], errors: [FieldKey: [StoredError]] = [:])
    -> RecordExtras?
  {
    others.isEmpty && errors.isEmpty ? nil : RecordExtras(others: others, errors: errors)
  }
}

/// One record in one allocation: its header, a ``Cell`` for each key of its shape, then the bytes of
/// its id and its texts.
///
/// It never changes once made, so rows can hold it in place of copies.
package final class RecordStorage: ManagedBuffer<RecordHeader, Cell> {
  /// - Parameters:
  ///   - id: Its bytes.
  ///   - textCount: The bytes of all texts but the id.
  ///   - fill: Writes a cell for each key, and the texts behind the id.
  package static func make(
    _ shape: RecordShape, _ state: Record.State, id: UnsafeRawBufferPointer, textCount: Int = 0,
    extras: RecordExtras? = nil,
    fill: (UnsafeMutablePointer<Cell>, inout TextWriter) -> Void = { _, _ in }
  ) -> RecordStorage {
    let count = shape.keys.count
    let all = id.count + textCount
    let buffer = RecordStorage.create(minimumCapacity: count + (all + 7) / 8) { _ in
      RecordHeader(
        shape: shape, extras: extras, idCount: UInt32(id.count), cellCount: UInt32(count),
        state: state)
    }
    buffer.withUnsafeMutablePointerToElements { cells in
      var writer = TextWriter(start: UnsafeMutableRawPointer(cells + count), id: id)
      fill(cells, &writer)
    }
    return unsafeDowncast(buffer, to: RecordStorage.self)
  }

  /// A record of which nothing but its id is known.
  package static func unknown(id: UnsafeRawBufferPointer) -> RecordStorage {
    make(.empty, .unknown, id: id)
  }

  // Through the pointer: access to a property of another module's class is checked each time.
  package var shape: RecordShape { withUnsafeMutablePointerToHeader { $0.pointee.shape } }
  package var shapeID: ObjectIdentifier {
    withUnsafeMutablePointerToHeader { ObjectIdentifier($0.pointee.shape) }
  }
  package var state: Record.State { withUnsafeMutablePointerToHeader { $0.pointee.state } }
  package var extras: RecordExtras? { withUnsafeMutablePointerToHeader { $0.pointee.extras } }
  package var errors: [FieldKey: [StoredError]] { extras?.errors ?? [:] }
  package var hasErrors: Bool {
    withUnsafeMutablePointerToHeader { header in
      guard let extras = header.pointee.extras else { return false }
      return !extras.errors.isEmpty
    }
  }

  /// Its texts, for as long as the record is held by the caller.
  package func withCells<Result>(
    _ body: (UnsafePointer<Cell>, TextBytes) throws -> Result
  ) rethrows -> Result {
    try withUnsafeMutablePointers { header, cells in
      try body(
        cells, TextBytes(first: UnsafeRawPointer(cells + Int(header.pointee.cellCount))))
    }
  }

  package func withID<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
    -> Result
  {
    try withUnsafeMutablePointers { header, cells in
      let texts = UnsafeRawPointer(cells + Int(header.pointee.cellCount))
      return try body(UnsafeRawBufferPointer(start: texts, count: Int(header.pointee.idCount)))
    }
  }

  package var id: DataID { withID { DataID($0.text) } }

  package func cell(at position: Int) -> Cell {
    withUnsafeMutablePointerToElements { $0[position] }
  }

  /// The value at a position of the shape.
  package func value(at position: Int) -> FieldValue {
    withCells { cells, texts in
      FieldValue(cells[position], texts) { extras?.others[$0] ?? .null }
    }
  }

  /// Every record linked from one field.
  package func forEachLink(of key: FieldKey, _ body: (RecordIndex) -> Void) {
    guard let position = shape.position(of: key) else { return }
    let cell = cell(at: position)
    switch cell.kind {
    case .link: body(cell.link)
    case .other: extras?.others[cell.other].forEachLink(body)
    default: break
    }
  }

  /// Every record linked from here.
  package func forEachLink(_ body: (RecordIndex) -> Void) {
    forEachLinkValue { $0.forEachLink(body) }
  }

  /// Every field that may have links.
  @inline(__always)
  package func forEachLinkValue(_ body: (FieldValue) -> Void) {
    let extras = extras
    withUnsafeMutablePointers { header, cells in
      for position in 0..<Int(header.pointee.cellCount) where cells[position].kind == .link {
        body(.link(cells[position].link))
      }
    }
    if let extras { for value in extras.others { body(value) } }
  }
}

/// Writes the texts of a record that is being made, behind its id.
package struct TextWriter {
  private let start: UnsafeMutableRawPointer
  private var count: Int
  private let idCount: Int

  fileprivate init(start: UnsafeMutableRawPointer, id: UnsafeRawBufferPointer) {
    self.start = start
    idCount = id.count
    count = id.count
    if let address = id.baseAddress { start.copyMemory(from: address, byteCount: id.count) }
  }

  /// Copies a cell's text and answers where it is now; other cells stay as they are.
  ///
  /// The text of the record's own id is not kept twice.
  package mutating func copy(_ cell: Cell, from texts: TextBytes) -> Cell {
    guard cell.isText else { return cell }
    let text = texts[cell]
    if text.count == idCount,
      text.hasSameBytes(as: UnsafeRawBufferPointer(start: start, count: idCount))
    {
      return cell.moved(to: 0)
    }
    guard let address = text.baseAddress else { return cell.moved(to: count) }
    (start + count).copyMemory(from: address, byteCount: text.count)
    defer { count += text.count }
    return cell.moved(to: count)
  }
}

extension FieldValue {
  /// What a cell says.
  ///
  /// - Parameter other: The value at a position of the side list.
  package init(_ cell: Cell, _ texts: TextBytes, other: (Int) -> FieldValue) {
    switch cell.kind {
    case .null: self = .null
    case .bool: self = .bool(cell.bool)
    case .int: self = .int(cell.int)
    case .string: self = .string(texts[cell].text)
    case .number: self = .number(JSONNumber(digits: texts[cell].text))
    case .link: self = .link(cell.link)
    case .other: self = other(cell.other)
    }
  }
}
