/// What every row has in front of the slots that it holds itself.
package struct RowHeader {
  package let layout: RowLayout
  /// The record it was read from; `nil` when it was built by hand.
  package let record: Record?
  /// The cells of the record, which the row keeps alive: reading a scalar takes no retain.
  fileprivate let cells: UnsafePointer<FieldCell>?
  fileprivate let texts: UnsafeRawPointer?
  /// The texts as strings, one for each cell, in a row that many share; else `nil`.
  fileprivate var strings: UnsafeMutablePointer<String>?
}

/// The one allocation of a row.
package final class RowBuffer: ManagedBuffer<RowHeader, RowSlot> {
  deinit {
    withUnsafeMutablePointers { header, slots in
      _ = slots.deinitialize(count: header.pointee.layout.storedCount)
      guard let strings = header.pointee.strings, let record = header.pointee.record else { return }
      strings.deinitialize(count: record.storage.cellCount)
      strings.deallocate()
    }
  }
}

/// The shared storage of rows: a reference to the record it was read from, and the values that are not
/// the record's own.
///
/// `@unchecked Sendable`: nothing writes to it once it was handed on.
@usableFromInline
package struct RowStorage: @unchecked Sendable {
  private let buffer: RowBuffer

  /// A row whose own slots are filled next.
  package init(_ layout: RowLayout, record: Record?) {
    let made = RowBuffer.create(minimumCapacity: layout.storedCount) { _ in
      guard let record else {
        return RowHeader(layout: layout, record: nil, cells: nil, texts: nil)
      }
      return record.storage.withCells { cells, texts in
        RowHeader(layout: layout, record: record, cells: cells, texts: texts.first)
      }
    }
    if layout.storedCount > 0 {
      made.withUnsafeMutablePointerToElements {
        $0.initialize(repeating: RowSlot(.null), count: layout.storedCount)
      }
    }
    buffer = unsafeDowncast(made, to: RowBuffer.self)
  }

  /// A row of a record, whose own slots are filled next; both are held only by the row.
  @inline(__always)
  package init(_ layout: Unmanaged<RowLayout>, record: Unmanaged<RecordStorage>) {
    self = layout._withUnsafeGuaranteedRef { layout in
      record._withUnsafeGuaranteedRef { RowStorage(layout, record: Record($0)) }
    }
  }

  /// A row that holds all its values.
  ///
  /// - Parameter slots: One for each of the plan's.
  package init(
    plan: SelectionPlan, slots: some Sequence<RowSlot>, record: Record? = nil,
    binding: RowBinding? = nil
  ) {
    self.init(RowLayout(plan, binding: binding), record: record, slots: slots)
  }

  package init(_ layout: RowLayout, record: Record?, slots: some Sequence<RowSlot>) {
    self.init(layout, record: record)
    for (position, slot) in slots.prefix(layout.storedCount).enumerated() { set(position, slot) }
  }

  /// The row of an object in a slot; `nil` where there is anything else.
  @inline(__always)
  func row(at slot: Int) -> RowStorage? {
    buffer.withUnsafeMutablePointers { header, slots in
      guard let position = header.pointee.layout.storedPosition(slot),
        case .row(let row) = slots[position].value
      else { return nil }
      return row
    }
  }

  /// Fills one of its own slots, before it is handed on.
  package func set(_ position: Int, _ slot: RowSlot) {
    buffer.withUnsafeMutablePointerToElements { $0[position] = slot }
  }

  /// Makes strings of its texts, once for all who will read them, before it is handed on.
  package func keepTexts() {
    buffer.withUnsafeMutablePointerToHeader { header in
      guard header.pointee.strings == nil, let record = header.pointee.record else { return }
      let count = record.storage.cellCount
      let strings = UnsafeMutablePointer<String>.allocate(capacity: count)
      record.storage.withCells { cells, texts in
        for position in 0..<count {
          let cell = cells[position]
          (strings + position).initialize(to: cell.kind == .string ? texts[cell].text : "")
        }
      }
      header.pointee.strings = strings
    }
  }

  package var layout: RowLayout { buffer.withUnsafeMutablePointerToHeader { $0.pointee.layout } }
  package var record: Record? { buffer.withUnsafeMutablePointerToHeader { $0.pointee.record } }
  package var plan: SelectionPlan { layout.plan }
  package var binding: RowBinding? { layout.binding }
  /// The record it was read from; `nil` when it was built by hand.
  package var id: DataID? { record?.storage.id }

  /// One of its own slots.
  package func stored(_ position: Int) -> RowSlot {
    buffer.withUnsafeMutablePointerToElements { $0[position] }
  }

  /// The row's own, as long as it lives.
  package var identity: ObjectIdentifier { ObjectIdentifier(buffer) }

  /// Whether both are the same row, not only equal ones.
  package func isIdentical(to other: RowStorage) -> Bool { buffer === other.buffer }

  /// Whether it was read from this record in just this way.
  package func isFrom(_ record: Record, _ layout: RowLayout) -> Bool {
    buffer.withUnsafeMutablePointerToHeader {
      $0.pointee.layout === layout && $0.pointee.record?.storage === record.storage
    }
  }

  /// The value in a slot of the plan.
  ///
  /// - Complexity: O(1).
  @usableFromInline
  package func slot(at slot: Int) -> RowSlot {
    let (layout, record) = (layout, record)
    switch layout.places[slot] {
    case .stored(let position): return stored(position)
    case .cell(let position, let isID):
      return record.map { RowSlot($0.storage, position, isID: isID) } ?? .absent
    case .planType: return RowSlot(.string(layout.plan.typeName))
    case .recordType: return RowSlot(.string(record?.typeName ?? ""))
    case .here: return .matches
    case .absent: return .absent
    }
  }

  /// The values of all slots of the plan.
  package var slots: ContiguousArray<RowSlot> {
    ContiguousArray(plan.slots.indices.map { slot(at: $0) })
  }

  /// The text of a slot that is a string of the record; `nil` where it is anything else.
  func text(at slot: Int) -> String? {
    buffer.withUnsafeMutablePointerToHeader { header in
      guard let cells = header.pointee.cells,
        let position = header.pointee.layout.cellPosition(slot)
      else { return nil }
      let cell = cells[position]
      guard cell.isA(.string), let texts = header.pointee.texts else { return nil }
      if let strings = header.pointee.strings { return strings[position] }
      return TextBytes(first: texts)[cell].text
    }
  }

  /// The integer of a slot; `nil` where it is anything else.
  func int(at slot: Int) -> Int? { cell(at: slot).flatMap { $0.isA(.int) ? $0.int : nil } }

  /// The truth value of a slot; `nil` where it is anything else.
  func bool(at slot: Int) -> Bool? { cell(at: slot).flatMap { $0.isA(.bool) ? $0.bool : nil } }

  /// The cell of a slot that is a scalar of the record, `nil` where it is anything
  /// else.
  private func cell(at slot: Int) -> FieldCell? {
    buffer.withUnsafeMutablePointerToHeader { header in
      guard let cells = header.pointee.cells,
        let position = header.pointee.layout.cellPosition(slot)
      else { return nil }
      return cells[position]
    }
  }

  /// The object's concrete type: what `__typename` says, else that of the plan.
  package var typename: String {
    if let known = buffer.withUnsafeMutablePointerToHeader({ $0.pointee.layout.typename }) {
      return known
    }
    if let slot = plan.typenameSlot, case .string(let name) = self.slot(at: slot).value {
      return name
    }
    return plan.typeName
  }

  // MARK: Spreads

  /// What a spread refers to in this row.
  func reference(toSpreadIn slot: Int) -> SpreadReference {
    guard let id, let binding, case .spread(let spread) = plan.slots[slot].content
    else { return .nothing }
    return .record(id, spread.scope(in: binding.scope, binding.variables))
  }
}

extension RowSlot {
  /// A scalar of a record.
  fileprivate init(_ record: RecordStorage, _ position: Int, isID: Bool) {
    switch record.value(at: position) {
    case .int(let int) where isID: self.init(.string(String(int)))
    case .number(let number) where isID: self.init(.string(number.digits))
    case let value: self.init(scalar: value)
    }
  }
}
