/// The previous value of a field.
struct OldValue {
  let slot: RowSlot
  /// The links of the field's list, if it is a list of links.
  let links: [RecordIndex]?

  init(_ slot: RowSlot, links: [RecordIndex]? = nil) {
    self.slot = slot
    self.links = links
  }

  init(_ slot: RowSlot, of record: Record?, key: FieldKey) {
    self.slot = slot
    if case .list = slot.value, case .links(let links)? = record?[key] {
      self.links = links
    } else {
      links = nil
    }
  }
}

extension RowSlot {
  /// Returns whether both hold the identical row or list, or both are null.
  fileprivate func isIdentical(to other: RowSlot) -> Bool {
    switch (value, other.value) {
    case (.row(let a), .row(let b)): a.isIdentical(to: b)
    case (.list(let a), .list(let b)): a === b
    case (.null, .null): true
    default: false
    }
  }
}

extension RecordReader {
  /// Returns the layout of the record's record-backed rows; `nil` if the record has errors or its
  /// shape does not permit them.
  mutating func layout(of record: Record, plan: BoundPlan) -> RowLayout? {
    if record.box.hasErrors { return nil }
    if let cached = fastPath.layouts.cached(
      planID: ObjectIdentifier(plan), shapeID: record.box.shapeID)
    {
      return cached.pointee.layout?.takeUnretainedValue()
    }
    let shape = record.box.shape
    let layout =
      fastPath.hasOwnLayouts ? RowLayout(plan, shape: shape) : plan.layout(for: shape)
    fastPath.layouts.insert(layout, plan: plan, shape: shape)
    return layout
  }

  /// The result of reading a record-backed row.
  enum RecordBackedRow {
    /// The row; `nil` if a non-null value is null.
    case read(RowBox?)
    /// A scalar is not a plain value of its type, so ``fullRow(of:at:plan:old:)`` has to check all
    /// scalars.
    case needsFullRow
  }

  /// Reads a record-backed row. It stores only its objects and lists and reads scalars from the
  /// record.
  mutating func recordBackedRow(
    of record: Record, at index: RecordIndex, plan: BoundPlan, layout: RowLayout,
    old: RowBox?
  ) -> RecordBackedRow {
    let isSame = old?.isRead(from: record, layout: layout) ?? false
    if isSame, layout.parts.isEmpty { return .read(old) }
    if !isSame {
      guard layout.hasAllScalars(of: record.box) else { return .needsFullRow }
    }
    let row = RowBox(layout, record: record)
    if layout.parts.isEmpty {
      if pass.seenInChunk != nil { fastPath.memo.insert(row, at: index, plan: plan) }
      return .read(row)
    }
    return .read(
      fill(row, from: record, at: index, plan: plan, layout: layout, old: old, isSame: isSame))
  }

  /// Reads the linked objects and lists of a row.
  ///
  /// - Returns: The previous row if it is unchanged; `nil` if a non-null object or list is null.
  private mutating func fill(
    _ row: RowBox, from record: Record, at index: RecordIndex, plan: BoundPlan,
    layout: RowLayout, old: RowBox?, isSame: Bool
  ) -> RowBox? {
    let old = old.flatMap { $0.binding === plan.binding ? $0 : nil }
    var (isWhole, isUnchanged) = (true, isSame)
    for position in layout.parts.indices {
      let cell = record.box.cell(at: layout.parts[position].position)
      if cell.kind == .link, pass.seenInChunk != nil, !isSame,
        let memoized = fastPath.memo.row(at: cell.link, plan: layout.parts[position].child)
      {
        markSeen(cell.link)
        row.set(position, RowSlot(.row(memoized)))
        continue
      }
      pass.path.append(.field(layout.parts[position].responseKey))
      defer { pass.path.removeLast() }
      let slot = layout.parts[position].slot
      let oldSlot = old.map { isSame ? $0.stored(position) : $0.slot(at: slot) }
      var read =
        layout.parts[position].isObject && cell.kind == .link
        ? linked(
          at: cell.link, plan: plan.children[slot], isNullable: layout.parts[position].isNullable,
          old: oldSlot?.row)
        : part(
          layout.parts[position], of: record, plan: plan, oldSlot: oldSlot, oldRow: old)
      if pass.closedHole != nil { read = shownValue(read, in: slot, at: index, plan: plan) }
      guard let value = read else {
        isWhole = false
        continue
      }
      if isUnchanged, let oldSlot, !value.isIdentical(to: oldSlot) { isUnchanged = false }
      row.set(position, value)
    }
    guard isWhole else { return nil }
    return isUnchanged ? old : row
  }

  /// Reads a list, or an object whose value is not a link.
  private mutating func part(
    _ part: RowLayout.Part, of record: Record, plan: BoundPlan, oldSlot: RowSlot?,
    oldRow: RowBox?
  ) -> RowSlot? {
    let oldValue = oldSlot.map { OldValue($0, of: oldRow?.record, key: plan.keys[part.slot]) }
    return value(
      record.box.value(at: part.position), of: part.field, level: 0,
      child: plan.children[part.slot], old: oldValue)
  }
}
