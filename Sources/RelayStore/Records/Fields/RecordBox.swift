/// The header before a record's cells.
package struct RecordHeader {
  package let shape: RecordShape
  /// The boxed values, errors and field tree. Few records have any.
  package let extras: RecordExtras?
  /// The byte count of the id. The id is the first of the record's strings.
  let idCount: UInt32
  package let cellCount: UInt32
  package let state: Record.State
}

/// The values that do not fit into cells, and the errors.
package final class RecordExtras: Sendable {
  /// The field tree, boxed in one reference because few records have one.
  private let large: LargeFields?
  package let boxedValues: [FieldValue]
  package let errors: [FieldKey: [StoredError]]

  package init(
    boxedValues: [FieldValue], errors: [FieldKey: [StoredError]], fields: FieldTree? = nil
  ) {
    large = fields.map(LargeFields.init)
    self.boxedValues = boxedValues
    self.errors = errors
  }

  /// All fields with their errors, if there are too many for cells; otherwise `nil`.
  package var fields: FieldTree? { large?.tree }
  package var hasErrors: Bool { !errors.isEmpty || large.map { $0.tree.errorCount > 0 } ?? false }

  /// Returns extras; `nil` if they would be empty.
  package static func make(boxedValues: [FieldValue], errors: [FieldKey: [StoredError]] = [:])
    -> RecordExtras?
  {
    boxedValues.isEmpty && errors.isEmpty
      ? nil : RecordExtras(boxedValues: boxedValues, errors: errors)
  }
}

private final class LargeFields: Sendable {
  let tree: FieldTree

  init(_ tree: FieldTree) { self.tree = tree }
}

/// A record in one allocation: its header, a ``FieldCell`` for each key of its shape, then the
/// bytes of its id and its strings.
///
/// A record with many fields has no cells. Its fields are in a ``FieldTree``, so that a write does
/// not copy all of them.
///
/// A record is immutable once ``make(_:_:id:stringCount:extras:fill:)`` returns it, so rows retain
/// it instead of copying it. All other uses of the pointers only read, within the capacity that
/// `make` allocated.
package final class RecordBox: ManagedBuffer<RecordHeader, FieldCell> {
  /// Allocates a record.
  ///
  /// - Parameters:
  ///   - id: The bytes of the id.
  ///   - stringCount: An upper bound of the byte count of all strings except the id.
  ///   - fill: Initializes a cell for each key, and copies the strings after the id.
  package static func make(
    _ shape: RecordShape, _ state: Record.State, id: UnsafeRawBufferPointer, stringCount: Int = 0,
    extras: RecordExtras? = nil,
    fill: (UnsafeMutablePointer<FieldCell>, inout StringWriter) -> Void = { _, _ in }
  ) -> RecordBox {
    let count = shape.keys.count
    let all = id.count + stringCount
    let buffer = RecordBox.create(minimumCapacity: count + (all + 7) / 8) { _ in
      RecordHeader(
        shape: shape, extras: extras, idCount: UInt32(id.count), cellCount: UInt32(count),
        state: state)
    }
    buffer.withUnsafeMutablePointerToElements { cells in
      var writer = StringWriter(start: UnsafeMutableRawPointer(cells + count), id: id)
      fill(cells, &writer)
    }
    return unsafeDowncast(buffer, to: RecordBox.self)
  }

  /// Creates a record of which the store has only the id.
  package static func unknown(id: UnsafeRawBufferPointer) -> RecordBox {
    make(.empty, .unknown, id: id)
  }

  /// Creates a record with a field tree.
  ///
  /// - Parameter shape: A shape of ``ShapeTable/large(_:)``.
  package static func large(
    _ shape: RecordShape, id: UnsafeRawBufferPointer, _ fields: FieldTree,
    state: Record.State = .present
  ) -> RecordBox {
    make(shape, state, id: id, extras: RecordExtras(boxedValues: [], errors: [:], fields: fields))
  }

  /// The maximum number of fields in cells, unless one response contains most of the fields.
  package static let cellLimit = 128

  // Read through the pointer: each access to a stored property of another module's class is checked
  // for exclusivity.
  package var shape: RecordShape { withUnsafeMutablePointerToHeader { $0.pointee.shape } }
  var shapeID: ObjectIdentifier {
    withUnsafeMutablePointerToHeader { ObjectIdentifier($0.pointee.shape) }
  }
  package var state: Record.State { withUnsafeMutablePointerToHeader { $0.pointee.state } }
  package var extras: RecordExtras? { withUnsafeMutablePointerToHeader { $0.pointee.extras } }
  /// All fields, if the record has too many for cells; otherwise `nil`.
  package var fields: FieldTree? { extras?.fields }
  package var cellCount: Int { withUnsafeMutablePointerToHeader { Int($0.pointee.cellCount) } }
  package var hasErrors: Bool {
    withUnsafeMutablePointerToHeader { header in
      guard let extras = header.pointee.extras else { return false }
      return extras.hasErrors
    }
  }

  /// Calls the closure with the cells and their text bytes. The pointers are valid until it
  /// returns.
  package func withCells<Result>(
    _ body: (UnsafePointer<FieldCell>, StringBytes) throws -> Result
  ) rethrows -> Result {
    try withUnsafeMutablePointers { header, cells in
      try body(
        cells, StringBytes(first: UnsafeRawPointer(cells + Int(header.pointee.cellCount))))
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

  package func cell(at position: Int) -> FieldCell {
    withUnsafeMutablePointerToElements { $0[position] }
  }

  /// Returns the value of a field; `nil` if it was never written.
  ///
  /// - Complexity: O(log *n*) in the record's fields.
  package func value(of key: FieldKey) -> FieldValue? {
    shape.position(of: key).map { value(at: $0) } ?? fields?[key]?.value
  }

  /// Returns the errors of a field.
  package func errors(of key: FieldKey) -> [StoredError] {
    guard let extras else { return [] }
    return extras.errors[key] ?? extras.fields?[key]?.errors ?? []
  }

  /// The errors of all fields.
  ///
  /// - Complexity: O(*n*) if the record has a field tree and one of its fields has errors.
  package var errors: [FieldKey: [StoredError]] {
    guard let extras else { return [:] }
    guard let fields = extras.fields, fields.errorCount > 0 else { return extras.errors }
    var errors: [FieldKey: [StoredError]] = [:]
    fields.forEach { if !$0.errors.isEmpty { errors[$0.key] = $0.errors } }
    return errors
  }

  /// Returns the value of a cell.
  package func value(at position: Int) -> FieldValue {
    withCells { cells, texts in
      FieldValue(cells[position], texts) { extras?.boxedValues[$0] ?? .null }
    }
  }

  /// Calls the closure with every record linked from a field.
  package func forEachLink(of key: FieldKey, _ body: (RecordIndex) -> Void) {
    if let fields { return fields[key]?.value.forEachLink(body) ?? () }
    guard let position = shape.position(of: key) else { return }
    let cell = cell(at: position)
    switch cell.kind {
    case .link: body(cell.link)
    case .boxed: extras?.boxedValues[cell.boxedIndex].forEachLink(body)
    default: break
    }
  }

  /// Calls the closure with every record linked from this record.
  package func forEachLink(_ body: (RecordIndex) -> Void) {
    forEachLinkValue { $0.forEachLink(body) }
  }

  /// Calls the closure with every value that may contain links.
  @inline(__always)
  func forEachLinkValue(_ body: (FieldValue) -> Void) {
    let extras = extras
    withUnsafeMutablePointers { header, cells in
      for position in 0..<Int(header.pointee.cellCount) where cells[position].kind == .link {
        body(.link(cells[position].link))
      }
    }
    guard let extras else { return }
    for value in extras.boxedValues { body(value) }
    extras.fields?.forEach { body($0.value) }
  }
}

/// A writer of a record's strings, after its id. Valid only inside the `fill` closure of
/// ``RecordBox/make(_:_:id:stringCount:extras:fill:)``, whose allocation has room for `stringCount`
/// bytes.
package struct StringWriter {
  private let start: UnsafeMutableRawPointer
  private var count: Int
  private let idCount: Int

  fileprivate init(start: UnsafeMutableRawPointer, id: UnsafeRawBufferPointer) {
    self.start = start
    idCount = id.count
    count = id.count
    if let address = id.baseAddress { start.copyMemory(from: address, byteCount: id.count) }
  }

  /// Copies a cell's string or digits, and returns the cell with its new offset. Other cells are
  /// returned unchanged.
  ///
  /// A string equal to the record's id is not copied.
  package mutating func copy(_ cell: FieldCell, from texts: StringBytes) -> FieldCell {
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
  /// Creates the value of a cell.
  ///
  /// - Parameter boxed: Returns the boxed value at an index.
  package init(_ cell: FieldCell, _ texts: StringBytes, boxed: (Int) -> FieldValue) {
    switch cell.kind {
    case .null: self = .null
    case .bool: self = .bool(cell.bool)
    case .int: self = .int(cell.int)
    case .string: self = .string(texts[cell].text)
    case .number: self = .number(JSONNumber(digits: texts[cell].text))
    case .link: self = .link(cell.link)
    case .boxed: self = boxed(cell.boxedIndex)
    }
  }
}
