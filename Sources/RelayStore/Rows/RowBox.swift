/// The header of a row's allocation, in front of the row's own slots.
struct RowHeader {
  package let layout: RowLayout
  /// The record that the row was read from; `nil` for a handmade row.
  package let record: Record?
  /// The cells of `record`, for reads without a retain; `nil` without a record.
  ///
  /// The pointer is valid because the header retains the record. A record is one allocation that
  /// never moves and is immutable once made (``RecordBox``).
  fileprivate let cells: UnsafePointer<FieldCell>?
  /// The string bytes of `record`, indexed by its string cells; `nil` without a record. Valid for
  /// the same reason as `cells`.
  fileprivate let texts: UnsafeRawPointer?
  /// The cached strings of the record, one for each cell; `nil` unless ``RowBox/cacheTexts()``
  /// was called.
  ///
  /// The row owns the buffer: `cacheTexts()` initializes every element before it stores the
  /// pointer, and only ``RowBuffer`` deinitializes and frees it.
  fileprivate var strings: UnsafeMutablePointer<String>?
}

/// The allocation of a row: its header and its own ``RowLayout/storedCount`` slots.
///
/// All slots are initialized before the allocation is used, so `deinit` can deinitialize all of
/// them. Only ``RowBox`` makes one.
final class RowBuffer: ManagedBuffer<RowHeader, RowSlot> {
  deinit {
    withUnsafeMutablePointers { header, slots in
      _ = slots.deinitialize(count: header.pointee.layout.storedCount)
      guard let strings = header.pointee.strings, let record = header.pointee.record else { return }
      strings.deinitialize(count: record.box.cellCount)
      strings.deallocate()
    }
  }
}

/// The shared storage of a row: a reference to the record it was read from, and the values that are
/// not in the record.
///
/// `@unchecked Sendable`: the storage is immutable once it leaves the thread that made it. Only the
/// read or the initializer that creates a row calls ``set(_:_:)`` and ``cacheTexts()``, and only
/// before it passes its result on. A read upholds this by memoizing (``RowMemo``) and filling only
/// its own new rows, never rows of the previous snapshot.
///
/// Slots are accessed without bounds checks. A position of the row's own slots comes from
/// ``RowLayout/storedPosition(_:)`` or an index of ``RowLayout/parts``, so it is below
/// ``RowLayout/storedCount``. A position of a cell comes from ``RowLayout/cellPosition(_:)``, so it
/// belongs to the layout's shape, which is also the record's.
@usableFromInline
package struct RowBox: @unchecked Sendable {
  private let buffer: RowBuffer

  /// Creates a row whose own slots are null until the caller sets them.
  ///
  /// - Precondition: `record` has the shape of `layout`, if the layout has one. The reader upholds
  ///   it by looking up the layout by the record's shape.
  package init(_ layout: RowLayout, record: Record?) {
    let made = RowBuffer.create(minimumCapacity: layout.storedCount) { _ in
      guard let record else {
        return RowHeader(layout: layout, record: nil, cells: nil, texts: nil)
      }
      return record.box.withCells { cells, texts in
        RowHeader(layout: layout, record: record, cells: cells, texts: texts.first)
      }
    }
    if layout.storedCount > 0 {
      made.withUnsafeMutablePointerToElements {
        $0.initialize(repeating: RowSlot(.null), count: layout.storedCount)
      }
    }
    // `RowBuffer.create` makes a `RowBuffer`, although its result is typed as a `ManagedBuffer`.
    buffer = unsafeDowncast(made, to: RowBuffer.self)
  }

  /// Creates a row without retaining its arguments for the call.
  ///
  /// The row retains both. The caller keeps them alive until the call returns. The caller is the
  /// reader's fast path: its `layouts` retain the layout, and its source retains the record.
  ///
  /// - Precondition: `record` has the shape of `layout`.
  @inline(__always)
  package init(_ layout: Unmanaged<RowLayout>, record: Unmanaged<RecordBox>) {
    self = layout._withUnsafeGuaranteedRef { layout in
      record._withUnsafeGuaranteedRef { RowBox(layout, record: Record($0)) }
    }
  }

  /// Creates a row that holds all its values.
  ///
  /// - Parameter slots: One value for each slot of the plan.
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

  /// Returns the row of the object in a slot; `nil` if the slot holds anything else.
  @inline(__always)
  func row(at slot: Int) -> RowBox? {
    buffer.withUnsafeMutablePointers { header, slots in
      guard let position = header.pointee.layout.storedPosition(slot),
        case .row(let row) = slots[position].value
      else { return nil }
      return row
    }
  }

  /// Sets one of the row's own slots.
  ///
  /// - Precondition: The read that creates the row has not ended, and `position` is below
  ///   ``RowLayout/storedCount`` (not checked).
  package func set(_ position: Int, _ slot: RowSlot) {
    buffer.withUnsafeMutablePointerToElements { $0[position] = slot }
  }

  /// Caches the record's strings, for a row that occurs more than once in a snapshot.
  ///
  /// - Precondition: The read that creates the row has not ended.
  func cacheTexts() {
    buffer.withUnsafeMutablePointerToHeader { header in
      guard header.pointee.strings == nil, let record = header.pointee.record else { return }
      let count = record.box.cellCount
      let strings = UnsafeMutablePointer<String>.allocate(capacity: count)
      record.box.withCells { cells, texts in
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
  /// The id of the record that the row was read from; `nil` for a handmade row.
  package var id: DataID? { record?.box.id }

  /// Returns one of the row's own slots.
  ///
  /// - Precondition: `position` is below ``RowLayout/storedCount`` (not checked).
  package func stored(_ position: Int) -> RowSlot {
    buffer.withUnsafeMutablePointerToElements { $0[position] }
  }

  /// The identity of the allocation, unique while the row lives.
  package var identity: ObjectIdentifier { ObjectIdentifier(buffer) }

  /// Returns whether both rows share one allocation.
  package func isIdentical(to other: RowBox) -> Bool { buffer === other.buffer }

  /// Returns whether the row was read from this record with this layout.
  package func isRead(from record: Record, layout: RowLayout) -> Bool {
    buffer.withUnsafeMutablePointerToHeader {
      $0.pointee.record?.box === record.box && $0.pointee.layout.isSame(as: layout)
    }
  }

  /// Returns the value in a slot of the plan.
  ///
  /// - Complexity: O(1).
  @usableFromInline
  package func slot(at slot: Int) -> RowSlot {
    let (layout, record) = (layout, record)
    switch layout.locations[slot] {
    case .stored(let position): return stored(position)
    case .cell(let position, let isID):
      return record.map { RowSlot($0.box, position, isID: isID) } ?? .absent
    case .planType: return RowSlot(.string(layout.plan.typeName))
    case .recordType: return RowSlot(.string(record?.typeName ?? ""))
    case .ownRecord: return .matches
    case .absent: return .absent
    }
  }

  /// The values of all slots of the plan.
  package var slots: ContiguousArray<RowSlot> {
    ContiguousArray(plan.slots.indices.map { slot(at: $0) })
  }

  /// Whether one of the fields has a value.
  var hasValues: Bool {
    plan.slots.indices.contains { index in
      guard let field = plan.slots[index].field, !field.isTypename else { return false }
      return !slot(at: index).isNil
    }
  }

  /// Returns the string in a slot that the record holds; `nil` for anything else.
  func text(at slot: Int) -> String? {
    buffer.withUnsafeMutablePointerToHeader { header in
      guard let cells = header.pointee.cells,
        let position = header.pointee.layout.cellPosition(slot)
      else { return nil }
      let cell = cells[position]
      guard cell.isA(.string), let texts = header.pointee.texts else { return nil }
      if let strings = header.pointee.strings { return strings[position] }
      return StringBytes(first: texts)[cell].text
    }
  }

  /// Returns the integer in a slot; `nil` for anything else.
  func int(at slot: Int) -> Int? { cell(at: slot).flatMap { $0.isA(.int) ? $0.int : nil } }

  /// Returns the Boolean in a slot; `nil` for anything else.
  func bool(at slot: Int) -> Bool? { cell(at: slot).flatMap { $0.isA(.bool) ? $0.bool : nil } }

  /// Returns the cell of a slot that is a scalar of the record; `nil` for anything else.
  private func cell(at slot: Int) -> FieldCell? {
    buffer.withUnsafeMutablePointerToHeader { header in
      guard let cells = header.pointee.cells,
        let position = header.pointee.layout.cellPosition(slot)
      else { return nil }
      return cells[position]
    }
  }

  /// The object's concrete type: the value of `__typename` if it is selected, else the plan's type.
  package var typename: String {
    if let typename = buffer.withUnsafeMutablePointerToHeader({ $0.pointee.layout.typename }) {
      return typename
    }
    if let slot = plan.typenameSlot, case .string(let name) = self.slot(at: slot).value {
      return name
    }
    return plan.typeName
  }

  // MARK: Spreads

  /// Returns the reference of the spread in a slot.
  func reference(toSpreadIn slot: Int) -> SpreadReference {
    guard let id, let binding else { return .nothing }
    return .record(id, binding.spreadScopes[slot])
  }
}

extension RowSlot {
  /// Creates the slot of a record's scalar; an ID becomes a string.
  fileprivate init(_ record: RecordBox, _ position: Int, isID: Bool) {
    switch record.value(at: position) {
    case .int(let int) where isID: self.init(.string(String(int)))
    case .number(let number) where isID: self.init(.string(number.digits))
    case let value: self.init(scalar: value)
    }
  }
}
