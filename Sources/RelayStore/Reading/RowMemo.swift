/// A direct-mapped memo of rows without linked objects and lists. It avoids repeated reads of an
/// object that many list elements link to.
///
/// A memo is valid for one read only, because records may change afterwards. A plan's identifier is
/// unique because the root plan retains all its child plans during the read.
struct RowMemo {
  private struct Entry {
    var index = RecordIndex.none
    package var plan: ObjectIdentifier?
    var row: RowBox?
    var isReused = false
  }

  /// The memory of the entries. The cached pointer in `entries` is valid because `memory` owns it.
  private final class Memory {
    let entries: UnsafeMutablePointer<Entry>
    private let size: Int

    init(size: Int) {
      self.size = size
      entries = .allocate(capacity: size)
      entries.initialize(repeating: Entry(), count: size)
    }

    deinit {
      entries.deinitialize(count: size)
      entries.deallocate()
    }
  }

  private var memory: Memory?
  private var entries: UnsafeMutablePointer<Entry>?
  /// The number of entries minus one; the number of entries is a power of two.
  private var mask = 0
  /// The number of rows inserted at the memo's current size.
  private var insertions = 0
  private static let sizes = 8...256

  /// Returns the memoized row, if there is one. At the second use, the row caches its strings.
  @inline(__always)
  func row(at index: RecordIndex, plan: ObjectIdentifier) -> RowBox? {
    guard let entry = entries.map({ $0 + index.position & mask }),
      entry.pointee.index == index, entry.pointee.plan == plan
    else { return nil }
    if !entry.pointee.isReused {
      entry.pointee.isReused = true
      entry.pointee.row?.cacheTexts()
    }
    return entry.pointee.row
  }

  /// Inserts a row, replacing the row in its slot.
  ///
  /// A memo starts small because most lists are short. Once as many rows were inserted as it has
  /// slots, an empty memo of the maximum size replaces it.
  mutating func insert(_ row: RowBox, at index: RecordIndex, plan: BoundPlan) {
    insertions += 1
    let memory: Memory
    if let current = self.memory, insertions <= mask + 1 || mask + 1 == Self.sizes.upperBound {
      memory = current
    } else {
      let size = self.memory == nil ? Self.sizes.lowerBound : Self.sizes.upperBound
      memory = Memory(size: size)
      (self.memory, entries, mask) = (memory, memory.entries, size - 1)
    }
    memory.entries[index.position & mask] = Entry(
      index: index, plan: ObjectIdentifier(plan), row: row)
  }
}
