extension LayeredSource {
  /// Merges a payload: field by field, the later value winning.
  ///
  /// A record whose type is another than the payload's is replaced, since two objects cannot share
  /// one id.
  ///
  /// - Complexity: O(*n*) in the payload's fields.
  package mutating func merge(_ payload: RecordPayload, into layer: Layer) {
    for typeName in payload.shapes.compactMap(\.typeName) { know(typeName) }
    let shapes = payload.shapes.map { self.shapes.intern($0.typeName, $0.keys) }
    let most = shapes.reduce(0) { max($0, $1.keys.count) }
    payload.withContents { contents in
      base.expect(contents.entries.count)
      withUnsafeTemporaryAllocation(of: RecordIndex.self, capacity: payload.ids.count) { indexes in
        withUnsafeTemporaryAllocation(of: FieldCell.self, capacity: max(1, most)) { cells in
          indexes.initialize(repeating: .none)
          var merge = PayloadMerge(payload, contents, indexes, cells)
          for number in contents.entries.indices {
            merge.write(number, shapes[contents.entries[number].shape], to: &self, layer)
          }
        }
      }
    }
  }
}

/// What a merge knows of its payload.
private struct PayloadMerge {
  private let payload: RecordPayload
  private let contents: RecordPayload.Contents
  private let texts: TextBytes
  /// The store's number for each id of the payload, once it is known.
  private let indexes: UnsafeMutablePointer<RecordIndex>
  /// The cells and side list of the entry being merged, with the store's links.
  private let cells: UnsafeMutablePointer<FieldCell>
  private var count = 0
  private var boxedValues: [FieldValue] = []

  init(
    _ payload: RecordPayload, _ contents: RecordPayload.Contents,
    _ indexes: UnsafeMutableBufferPointer<RecordIndex>,
    _ cells: UnsafeMutableBufferPointer<FieldCell>
  ) {
    self.payload = payload
    self.contents = contents
    texts = contents.texts
    // Neither is empty.
    self.indexes = indexes.baseAddress.unsafelyUnwrapped
    self.cells = cells.baseAddress.unsafelyUnwrapped
  }

  // MARK: Numbers

  @inline(__always)
  private func id(_ record: RecordIndex) -> UnsafeRawBufferPointer {
    let id = contents.ids + record.position
    return UnsafeRawBufferPointer(
      start: texts.at(id.pointee.offset), count: id.pointee.count)
  }

  /// The store's number, if it has one yet.
  @inline(__always)
  private func known(_ record: RecordIndex, in source: LayeredSource) -> RecordIndex? {
    let index = indexes[record.position]
    if index != .none { return index }
    let hash = contents.ids[record.position].hash
    guard let found = source.base.index(of: id(record), hash: hash) else { return nil }
    indexes[record.position] = found
    return found
  }

  private func insert(
    _ storage: RecordStorage, as record: RecordIndex, in source: inout LayeredSource
  ) -> RecordIndex {
    let index = source.base.insert(storage, hash: contents.ids[record.position].hash)
    indexes[record.position] = index
    return index
  }

  /// The store's number, a new one if it has none.
  private func index(_ record: RecordIndex, in source: inout LayeredSource) -> RecordIndex {
    known(record, in: source) ?? insert(.unknown(id: id(record)), as: record, in: &source)
  }

  /// Takes the entry's cells with the store's numbers in place of the payload's.
  private mutating func translate(
    _ entry: RecordPayload.Entry, _ count: Int, in source: inout LayeredSource
  ) {
    self.count = count
    if !boxedValues.isEmpty { boxedValues.removeAll(keepingCapacity: true) }
    for position in 0..<count {
      let cell = contents.cells[entry.firstCell + position]
      switch cell.kind {
      case .link: cells[position] = FieldCell(link: index(cell.link, in: &source))
      case .boxed:
        boxedValues.append(
          payload.boxedValues[cell.boxedIndex].mapLinks { index($0, in: &source) })
        cells[position] = FieldCell(boxed: boxedValues.count - 1)
      default: cells[position] = cell
      }
    }
  }

  // MARK: What is there already

  @inline(__always)
  private func isHeld(
    _ entry: RecordPayload.Entry, _ shape: RecordShape, at index: RecordIndex,
    in source: LayeredSource
  ) -> Bool {
    let isHeld = source.base.withRecord(at: index) { record in
      record.shapeID == ObjectIdentifier(shape) && record.state == .present && !record.hasErrors
        && self.isHeld(entry, shape.keys.count, by: record)
    }
    return isHeld ?? false
  }

  /// Whether a record, which has the shape, holds the entry's values.
  ///
  /// What a payload links to stands in front of it, so the store's numbers are known; where one is not,
  /// the answer is no.
  @inline(__always)
  private func isHeld(_ entry: RecordPayload.Entry, _ count: Int, by old: RecordStorage) -> Bool {
    old.withCells { oldCells, oldTexts in
      let cells = contents.cells + entry.firstCell
      for position in 0..<count {
        let (cell, other) = (cells[position], oldCells[position])
        guard cell.kind == other.kind else { return false }
        switch cell.kind {
        case .string, .number:
          guard texts[cell].hasSameBytes(as: oldTexts[other]) else { return false }
        case .link:
          guard indexes[cell.link.position] == other.link else { return false }
        case .boxed:
          guard
            isHeld(
              payload.boxedValues[cell.boxedIndex], by: old.extras?.boxedValues[other.boxedIndex])
          else {
            return false
          }
        default: guard cell == other else { return false }
        }
      }
      return true
    }
  }

  private func isHeld(_ value: FieldValue, by old: FieldValue?) -> Bool {
    guard let old else { return false }
    guard case .links(let links) = value, case .links(let there) = old else {
      return !value.isLinked && value == old
    }
    guard links.count == there.count else { return false }
    for position in links.indices {
      let link = links[position]
      guard (link == .none ? .none : indexes[link.position]) == there[position] else {
        return false
      }
    }
    return true
  }

  // MARK: Records

  /// Merges one object.
  mutating func write(
    _ number: Int, _ shape: RecordShape, to source: inout LayeredSource,
    _ layer: LayeredSource.Layer
  ) {
    let entry = contents.entries[number]
    if layer == .base, let index = known(entry.record, in: source) {
      source.noteWritten(shape.keys, of: index)
      if payload.errors.isEmpty, isHeld(entry, shape, at: index, in: source) { return }
    }
    if let errors = payload.errors[number] {
      write(entry, shape, errors, to: &source, layer)
    } else {
      write(entry, shape, to: &source, layer)
    }
  }

  private mutating func write(
    _ entry: RecordPayload.Entry, _ shape: RecordShape, to source: inout LayeredSource,
    _ layer: LayeredSource.Layer
  ) {
    translate(entry, shape.keys.count, in: &source)
    guard let index = known(entry.record, in: source) else {
      if layer == .base {
        source.noteNew(insert(made(shape, id(entry.record)), as: entry.record, in: &source))
      } else {
        let index = index(entry.record, in: &source)
        source.put(made(shape, id(entry.record)), at: index, in: layer)
      }
      return
    }
    let old = source.record(index, in: layer).storage
    if old.hasErrors { return write(entry, shape, [:], to: &source, layer) }
    if let new = merged(old, shape, &source.shapes) {
      source.noteTypes(old, new)
      source.put(new, at: index, in: layer)
    } else if layer == .overlay {
      source.put(old, at: index, in: layer)
    }
  }

  /// Merges one object field by field, for its errors' sake.
  private mutating func write(
    _ entry: RecordPayload.Entry, _ shape: RecordShape, _ errors: [FieldKey: [StoredError]],
    to source: inout LayeredSource, _ layer: LayeredSource.Layer
  ) {
    translate(entry, shape.keys.count, in: &source)
    let index = index(entry.record, in: &source)
    let old = source.record(index, in: layer).storage
    defer { source.noteTypes(old, source.record(index, in: layer).storage) }
    source.update(index, in: layer) { draft in
      var isChanged = draft.become(present: shape.typeName)
      for (position, key) in shape.keys.enumerated() {
        let value = FieldValue(cells[position], texts) { boxedValues[$0] }
        if draft.set(key, to: value, errors: errors[key] ?? []) { isChanged = true }
      }
      return isChanged
    }
  }

  /// A new record with the entry's fields.
  private func made(_ shape: RecordShape, _ id: UnsafeRawBufferPointer) -> RecordStorage {
    var textCount = 0
    for position in 0..<count where cells[position].isText {
      // The id itself is not kept twice.
      let cell = cells[position]
      if !texts[cell].hasSameBytes(as: id) { textCount += cell.textCount }
    }
    return RecordStorage.make(
      shape, .present, id: id, textCount: textCount, extras: .make(boxedValues: boxedValues)
    ) { target, writer in
      for position in 0..<count {
        (target + position).initialize(to: writer.copy(cells[position], from: texts))
      }
    }
  }

  /// A record with the entry's fields and those of the old one that the entry does not have; `nil`
  /// where that is the old one.
  private func merged(_ old: RecordStorage, _ shape: RecordShape, _ shapes: inout ShapeTable)
    -> RecordStorage?
  {
    let isSameType =
      shape.typeName == nil || old.shape.typeName == nil || shape.hasSameType(as: old.shape)
    guard old.state == .present, isSameType else { return old.withID { made(shape, $0) } }
    if old.shape === shape {
      return isSame(as: old) ? nil : old.withID { made(shape, $0) }
    }
    if let fields = old.fields { return written(old, fields, shape, &shapes) }
    return combined(old, shape, &shapes)
  }

  /// Whether a record of the same shape has the same values.
  private func isSame(as old: RecordStorage) -> Bool {
    old.withCells { oldCells, oldTexts in
      for position in 0..<count
      where !isSame(position, as: oldCells[position], oldTexts, of: old) {
        return false
      }
      return true
    }
  }

  private func isSame(
    _ position: Int, as other: FieldCell, _ otherTexts: TextBytes, of old: RecordStorage
  ) -> Bool {
    let cell = cells[position]
    guard cell.kind == other.kind else { return false }
    if cell.isText { return texts[cell].hasSameBytes(as: otherTexts[other]) }
    if cell.kind != .boxed { return cell == other }
    return boxedValues[cell.boxedIndex] == old.extras?.boxedValues[other.boxedIndex]
  }

  /// A record with many fields, of which the entry's are written; `nil` where it has them already.
  private func written(
    _ old: RecordStorage, _ oldFields: FieldTree, _ shape: RecordShape, _ shapes: inout ShapeTable
  ) -> RecordStorage? {
    var fields = oldFields
    var isChanged = old.shape.typeName == nil && shape.typeName != nil
    for (position, key) in shape.keys.enumerated() {
      let field = FieldTree.Field(
        key: key, value: FieldValue(cells[position], texts) { boxedValues[$0] })
      if fields[key] == field { continue }
      fields.set(field)
      isChanged = true
    }
    guard isChanged else { return nil }
    let made = shapes.large(shape.typeName ?? old.shape.typeName)
    return old.withID { .large(made, id: $0, fields) }
  }

  /// The fields of both, the entry's where both have one.
  private func combined(_ old: RecordStorage, _ shape: RecordShape, _ shapes: inout ShapeTable)
    -> RecordStorage?
  {
    let (oldKeys, newKeys, oldBoxedValues) = (
      old.shape.keys, shape.keys, old.extras?.boxedValues ?? []
    )
    var draft = FieldUnion(capacity: oldKeys.count + newKeys.count)
    let isChanged = old.withCells { oldCells, oldTexts in
      var isChanged = old.shape.typeName == nil && shape.typeName != nil
      var (left, right) = (0, 0)
      while left < oldKeys.count || right < newKeys.count {
        let a = left < oldKeys.count ? oldKeys[left].rawValue : .max
        let b = right < newKeys.count ? newKeys[right].rawValue : .max
        if a < b {
          draft.append(oldKeys[left], oldCells[left], oldTexts, oldBoxedValues)
          left += 1
          continue
        }
        let isKnown = a == b && isSame(right, as: oldCells[left], oldTexts, of: old)
        if !isKnown { isChanged = true }
        draft.append(newKeys[right], cells[right], texts, boxedValues)
        right += 1
        if a == b { left += 1 }
      }
      return isChanged
    }
    guard isChanged else { return nil }
    let typeName = shape.typeName ?? old.shape.typeName
    // Where most fields are the entry's, few are copied that did not change.
    if draft.keys.count > max(RecordStorage.cellLimit, count * 2) {
      let fields = withExtendedLifetime(old) { FieldTree(draft.fields) }
      return old.withID { .large(shapes.large(typeName), id: $0, fields) }
    }
    let made = shapes.intern(typeName, draft.keys)
    // The old texts are still there: the draft holds nothing of its own.
    return withExtendedLifetime(old) { old.withID { draft.record(made, id: $0) } }
  }
}

/// Fields from two records, for a third.
private struct FieldUnion {
  private(set) var keys: ContiguousArray<FieldKey> = []
  private var cells: ContiguousArray<(cell: FieldCell, texts: TextBytes)> = []
  private var boxedValues: [FieldValue] = []
  private var textCount = 0

  init(capacity: Int) {
    keys.reserveCapacity(capacity)
    cells.reserveCapacity(capacity)
  }

  mutating func append(
    _ key: FieldKey, _ cell: FieldCell, _ texts: TextBytes, _ side: [FieldValue]
  ) {
    keys.append(key)
    if cell.isText { textCount += cell.textCount }
    if cell.kind == .boxed {
      boxedValues.append(side[cell.boxedIndex])
      cells.append((FieldCell(boxed: boxedValues.count - 1), texts))
    } else {
      cells.append((cell, texts))
    }
  }

  /// All of them, for as long as their texts are held.
  var fields: [FieldTree.Field] {
    zip(keys, cells).map { key, cell in
      FieldTree.Field(key: key, value: FieldValue(cell.cell, cell.texts) { boxedValues[$0] })
    }
  }

  func record(_ shape: RecordShape, id: UnsafeRawBufferPointer) -> RecordStorage {
    RecordStorage.make(
      shape, .present, id: id, textCount: textCount, extras: .make(boxedValues: boxedValues)
    ) { target, writer in
      for position in cells.indices {
        let (cell, texts) = cells[position]
        (target + position).initialize(to: writer.copy(cell, from: texts))
      }
    }
  }
}
