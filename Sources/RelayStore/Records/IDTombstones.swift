/// The ids of records that were forgotten while something still links to them: their numbers must go on
/// meaning them, and nothing else of them is kept.
struct IDTombstones {
  /// For each number one more than where its id begins in ``bytes``; 0 where there is none.
  private var places: ContiguousArray<UInt32> = []
  /// Each id behind the count of its bytes.
  private var bytes: ContiguousArray<UInt8> = []
  private(set) var count = 0
  /// How many bytes belong to ids that are not here any more.
  private var unusedCount = 0

  @inline(__always)
  func contains(_ index: RecordIndex) -> Bool {
    index.position < places.count && places[index.position] != 0
  }

  /// Gives an id to the closure; `nil` where there is none.
  func withID<Result>(of index: RecordIndex, _ body: (UnsafeRawBufferPointer) -> Result) -> Result?
  {
    guard contains(index) else { return nil }
    let (start, count) = place(of: index)
    return bytes.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[start..<start + count]))
    }
  }

  /// Where an id begins, and its length, which stands before it: in one byte, or behind 255 in four.
  private func place(of index: RecordIndex) -> (start: Int, count: Int) {
    let start = Int(places[index.position]) - 1
    if bytes[start] < 255 { return (start + 1, Int(bytes[start])) }
    let count = (1...4).reduce(0) { $0 << 8 | Int(bytes[start + $1]) }
    return (start + 5, count)
  }

  /// Keeps an id.
  ///
  /// - Returns: `false` where there is no room, which takes ids of four gigabytes.
  mutating func insert(_ index: RecordIndex, _ id: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count + id.count + 5 < Int(UInt32.max) else { return false }
    if index.position >= places.count {
      places.append(
        contentsOf: repeatElement(0, count: index.position + 1 - places.count))
    }
    places[index.position] = UInt32(bytes.count + 1)
    if id.count < 255 {
      bytes.append(UInt8(id.count))
    } else {
      bytes.append(255)
      for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: id.count >> shift)) }
    }
    bytes.append(contentsOf: id)
    count += 1
    return true
  }

  mutating func remove(_ index: RecordIndex) {
    guard contains(index) else { return }
    let place = place(of: index)
    unusedCount += place.start - Int(places[index.position]) + 1 + place.count
    places[index.position] = 0
    count -= 1
    if count == 0 { self = IDTombstones() }
  }

  /// Gives back the memory of ids that are not here any more, where that is most of it.
  ///
  /// - Parameter numberCount: Numbers from there on are not in use.
  mutating func shrink(to numberCount: Int) {
    guard count > 0 else { return }
    if places.count > numberCount { places.removeLast(places.count - numberCount) }
    guard unusedCount > bytes.count / 2 else { return }
    var kept = IDTombstones()
    for position in places.indices where places[position] != 0 {
      let index = RecordIndex(position)
      _ = withID(of: index) { kept.insert(index, $0) }
    }
    self = kept
  }
}
