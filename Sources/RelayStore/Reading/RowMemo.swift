/// Rows without parts of their own that were read a moment ago: objects that many elements of a list
/// link to are read once.
///
/// It is of use for one reading only: records do not change meanwhile.
struct RowMemo {
  private struct Entry {
    var index = RecordIndex.none
    var plan: ObjectIdentifier?
    var row: RowStorage?
    var isShared = false
  }

  /// The memory of the entries.
  private final class Memory {
    let entries: UnsafeMutablePointer<Entry>

    init() {
      entries = .allocate(capacity: RowMemo.size)
      entries.initialize(repeating: Entry(), count: RowMemo.size)
    }

    deinit {
      entries.deinitialize(count: RowMemo.size)
      entries.deallocate()
    }
  }

  private var memory: Memory?
  private var entries: UnsafeMutablePointer<Entry>?
  private static let size = 256

  /// The row, if it was read; it is known to be shared from then on.
  @inline(__always)
  func row(_ index: RecordIndex, _ plan: ObjectIdentifier) -> RowStorage? {
    guard let entry = entries.map({ $0 + index.position % Self.size }),
      entry.pointee.index == index, entry.pointee.plan == plan
    else { return nil }
    if !entry.pointee.isShared {
      entry.pointee.isShared = true
      entry.pointee.row?.keepTexts()
    }
    return entry.pointee.row
  }

  mutating func keep(_ row: RowStorage, _ index: RecordIndex, _ plan: BoundPlan) {
    let memory = memory ?? Memory()
    self.memory = memory
    entries = memory.entries
    memory.entries[index.position % Self.size] = Entry(
      index: index, plan: ObjectIdentifier(plan), row: row)
  }
}
