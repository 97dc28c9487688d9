// Merging into records that are in the store already.

extension PayloadMerge {
  /// Returns the old record with the entry's fields written; `nil` if no field changes.
  func merged(
    into old: RecordBox, shape: RecordShape, shapes: inout ShapeTable
  ) -> RecordBox? {
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
  private func isSame(as old: RecordBox) -> Bool {
    old.withCells { oldCells, oldTexts in
      for position in 0..<count
      where !isSame(position, as: oldCells[position], texts: oldTexts, of: old) {
        return false
      }
      return true
    }
  }

  private func isSame(
    _ position: Int, as other: FieldCell, texts otherTexts: StringBytes, of old: RecordBox
  ) -> Bool {
    let cell = cells[position]
    guard cell.kind == other.kind else { return false }
    if cell.isText { return texts[cell].hasSameBytes(as: otherTexts[other]) }
    if cell.kind != .boxed { return cell == other }
    return boxedValues[cell.boxedIndex] == old.extras?.boxedValues[other.boxedIndex]
  }

  /// Returns a record with a field tree and the entry's fields written; `nil` if no field changes.
  private func merged(
    into old: RecordBox, tree oldFields: FieldTree, shape: RecordShape,
    shapes: inout ShapeTable
  ) -> RecordBox? {
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

  /// Returns a record with the fields of both, the entry's taking precedence; `nil` if no field
  /// changes.
  private func union(
    with old: RecordBox, shape: RecordShape, shapes: inout ShapeTable
  ) -> RecordBox? {
    let union = shapes.union(of: old.shape, shape)
    return old.withCells { oldCells, oldTexts in
      guard isChanged(by: union, cells: oldCells, texts: oldTexts, of: old) else { return nil }
      // If most fields are the entry's, cells are better: few unchanged fields are copied.
      if union.sources.count > max(RecordBox.cellLimit, count * 2) {
        let fields = FieldTree(fields(of: union, cells: oldCells, texts: oldTexts, of: old))
        return old.withID { .large(shapes.large(union.shape.typeName), id: $0, fields) }
      }
      return old.withID { record(of: union, id: $0, cells: oldCells, texts: oldTexts, of: old) }
    }
  }

  /// Whether the entry changes the old record.
  private func isChanged(
    by union: ShapeUnion, cells oldCells: UnsafePointer<FieldCell>, texts oldTexts: StringBytes,
    of old: RecordBox
  ) -> Bool {
    if union.sources.count > union.old.keys.count { return true }
    if union.old.typeName == nil, union.new.typeName != nil { return true }
    return union.sources.contains { source in
      source.new >= 0
        && !isSame(Int(source.new), as: oldCells[Int(source.old)], texts: oldTexts, of: old)
    }
  }

  private func fields(
    of union: ShapeUnion, cells oldCells: UnsafePointer<FieldCell>, texts oldTexts: StringBytes,
    of old: RecordBox
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
    texts oldTexts: StringBytes, of old: RecordBox
  ) -> RecordBox {
    var (stringCount, boxed) = (0, [FieldValue]())
    let oldBoxed = old.extras?.boxedValues ?? []
    for source in union.sources {
      let cell = source.new >= 0 ? cells[Int(source.new)] : oldCells[Int(source.old)]
      if cell.isText { stringCount += cell.stringCount }
      guard cell.kind == .boxed else { continue }
      boxed.append(source.new >= 0 ? boxedValues[cell.boxedIndex] : oldBoxed[cell.boxedIndex])
    }
    return RecordBox.make(
      union.shape, .present, id: id, stringCount: stringCount, extras: .make(boxedValues: boxed)
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
