extension LayeredSource {
  /// Merges a payload field by field; the later value wins.
  ///
  /// A record is replaced if its type differs from the payload's, since two objects cannot share an
  /// id.
  ///
  /// - Complexity: O(*n*) in the payload's fields.
  package mutating func merge(_ payload: RecordPayload, into layer: Layer) {
    for typeName in payload.shapes.compactMap(\.typeName) { registerType(typeName) }
    let shapes = payload.shapes.map { self.shapes.intern($0.typeName, $0.keys) }
    let maxCount = shapes.reduce(0) { max($0, $1.keys.count) }
    payload.withContents { contents in
      base.reserveCapacity(forObjects: contents.entries.count)
      withUnsafeTemporaryAllocation(of: RecordIndex.self, capacity: payload.ids.count) { indexes in
        withUnsafeTemporaryAllocation(of: FieldCell.self, capacity: max(1, maxCount)) { cells in
          indexes.initialize(repeating: .none)
          var merge = PayloadMerge(
            of: payload, contents: contents, indexes: indexes, cells: cells)
          for entryIndex in contents.entries.indices {
            merge.mergeEntry(
              at: entryIndex, shape: shapes[contents.entries[entryIndex].shape], into: &self,
              layer: layer)
          }
          for patch in payload.patches { merge.apply(patch, to: &self, layer: layer) }
        }
      }
    }
  }
}

/// The working state of one merge.
///
/// All pointers are borrowed: the payload's contents and the temporary allocations outlive the
/// merge, because ``LayeredSource/merge(_:into:)`` creates it inside their closures.
private struct PayloadMerge {
  private let payload: RecordPayload
  private let contents: RecordPayload.Contents
  private let texts: TextBytes
  /// The store's index for each id of the payload; `.none` until it is looked up.
  private let indexes: UnsafeMutablePointer<RecordIndex>
  /// The cells of the entry being merged, with the store's links in place of the payload's.
  /// `boxedValues` has its boxed values.
  private let cells: UnsafeMutablePointer<FieldCell>
  private var count = 0
  private var boxedValues: [FieldValue] = []

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
  private func id(_ record: RecordIndex) -> UnsafeRawBufferPointer {
    let id = contents.ids + record.position
    return UnsafeRawBufferPointer(
      start: texts.at(id.pointee.offset), count: id.pointee.count)
  }

  /// Returns the store's index for a payload's id, or `nil` if the id is new to the store.
  @inline(__always)
  private func existingIndex(_ record: RecordIndex, in source: LayeredSource) -> RecordIndex? {
    let index = indexes[record.position]
    if index != .none { return index }
    let hash = contents.ids[record.position].hash
    guard let found = source.base.index(of: id(record), hash: hash) else { return nil }
    indexes[record.position] = found
    return found
  }

  private func isPresent(
    _ record: RecordIndex, in source: LayeredSource, _ layer: LayeredSource.Layer
  ) -> Bool {
    existingIndex(record, in: source).map { source.record($0, in: layer).state == .present }
      ?? false
  }

  private func insert(
    _ storage: RecordStorage, as record: RecordIndex, in source: inout LayeredSource
  ) -> RecordIndex {
    let index = source.base.insert(storage, hash: contents.ids[record.position].hash)
    indexes[record.position] = index
    return index
  }

  /// Returns the store's index for a payload's id, assigning one if the id is new.
  private func index(_ record: RecordIndex, in source: inout LayeredSource) -> RecordIndex {
    existingIndex(record, in: source) ?? insert(.unknown(id: id(record)), as: record, in: &source)
  }

  /// Copies the entry's cells, replacing the payload's record indexes by the store's.
  private mutating func translate(
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
  private func isHeld(
    _ entry: RecordPayload.Entry, shape: RecordShape, at index: RecordIndex,
    in source: LayeredSource
  ) -> Bool {
    let isHeld = source.base.withRecord(at: index) { record in
      record.shapeID == ObjectIdentifier(shape) && record.state == .present && !record.hasErrors
        && self.isHeld(entry, count: shape.keys.count, by: record)
    }
    return isHeld ?? false
  }

  /// Whether a record of the entry's shape already holds the entry's values.
  ///
  /// Entries precede the entries that link to them, so `indexes` usually has the store's index of a
  /// link. A link without one counts as different.
  @inline(__always)
  private func isHeld(_ entry: RecordPayload.Entry, count: Int, by old: RecordStorage) -> Bool {
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
      source.unmarkClientWritten(shape.keys, of: index)
      if payload.errors.isEmpty, isHeld(entry, shape: shape, at: index, in: source) { return }
    }
    if let errors = payload.errors[entryIndex] {
      mergeFields(of: entry, shape: shape, errors: errors, into: &source, layer: layer)
    } else {
      merge(entry, shape: shape, into: &source, layer: layer)
    }
  }

  private mutating func merge(
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
    let old = source.record(index, in: layer).storage
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

  // MARK: Streamed lists

  /// Writes the elements of a part to a list.
  mutating func apply(
    _ patch: ListPatch, to source: inout LayeredSource, layer: LayeredSource.Layer
  ) {
    guard isPresent(patch.record, in: source, layer),
      let record = existingIndex(patch.record, in: source)
    else { return }
    let old = source.record(record, in: layer)
    let isOwn = isOwn(old[patch.key], patch, in: source)
    let new: FieldValue
    if patch.list.hasRecords {
      var links: [RecordIndex] = []
      if isOwn, case .links(let oldLinks)? = old[patch.key] {
        links = oldLinks
        for (offset, value) in patch.values.enumerated() {
          let link =
            if case .link(let link) = value { index(link, in: &source) } else { RecordIndex.none }
          while links.count < patch.index + offset { links.append(.none) }
          if patch.index + offset < links.count {
            links[patch.index + offset] = link
          } else {
            links.append(link)
          }
        }
      } else {
        links = patch.list.all.map { $0.link(in: &source) }
      }
      new = .links(links)
    } else {
      new = .list(patch.list.all.map { $0.value(in: &source) })
    }
    source.update(record, in: layer) { draft in
      draft.set(patch.key, to: new, errors: patch.list.errors)
    }
  }

  /// Whether a list in the store is as the execution has left it, rather than that of another
  /// response: it has as many elements, and the same last one.
  private func isOwn(
    _ value: FieldValue?, _ patch: ListPatch, in source: LayeredSource
  ) -> Bool {
    guard case .links(let links)? = value, links.count == patch.countBefore else { return false }
    guard let last = links.last else { return true }
    if last == .none { return patch.lastBefore == .null }
    return source.id(of: last).map { patch.lastBefore == .record($0) } ?? false
  }

  // MARK: Errors

  /// Merges one entry field by field, which keeps the errors of its fields.
  private mutating func mergeFields(
    of entry: RecordPayload.Entry, shape: RecordShape, errors: [FieldKey: [StoredError]],
    into source: inout LayeredSource, layer: LayeredSource.Layer
  ) {
    translate(entry, count: shape.keys.count, in: &source)
    let index = index(entry.record, in: &source)
    let old = source.record(index, in: layer).storage
    defer { source.detectTypeCollision(of: old, with: source.record(index, in: layer).storage) }
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
  private func newRecord(_ shape: RecordShape, id: UnsafeRawBufferPointer) -> RecordStorage {
    var textCount = 0
    for position in 0..<count where cells[position].isText {
      // The writer stores a text that equals the id only once.
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

  /// Returns the old record with the entry's fields written; `nil` if nothing changes.
  private func merged(
    into old: RecordStorage, shape: RecordShape, shapes: inout ShapeTable
  ) -> RecordStorage? {
    let isSameType =
      shape.typeName == nil || old.shape.typeName == nil || shape.hasSameType(as: old.shape)
    guard old.state == .present, isSameType else { return old.withID { newRecord(shape, id: $0) } }
    if old.shape === shape {
      return isSame(as: old) ? nil : old.withID { newRecord(shape, id: $0) }
    }
    if let fields = old.fields {
      return merged(into: old, tree: fields, shape: shape, shapes: &shapes)
    }
    return union(with: old, shape: shape, shapes: &shapes)
  }

  /// Whether a record of the entry's shape has the entry's values.
  private func isSame(as old: RecordStorage) -> Bool {
    old.withCells { oldCells, oldTexts in
      for position in 0..<count
      where !isSame(position, as: oldCells[position], texts: oldTexts, of: old) {
        return false
      }
      return true
    }
  }

  private func isSame(
    _ position: Int, as other: FieldCell, texts otherTexts: TextBytes, of old: RecordStorage
  ) -> Bool {
    let cell = cells[position]
    guard cell.kind == other.kind else { return false }
    if cell.isText { return texts[cell].hasSameBytes(as: otherTexts[other]) }
    if cell.kind != .boxed { return cell == other }
    return boxedValues[cell.boxedIndex] == old.extras?.boxedValues[other.boxedIndex]
  }

  /// Returns a record with a field tree in which the entry's fields are written; `nil` if nothing
  /// changes.
  private func merged(
    into old: RecordStorage, tree oldFields: FieldTree, shape: RecordShape,
    shapes: inout ShapeTable
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

  /// Returns a record with the fields of both, the entry's taking precedence; `nil` if nothing
  /// changes.
  private func union(
    with old: RecordStorage, shape: RecordShape, shapes: inout ShapeTable
  ) -> RecordStorage? {
    let union = shapes.union(of: old.shape, shape)
    return old.withCells { oldCells, oldTexts in
      guard isChanged(by: union, cells: oldCells, texts: oldTexts, of: old) else { return nil }
      // If most fields are the entry's, cells are better: few fields are copied that did not change.
      if union.sources.count > max(RecordStorage.cellLimit, count * 2) {
        let fields = FieldTree(fields(of: union, cells: oldCells, texts: oldTexts, of: old))
        return old.withID { .large(shapes.large(union.shape.typeName), id: $0, fields) }
      }
      return old.withID { record(of: union, id: $0, cells: oldCells, texts: oldTexts, of: old) }
    }
  }

  /// Whether the entry changes the old record.
  private func isChanged(
    by union: ShapeUnion, cells oldCells: UnsafePointer<FieldCell>, texts oldTexts: TextBytes,
    of old: RecordStorage
  ) -> Bool {
    if union.sources.count > union.old.keys.count { return true }
    if union.old.typeName == nil, union.new.typeName != nil { return true }
    return union.sources.contains { source in
      source.new >= 0
        && !isSame(Int(source.new), as: oldCells[Int(source.old)], texts: oldTexts, of: old)
    }
  }

  private func fields(
    of union: ShapeUnion, cells oldCells: UnsafePointer<FieldCell>, texts oldTexts: TextBytes,
    of old: RecordStorage
  ) -> [FieldTree.Field] {
    zip(union.shape.keys, union.sources).map { key, source in
      let value =
        source.new >= 0
        ? FieldValue(cells[Int(source.new)], texts) { boxedValues[$0] }
        : FieldValue(oldCells[Int(source.old)], oldTexts) { old.extras?.boxedValues[$0] ?? .null }
      return FieldTree.Field(key: key, value: value)
    }
  }

  private func record(
    of union: ShapeUnion, id: UnsafeRawBufferPointer, cells oldCells: UnsafePointer<FieldCell>,
    texts oldTexts: TextBytes, of old: RecordStorage
  ) -> RecordStorage {
    var (textCount, boxed) = (0, [FieldValue]())
    let oldBoxed = old.extras?.boxedValues ?? []
    for source in union.sources {
      let cell = source.new >= 0 ? cells[Int(source.new)] : oldCells[Int(source.old)]
      if cell.isText { textCount += cell.textCount }
      guard cell.kind == .boxed else { continue }
      boxed.append(source.new >= 0 ? boxedValues[cell.boxedIndex] : oldBoxed[cell.boxedIndex])
    }
    return RecordStorage.make(
      union.shape, .present, id: id, textCount: textCount, extras: .make(boxedValues: boxed)
    ) { target, writer in
      var boxedCount = 0
      for (position, source) in union.sources.enumerated() {
        let isNew = source.new >= 0
        var cell = isNew ? cells[Int(source.new)] : oldCells[Int(source.old)]
        if cell.kind == .boxed {
          cell = FieldCell(boxed: boxedCount)
          boxedCount += 1
        }
        (target + position).initialize(to: writer.copy(cell, from: isNew ? texts : oldTexts))
      }
    }
  }
}

extension StreamedList.Element {
  /// The element as a link; ``RecordIndex/none`` if it is not a record.
  fileprivate func link(in source: inout LayeredSource) -> RecordIndex {
    if case .record(let id) = self { source.intern(id) } else { .none }
  }

  /// The element as a value of a list.
  fileprivate func value(in source: inout LayeredSource) -> FieldValue {
    switch self {
    case .record(let id): .link(source.intern(id))
    case .value(let value): value
    case .list(let elements): .list(elements.map { $0.value(in: &source) })
    case .records(let ids): .links(ids.map { $0.map { source.intern($0) } ?? .none })
    }
  }
}
