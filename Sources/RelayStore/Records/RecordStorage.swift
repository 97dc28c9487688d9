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
  /// One reference, since few have it.
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

  /// All fields with their errors, where there are too many for cells; else `nil`.
  package var fields: FieldTree? { large?.tree }
  package var hasErrors: Bool { !errors.isEmpty || large.map { $0.tree.errorCount > 0 } ?? false }

  /// `nil` where there is nothing to keep.
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

/// One record in one allocation: its header, a ``FieldCell`` for each key of its shape, then the bytes of
/// its id and its texts.
///
/// A record with many fields has none in its shape: they are a ``FieldTree``, so that writing one of them
/// does not copy the boxedValues.
///
/// It never changes once made, so rows can hold it in place of copies.
package final class RecordStorage: ManagedBuffer<RecordHeader, FieldCell> {
  /// - Parameters:
  ///   - id: Its bytes.
  ///   - textCount: The bytes of all texts but the id.
  ///   - fill: Writes a cell for each key, and the texts behind the id.
  package static func make(
    _ shape: RecordShape, _ state: Record.State, id: UnsafeRawBufferPointer, textCount: Int = 0,
    extras: RecordExtras? = nil,
    fill: (UnsafeMutablePointer<FieldCell>, inout TextWriter) -> Void = { _, _ in }
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

  /// A record that has many fields.
  ///
  /// - Parameter shape: One of ``ShapeTable/large(_:)``.
  package static func large(
    _ shape: RecordShape, id: UnsafeRawBufferPointer, _ fields: FieldTree,
    state: Record.State = .present
  ) -> RecordStorage {
    make(shape, state, id: id, extras: RecordExtras(boxedValues: [], errors: [:], fields: fields))
  }

  /// How many fields a record may have in cells, unless a response gives most of them at once.
  package static let cellLimit = 128

  // Through the pointer: access to a property of another module's class is checked each time.
  package var shape: RecordShape { withUnsafeMutablePointerToHeader { $0.pointee.shape } }
  package var shapeID: ObjectIdentifier {
    withUnsafeMutablePointerToHeader { ObjectIdentifier($0.pointee.shape) }
  }
  package var state: Record.State { withUnsafeMutablePointerToHeader { $0.pointee.state } }
  package var extras: RecordExtras? { withUnsafeMutablePointerToHeader { $0.pointee.extras } }
  /// All fields, where the record has too many for cells; else `nil`.
  package var fields: FieldTree? { extras?.fields }
  package var cellCount: Int { withUnsafeMutablePointerToHeader { Int($0.pointee.cellCount) } }
  package var hasErrors: Bool {
    withUnsafeMutablePointerToHeader { header in
      guard let extras = header.pointee.extras else { return false }
      return extras.hasErrors
    }
  }

  /// Its texts, for as long as the record is held by the caller.
  package func withCells<Result>(
    _ body: (UnsafePointer<FieldCell>, TextBytes) throws -> Result
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

  package func cell(at position: Int) -> FieldCell {
    withUnsafeMutablePointerToElements { $0[position] }
  }

  /// The value of a field; `nil` when it was never written.
  ///
  /// - Complexity: O(log *n*) in the record's fields.
  package func value(of key: FieldKey) -> FieldValue? {
    shape.position(of: key).map { value(at: $0) } ?? fields?[key]?.value
  }

  /// Errors of one field.
  package func errors(of key: FieldKey) -> [StoredError] {
    guard let extras else { return [] }
    return extras.errors[key] ?? extras.fields?[key]?.errors ?? []
  }

  /// Errors of all fields.
  ///
  /// - Complexity: O(*n*) where the record has many fields and one of them has errors.
  package var errors: [FieldKey: [StoredError]] {
    guard let extras else { return [:] }
    guard let fields = extras.fields, fields.errorCount > 0 else { return extras.errors }
    var errors: [FieldKey: [StoredError]] = [:]
    fields.forEach { if !$0.errors.isEmpty { errors[$0.key] = $0.errors } }
    return errors
  }

  /// The value at a position of the shape.
  package func value(at position: Int) -> FieldValue {
    withCells { cells, texts in
      FieldValue(cells[position], texts) { extras?.boxedValues[$0] ?? .null }
    }
  }

  /// Every record linked from one field.
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
    guard let extras else { return }
    for value in extras.boxedValues { body(value) }
    extras.fields?.forEach { body($0.value) }
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
  package mutating func copy(_ cell: FieldCell, from texts: TextBytes) -> FieldCell {
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
  /// - Parameter boxed: The boxed value at an index.
  package init(_ cell: FieldCell, _ texts: TextBytes, boxed: (Int) -> FieldValue) {
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
