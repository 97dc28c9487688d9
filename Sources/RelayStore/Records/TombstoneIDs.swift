/// The ids of tombstones: of collected records that other records still link to, and of persisted
/// records that are not decoded yet.
///
/// An entry is an id's byte count, then the id. Entries are never moved or changed: they are
/// appended to blocks of 64 KB. The handle of an entry is odd; its upper bits are the number of the
/// block and the offset in it.
struct TombstoneIDs {
  private static let blockSize = 1 << 16
  private static let blockLimit = 1 << 15

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
  static func id(
    of handle: UInt64, in blocks: ContiguousArray<UnsafeMutableRawPointer>
  ) -> UnsafeRawBufferPointer {
    let place = Int(truncatingIfNeeded: handle >> 1)
    let entry = UnsafeRawPointer(blocks[place >> 16]) + place & (blockSize - 1)
    let count = entry.load(as: UInt8.self)
    if count < 255 { return UnsafeRawBufferPointer(start: entry + 1, count: Int(count)) }
    let long = (entry + 1).loadUnaligned(as: UInt32.self)
    return UnsafeRawBufferPointer(start: entry + 5, count: Int(long))
  }

  /// Appends an id and returns its handle; `nil` if it does not fit.
  mutating func append(
    _ id: UnsafeRawBufferPointer, to blocks: inout ContiguousArray<UnsafeMutableRawPointer>
  ) -> UInt64? {
    guard id.count < Int(Int32.max) - 5 else { return nil }
    let isLong = id.count >= 255
    let size = id.count + (isLong ? 5 : 1)
    guard let (entry, handle) = reserve(size, in: &blocks) else { return nil }
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
  mutating func append(
    entries: UnsafeRawBufferPointer, count: Int,
    to blocks: inout ContiguousArray<UnsafeMutableRawPointer>
  ) -> UInt64? {
    guard !entries.isEmpty, entries.count < Self.blockSize,
      let (start, handle) = reserve(entries.count, in: &blocks)
    else { return nil }
    if let address = entries.baseAddress {
      start.copyMemory(from: address, byteCount: entries.count)
    }
    self.count += count
    return handle
  }

  /// Counts an entry as not in use anymore.
  mutating func remove(
    _ handle: UInt64, in blocks: ContiguousArray<UnsafeMutableRawPointer>
  ) {
    let id = Self.id(of: handle, in: blocks).count
    unusedCount += id + (id < 255 ? 1 : 5)
    count -= 1
  }

  private mutating func reserve(
    _ bytes: Int, in blocks: inout ContiguousArray<UnsafeMutableRawPointer>
  ) -> (start: UnsafeMutableRawPointer, handle: UInt64)? {
    if blocks.isEmpty || bytes > size - end {
      guard blocks.count < Self.blockLimit else { return nil }
      size = max(bytes, blocks.isEmpty ? 1 << 10 : Self.blockSize)
      blocks.append(.allocate(byteCount: size, alignment: 1))
      end = 0
    }
    defer {
      end += bytes
      byteCount += bytes
    }
    let place = (blocks.count - 1) << 16 | end
    return (blocks[blocks.count - 1] + end, UInt64(place) << 1 | 1)
  }
}
