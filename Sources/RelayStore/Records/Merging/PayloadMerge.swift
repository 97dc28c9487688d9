/// The working state of one merge.
///
/// All pointers are borrowed: the payload's contents and the temporary allocations outlive the
/// merge, because ``LayeredSource/merge(_:into:)`` creates it inside their closures.
struct PayloadMerge {
  let payload: RecordPayload
  let contents: RecordPayload.Contents
  let texts: StringBytes
  /// The store's index for each id of the payload; `.none` until it is looked up.
  let indexes: UnsafeMutablePointer<RecordIndex>
  /// The cells of the entry being merged, with the store's links instead of the payload's.
  /// `boxedValues` has its boxed values.
  let cells: UnsafeMutablePointer<FieldCell>
  var count = 0
  var boxedValues: [FieldValue] = []

  init(
    of payload: RecordPayload, contents: RecordPayload.Contents,
    indexes: UnsafeMutableBufferPointer<RecordIndex>,
    cells: UnsafeMutableBufferPointer<FieldCell>
  ) {
    self.payload = payload
    self.contents = contents
    texts = contents.texts
    // Neither buffer is empty: an entry has an id, and the cells' capacity is at least 1.
    self.indexes = indexes.baseAddress.unsafelyUnwrapped
    self.cells = cells.baseAddress.unsafelyUnwrapped
  }

  // MARK: Record indexes

  @inline(__always)
  func id(_ record: RecordIndex) -> UnsafeRawBufferPointer {
    let id = contents.ids + record.position
    return UnsafeRawBufferPointer(
      start: texts.at(id.pointee.offset), count: id.pointee.count)
  }

  /// Returns the store's index for a payload's id; `nil` if the id is new to the store.
  @inline(__always)
  func existingIndex(_ record: RecordIndex, in source: LayeredSource) -> RecordIndex? {
    let index = indexes[record.position]
    if index != .none { return index }
    let hash = contents.ids[record.position].hash
    guard let found = source.base.index(of: id(record), hash: hash) else { return nil }
    indexes[record.position] = found
    return found
  }

  func isPresent(
    _ record: RecordIndex, in source: LayeredSource, _ layer: LayeredSource.Layer
  ) -> Bool {
    existingIndex(record, in: source).map { source.record($0, in: layer).state == .present }
      ?? false
  }

  func insert(
    _ box: RecordBox, as record: RecordIndex, in source: inout LayeredSource
  ) -> RecordIndex {
    let index = source.insert(box, hash: contents.ids[record.position].hash)
    indexes[record.position] = index
    return index
  }

  /// Returns the store's index for a payload's id, assigning one if the id is new.
  func index(_ record: RecordIndex, in source: inout LayeredSource) -> RecordIndex {
    existingIndex(record, in: source) ?? insert(.unknown(id: id(record)), as: record, in: &source)
  }

  /// Copies the entry's cells, replacing the payload's record indexes with the store's.
  mutating func translate(
    _ entry: RecordPayload.Entry, count: Int, in source: inout LayeredSource
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

  // MARK: Comparing with the record in the store

  @inline(__always)
  func isHeld(
    _ entry: RecordPayload.Entry, shape: RecordShape, at index: RecordIndex,
    in source: LayeredSource
  ) -> Bool {
    let isHeld = source.base.withRecord(at: index) { record in
      record.shapeID == ObjectIdentifier(shape) && record.state == .present && !record.hasErrors
        && self.isHeld(entry, count: shape.keys.count, by: record)
    }
    return isHeld ?? false
  }

  /// Whether a record of the entry's shape already has the entry's values.
  ///
  /// Compares before links are translated, so an unchanged entry costs no copy.
  ///
  /// Entries precede the entries that link to them, so `indexes` usually has the store's index of a
  /// link. A link without one counts as different.
  @inline(__always)
  func isHeld(_ entry: RecordPayload.Entry, count: Int, by old: RecordBox) -> Bool {
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

  func isHeld(_ value: FieldValue, by old: FieldValue?) -> Bool {
    guard let old else { return false }
    guard case .links(let links) = value, case .links(let oldLinks) = old else {
      return !value.isLinked && value == old
    }
    guard links.count == oldLinks.count else { return false }
    for position in links.indices {
      let link = links[position]
      guard (link == .none ? .none : indexes[link.position]) == oldLinks[position] else {
        return false
      }
    }
    return true
  }

  // MARK: Records

  /// Merges one entry.
  mutating func mergeEntry(
    at entryIndex: Int, shape: RecordShape, into source: inout LayeredSource,
    layer: LayeredSource.Layer
  ) {
    let entry = contents.entries[entryIndex]
    if payload.isPart(entry.record), !isPresent(entry.record, in: source, layer) { return }
    if layer == .base, let index = existingIndex(entry.record, in: source) {
      source.observers.clientWritten.subtract(shape.keys, of: index)
      if payload.errors.isEmpty, isHeld(entry, shape: shape, at: index, in: source) { return }
    }
    if let errors = payload.errors[entryIndex] {
      mergeFields(of: entry, shape: shape, errors: errors, into: &source, layer: layer)
    } else {
      merge(entry, shape: shape, into: &source, layer: layer)
    }
  }

  mutating func merge(
    _ entry: RecordPayload.Entry, shape: RecordShape, into source: inout LayeredSource,
    layer: LayeredSource.Layer
  ) {
    translate(entry, count: shape.keys.count, in: &source)
    guard let index = existingIndex(entry.record, in: source) else {
      if layer == .base {
        let record = newRecord(shape, id: id(entry.record))
        source.markInserted(insert(record, as: entry.record, in: &source))
      } else {
        let index = index(entry.record, in: &source)
        source.setRecord(newRecord(shape, id: id(entry.record)), at: index, in: layer)
      }
      return
    }
    let old = source.record(index, in: layer).box
    if old.hasErrors {
      return mergeFields(of: entry, shape: shape, errors: [:], into: &source, layer: layer)
    }
    if let new = merged(into: old, shape: shape, shapes: &source.shapes) {
      source.detectTypeCollision(of: old, with: new)
      source.setRecord(new, at: index, in: layer)
    } else if layer == .overlay {
      source.setRecord(old, at: index, in: layer)
    }
  }

  // MARK: Errors

  /// Merges one entry field by field, preserving the errors of its fields.
  mutating func mergeFields(
    of entry: RecordPayload.Entry, shape: RecordShape, errors: [FieldKey: [StoredError]],
    into source: inout LayeredSource, layer: LayeredSource.Layer
  ) {
    translate(entry, count: shape.keys.count, in: &source)
    let index = index(entry.record, in: &source)
    let old = source.record(index, in: layer).box
    defer { source.detectTypeCollision(of: old, with: source.record(index, in: layer).box) }
    source.update(index, in: layer) { draft in
      var isChanged = draft.become(present: shape.typeName)
      for (position, key) in shape.keys.enumerated() {
        let value = FieldValue(cells[position], texts) { boxedValues[$0] }
        if draft.set(key, to: value, errors: errors[key] ?? []) { isChanged = true }
      }
      return isChanged
    }
  }

  /// Returns a new record with the entry's fields.
  func newRecord(_ shape: RecordShape, id: UnsafeRawBufferPointer) -> RecordBox {
    var stringCount = 0
    for position in 0..<count where cells[position].isText {
      // The writer stores a string equal to the id only once.
      let cell = cells[position]
      if !texts[cell].hasSameBytes(as: id) { stringCount += cell.stringCount }
    }
    return RecordBox.make(
      shape, .present, id: id, stringCount: stringCount, extras: .make(boxedValues: boxedValues)
    ) { target, writer in
      for position in 0..<count {
        (target + position).initialize(to: writer.copy(cells[position], from: texts))
      }
    }
  }
}
