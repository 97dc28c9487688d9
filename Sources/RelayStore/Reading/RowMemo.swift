/// A direct-mapped memo of rows without parts. It avoids repeated reads of an object that many
/// list elements link to.
///
/// Valid for one read only, during which records do not change. A plan's identifier is unique
/// because the root plan retains all its child plans during the read.
struct RowMemo {
  private struct Entry {
    var index = RecordIndex.none
    var plan: ObjectIdentifier?
    var row: RowStorage?
    var isReused = false
  }

  /// The memory of the entries. The cached pointer in `entries` is valid because `memory` owns it.
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

  /// Returns the memoized row, if there is one. At the second use, the row caches its texts as
  /// strings.
  @inline(__always)
  func row(at index: RecordIndex, plan: ObjectIdentifier) -> RowStorage? {
    guard let entry = entries.map({ $0 + index.position % Self.size }),
      entry.pointee.index == index, entry.pointee.plan == plan
    else { return nil }
    if !entry.pointee.isReused {
      entry.pointee.isReused = true
      entry.pointee.row?.cacheTexts()
    }
    return entry.pointee.row
  }

  /// Inserts a row, replacing the one in its slot.
  mutating func insert(_ row: RowStorage, at index: RecordIndex, plan: BoundPlan) {
    let memory = memory ?? Memory()
    self.memory = memory
    entries = memory.entries
    memory.entries[index.position % Self.size] = Entry(
      index: index, plan: ObjectIdentifier(plan), row: row)
  }
}
