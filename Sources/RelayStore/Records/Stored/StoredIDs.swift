/// The ids of stored records, by number.
struct StoredIDs: Sendable {
  private var bytes: [UInt8] = []
  /// The offset and the count of each number's id; a count of -1 if there is none.
  private var ranges: [(offset: Int, count: Int)] = []
  private(set) var count = 0

  init() {}

  /// The exclusive upper bound of the numbers.
  var bound: Int { ranges.count }

  /// The number of bytes of all ids.
  var byteCount: Int { bytes.count }

  func contains(_ number: Int) -> Bool { number < ranges.count && ranges[number].count >= 0 }

  /// The numbers that have an id.
  var numbers: RecordSet {
    var numbers = RecordSet()
    for number in ranges.indices where ranges[number].count >= 0 {
      numbers.insert(RecordIndex(number))
    }
    return numbers
  }

  /// Calls the closure with every number and its id, in ascending order.
  func forEach(_ body: (Int, UnsafeRawBufferPointer) throws -> Void) rethrows {
    try bytes.withUnsafeBytes { bytes in
      for (number, range) in ranges.enumerated() where range.count >= 0 {
        try body(
          number, UnsafeRawBufferPointer(rebasing: bytes[range.offset..<range.offset + range.count])
        )
      }
    }
  }

  /// Decodes a row: the slots that have an id as bits, and the counted ids.
  ///
  /// - Returns: `false` if it is damaged.
  mutating func load(_ reader: inout ByteReader, page: Int64) -> Bool {
    guard page >= 0, page < 1 << 26 else { return false }
    let first = Int(page) * StoredPage.size
    guard first >= ranges.count else { return false }
    var slots = reader.fixed()
    let last = first + StoredPage.size - 1 - slots.leadingZeroBitCount
    if slots == 0 { return reader.isAtEnd }
    ranges.append(contentsOf: repeatElement((offset: 0, count: -1), count: last + 1 - ranges.count))
    while slots != 0 {
      let id = reader.counted()
      // The table of ids compares bytes, but hashes those of strings made of them.
      guard reader.isValid, id.isUTF8 else { return false }
      ranges[first + slots.trailingZeroBitCount] = (bytes.count, id.count)
      slots &= slots - 1
      bytes.append(contentsOf: id)
      count += 1
    }
    return reader.isAtEnd
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are UTF-8.
  fileprivate var isUTF8: Bool {
    allSatisfy { $0 < 0x80 } || String(validating: self, as: UTF8.self) != nil
  }
}
