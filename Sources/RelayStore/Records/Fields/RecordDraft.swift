/// A mutable copy of a record, changed field by field.
///
/// Updaters and field errors use a draft; entries of responses are merged without one.
package struct RecordDraft {
  private let id: DataID
  private var state: Record.State
  private var typeName: String?
  /// The keys of the fields, sorted by raw value; empty if ``tree`` is set.
  private var keys: ContiguousArray<FieldKey> = []
  private var values: [FieldValue] = []
  private var errors: [FieldKey: [StoredError]] = [:]
  /// The fields of a record with a field tree; otherwise `nil`.
  private var tree: FieldTree?

  package init(_ record: Record) {
    id = record.box.id
    state = record.state
    typeName = record.typeName
    tree = record.box.fields
    if tree != nil { return }
    keys = record.keys
    values = record.values
    errors = record.errors
  }

  /// Removes everything but the id.
  mutating func clear() {
    (state, typeName) = (.unknown, nil)
    clearFields()
  }

  private mutating func clearFields() { (keys, values, errors, tree) = ([], [], [:], nil) }

  /// Sets the record's type and the state `present`. A record of another type loses its fields.
  ///
  /// - Returns: Whether anything changed.
  package mutating func become(present typeName: String?) -> Bool {
    if state == .present {
      guard let typeName else { return false }
      if let old = self.typeName, old.hasSameBytes(as: typeName) { return false }
    }
    if state != .present || self.typeName != nil { clearFields() }
    self.typeName = typeName
    state = .present
    return true
  }

  /// Writes a field, replacing its errors.
  ///
  /// - Returns: Whether anything changed.
  package mutating func set(_ key: FieldKey, to value: FieldValue, errors new: [StoredError] = [])
    -> Bool
  {
    if let old = tree?[key], old.value == value, old.errors == new { return false }
    if tree != nil {
      tree?.set(FieldTree.Field(key: key, value: value, errors: new))
      return true
    }
    let old = errors[key] ?? []
    if old != new { errors[key] = new.isEmpty ? nil : new }
    let position = keys.firstIndex { $0.rawValue >= key.rawValue } ?? keys.count
    if position < keys.count, keys[position] == key {
      if values[position] == value { return old != new }
      values[position] = value
    } else {
      keys.insert(key, at: position)
      values.insert(value, at: position)
      if keys.count > RecordBox.cellLimit { becomeLarge() }
    }
    return true
  }

  /// Moves the fields from arrays to a field tree.
  private mutating func becomeLarge() {
    let fields = zip(keys, values).map { key, value in
      FieldTree.Field(key: key, value: value, errors: errors[key] ?? [])
    }
    clearFields()
    tree = FieldTree(fields)
  }

  /// Returns the same draft with its fields in arrays instead of a tree.
  private func withFieldArrays(_ fields: FieldTree) -> RecordDraft {
    var draft = self
    draft.clearFields()
    fields.forEach { field in
      draft.keys.append(field.key)
      draft.values.append(field.value)
      if !field.errors.isEmpty { draft.errors[field.key] = field.errors }
    }
    return draft
  }

  /// Writes another record's fields, with their errors, except for some keys.
  ///
  /// - Returns: Whether anything changed.
  package mutating func copyFields(from other: Record, except excluded: [FieldKey] = []) -> Bool {
    let errors = other.errors
    var isChanged = false
    for (key, value) in zip(other.keys, other.values) where !excluded.contains(key) {
      if set(key, to: value, errors: errors[key] ?? []) { isChanged = true }
    }
    return isChanged
  }

  /// Removes a field and its errors, as if it had never been written.
  ///
  /// - Returns: Whether anything changed.
  package mutating func remove(_ key: FieldKey) -> Bool {
    if tree != nil { return tree?.remove(key) ?? false }
    guard let position = keys.firstIndex(of: key) else { return false }
    keys.remove(at: position)
    values.remove(at: position)
    errors[key] = nil
    return true
  }

  /// Returns a record with the draft's contents.
  package func record(_ shapes: inout ShapeTable) -> Record {
    if let tree, tree.count > RecordBox.cellLimit / 2 {
      let shape = shapes.large(typeName)
      return Record(id.withBytes { .large(shape, id: $0, tree, state: state) })
    }
    if let tree { return withFieldArrays(tree).record(&shapes) }
    let shape = shapes.intern(typeName, keys)
    return Record(
      id.withBytes { .make(shape, state, id: $0, values: values, errors: errors) })
  }
}

extension RecordBox {
  /// Allocates a record with cells.
  ///
  /// - Parameters:
  ///   - values: The values of the shape's keys, in their order.
  ///   - errors: The errors of its fields.
  package static func make(
    _ shape: RecordShape, _ state: Record.State, id: UnsafeRawBufferPointer,
    values: some Sequence<FieldValue>, errors: [FieldKey: [StoredError]]
  ) -> RecordBox {
    var (cells, texts, boxedValues): ([FieldCell], [UInt8], [FieldValue]) = ([], [], [])
    for value in values { cells.append(FieldCell(value, texts: &texts, boxedValues: &boxedValues)) }
    return texts.withUnsafeBytes { bytes in
      RecordBox.make(
        shape, state, id: id, stringCount: bytes.count,
        extras: .make(boxedValues: boxedValues, errors: errors)
      ) { target, writer in
        guard let first = bytes.baseAddress ?? id.baseAddress else { return }
        let source = StringBytes(first: first)
        for (position, cell) in cells.enumerated() {
          (target + position).initialize(to: writer.copy(cell, from: source))
        }
      }
    }
  }
}

extension FieldCell {
  /// Creates a cell for a value. Appends a string or digits to `texts`, and any other value that
  /// does not fit into the cell to `boxedValues`.
  package init(_ value: FieldValue, texts: inout [UInt8], boxedValues: inout [FieldValue]) {
    let cell: FieldCell? =
      switch value {
      case .null: .null
      case .bool(let bool): FieldCell(bool)
      case .int(let int): FieldCell(int)
      case .link(let index): FieldCell(link: index)
      case .string(let text): FieldCell(.string, offset: texts.count, count: text.utf8.count)
      case .number(let number):
        FieldCell(.number, offset: texts.count, count: number.digits.utf8.count)
      case .object, .list, .array, .links: nil
      }
    switch (cell, value) {
    case (_?, .string(let text)): texts.append(contentsOf: text.utf8)
    case (_?, .number(let number)): texts.append(contentsOf: number.digits.utf8)
    case (nil, _): boxedValues.append(value)
    default: break
    }
    self = cell ?? FieldCell(boxed: boxedValues.count - 1)
  }
}
