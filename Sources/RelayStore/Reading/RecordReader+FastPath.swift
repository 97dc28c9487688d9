/// A cache of the recently used layouts whose parts are all objects, for reading list elements
/// without reference counting.
///
/// The layouts and plans are unretained. The reader's `layouts` retains those of every entry:
/// ``RecordReader/layout(of:plan:)`` is the only function that adds entries, and it clears both
/// caches together. The entries are trivial values and need no deinitialization.
struct FastPathLayouts {
  fileprivate struct Entry {
    let planID: ObjectIdentifier
    let shapeID: ObjectIdentifier
    let layout: Unmanaged<RowLayout>
    let links: UnsafeBufferPointer<RowLayout.Link>
  }

  private final class Memory {
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: FastPathLayouts.limit)

    deinit { entries.deallocate() }
  }

  private var memory: Memory?
  private var entries: UnsafeMutablePointer<Entry>?
  private var count = 0
  static let limit = 16

  mutating func removeAll() { count = 0 }

  /// Adds a layout if all its parts are objects.
  ///
  /// - Precondition: There are fewer than ``limit`` entries.
  mutating func append(
    _ layout: RowLayout, planID: ObjectIdentifier, shapeID: ObjectIdentifier
  ) {
    guard let links = layout.links, count < Self.limit else { return }
    let memory = memory ?? Memory()
    self.memory = memory
    entries = memory.entries
    (memory.entries + count).initialize(
      to: Entry(
        planID: planID, shapeID: shapeID, layout: .passUnretained(layout), links: links))
    count += 1
  }

  @inline(__always)
  fileprivate func entry(planID: ObjectIdentifier, shapeID: ObjectIdentifier) -> Entry? {
    guard let entries else { return nil }
    for position in 0..<count
    where entries[position].shapeID == shapeID && entries[position].planID == planID {
      return entries[position]
    }
    return nil
  }
}

extension RecordReader {
  /// Reads the row of a list element on the fast path.
  ///
  /// The caller has checked that there is no overlay and that no row was read before. `record` is
  /// unretained; the reader's copy of the source owns it, and is not written during a read.
  ///
  /// - Returns: `nil` if the layout of the record or of one of its linked objects is not cached, or
  ///   a value is not exactly of its field's type. The slow path then reads the element.
  mutating func fastPathRow(
    at index: RecordIndex, plan: BoundPlan, seen: inout ContiguousArray<RecordIndex>
  ) -> RowStorage? {
    guard let record = source.base.unretained(index),
      let entry = fastPathLayouts.entry(
        planID: ObjectIdentifier(plan), shapeID: record._withUnsafeGuaranteedRef { $0.shapeID }),
      entry.layout._withUnsafeGuaranteedRef({ layout in
        record._withUnsafeGuaranteedRef {
          $0.state == .present && !$0.hasErrors && layout.hasAllScalars(of: $0)
        }
      })
    else { return nil }
    seen.append(index)
    let row = RowStorage(entry.layout, record: record)
    for position in entry.links.indices {
      let link = entry.links[position]
      let cell = record._withUnsafeGuaranteedRef { $0.cell(at: link.position) }
      if cell == .null, link.isNullable { continue }
      guard cell.isA(.link) else { return nil }
      if let memoized = rowMemo.row(at: cell.link, plan: link.child) {
        seen.append(cell.link)
        row.set(position, RowSlot(.row(memoized)))
        continue
      }
      guard let child = plan.children[link.slot],
        let childRow = fastPathRow(at: cell.link, plan: child, seen: &seen)
      else { return nil }
      row.set(position, RowSlot(.row(childRow)))
    }
    if entry.links.isEmpty { rowMemo.insert(row, at: index, plan: plan) }
    return row
  }
}
