/// The ids of tombstones: of collected records that other records still link to, and of persisted
/// records that are not decoded yet.
///
/// An entry is an id's byte count, then the id. Entries are never moved or changed: they are
/// appended to blocks of 64 KB. The handle of an entry has 32 bits and is odd; its upper bits are
/// the number of the block and the offset in it.
struct TombstoneIDs {
  private static let blockSize = 1 << 16
  private static let blockLimit = 1 << 15

  /// The addresses of the blocks.
  private(set) var blocks: UnsafeMutablePointer<UnsafeMutableRawPointer>?
  private(set) var blockCount = 0
  private var blockCapacity = 0
  /// The list of addresses that a larger one has replaced.
  private var outgrown: UnsafeMutableRawPointer?
  /// The end of the entries in the last block, and the size of that block.
  private var (end, size) = (0, 0)
  /// The number of entries in use.
  var count = 0
  /// The number of bytes of all entries.
  var byteCount = 0
  /// The number of bytes of entries that are not in use anymore.
  private(set) var unusedCount = 0

  /// Returns the id of an entry.
  ///
  /// The count is one byte; 255 means that a count of four bytes follows.
  @inline(__always)
  static func id(
    of handle: UInt64, in blocks: UnsafeMutablePointer<UnsafeMutableRawPointer>?
  ) -> UnsafeRawBufferPointer {
    guard let blocks else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let place = Int(UInt32(truncatingIfNeeded: handle) >> 1)
    let entry = UnsafeRawPointer(blocks[place >> 16]) + place & (blockSize - 1)
    let count = entry.load(as: UInt8.self)
    if count < 255 { return UnsafeRawBufferPointer(start: entry + 1, count: Int(count)) }
    let long = (entry + 1).loadUnaligned(as: UInt32.self)
    return UnsafeRawBufferPointer(start: entry + 5, count: Int(long))
  }

  /// Appends an id and returns its handle; `nil` if it does not fit.
  mutating func append(_ id: UnsafeRawBufferPointer) -> UInt64? {
    guard id.count < Int(Int32.max) - 5 else { return nil }
    let isLong = id.count >= 255
    let size = id.count + (isLong ? 5 : 1)
    guard let (entry, handle) = reserve(size) else { return nil }
    entry.storeBytes(of: isLong ? 255 : UInt8(id.count), as: UInt8.self)
    if isLong { (entry + 1).storeBytes(of: UInt32(id.count), as: UInt32.self) }
    if let start = id.baseAddress {
      (entry + (isLong ? 5 : 1)).copyMemory(from: start, byteCount: id.count)
    }
    count += 1
    return handle
  }

  /// Appends entries and returns the handle of the first; `nil` if they do not fit. The next one's
  /// is higher by twice the bytes of an entry.
  mutating func append(entries: UnsafeRawBufferPointer, count: Int) -> UInt64? {
    guard !entries.isEmpty, entries.count < Self.blockSize,
      let (start, handle) = reserve(entries.count)
    else { return nil }
    if let address = entries.baseAddress {
      start.copyMemory(from: address, byteCount: entries.count)
    }
    self.count += count
    return handle
  }

  /// Counts an entry as not in use anymore.
  mutating func remove(_ handle: UInt64) {
    let id = Self.id(of: handle, in: blocks).count
    unusedCount += id + (id < 255 ? 1 : 5)
    count -= 1
  }

  /// Returns the list of addresses that was replaced since the last call, if any.
  mutating func takeOutgrown() -> UnsafeMutableRawPointer? {
    return outgrown.take()
  }

  /// Calls the closure with the address of each block, then with their list's.
  func forEachAllocation(_ body: (UnsafeMutableRawPointer) -> Void) {
    guard let blocks else { return }
    for number in 0..<blockCount { body(blocks[number]) }
    body(UnsafeMutableRawPointer(blocks))
  }

  private mutating func reserve(
    _ bytes: Int
  ) -> (start: UnsafeMutableRawPointer, handle: UInt64)? {
    if blockCount == 0 || bytes > size - end {
      guard blockCount < Self.blockLimit else { return nil }
      size = max(bytes, blockCount == 0 ? 1 << 10 : Self.blockSize)
      append(block: .allocate(byteCount: size, alignment: 1))
      end = 0
    }
    guard let block = blocks?[blockCount - 1] else { return nil }
    defer {
      end += bytes
      byteCount += bytes
    }
    let place = (blockCount - 1) << 16 | end
    return (block + end, UInt64(place) << 1 | 1)
  }

  /// Appends the address of a block. Readers of earlier versions still use a list that is full.
  private mutating func append(block: UnsafeMutableRawPointer) {
    if blockCount == blockCapacity {
      blockCapacity = max(4, blockCapacity * 2)
      let larger = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: blockCapacity)
      if let blocks {
        larger.initialize(from: blocks, count: blockCount)
        outgrown = UnsafeMutableRawPointer(blocks)
      }
      blocks = larger
    }
    blocks.unsafelyUnwrapped.advanced(by: blockCount).initialize(to: block)
    blockCount += 1
  }
}
