import RelayStore

/// A sorted list of rows, stored in chunks.
///
/// Copies share their chunks: a change copies the affected chunk, if another list shares it, and
/// the array of chunks, but never all rows.
struct RowList: Sendable {
  private typealias Chunk = ContiguousArray<RowBox>

  private var chunks: ContiguousArray<Chunk> = []
  /// For each chunk, the number of rows in it and all earlier chunks.
  private var ends: ContiguousArray<Int> = []
  /// The number of rows above which a chunk is split.
  private static let limit = 256

  init() {}

  /// Creates a list of sorted rows.
  init(_ rows: ContiguousArray<RowBox>) {
    for start in stride(from: 0, to: rows.count, by: Self.limit / 2) {
      chunks.append(Chunk(rows[start..<min(start + Self.limit / 2, rows.count)]))
    }
    updateEnds(from: 0)
  }

  var count: Int { ends.last ?? 0 }

  /// Accesses the row at a position.
  ///
  /// - Complexity: O(log *n*).
  subscript(position: Int) -> RowBox {
    let (chunk, offset) = location(of: position)
    return chunks[chunk][offset]
  }

  /// All rows.
  var all: ContiguousArray<RowBox> { ContiguousArray(chunks.joined()) }

  /// Inserts a row in front of the first one that does not precede it.
  ///
  /// - Returns: The row's position.
  @discardableResult
  mutating func insert(
    _ row: RowBox, by areInOrder: (RowBox, RowBox) -> Bool
  ) -> Int {
    guard !chunks.isEmpty else {
      chunks = [[row]]
      updateEnds(from: 0)
      return 0
    }
    let (chunk, offset) = insertionPoint(of: row, by: areInOrder)
    let position = start(of: chunk) + offset
    chunks[chunk].insert(row, at: offset)
    if chunks[chunk].count > Self.limit {
      let middle = chunks[chunk].count / 2
      chunks.insert(Chunk(chunks[chunk][middle...]), at: chunk + 1)
      chunks[chunk].removeSubrange(middle...)
    }
    updateEnds(from: chunk)
    return position
  }

  /// Removes a row; a no-op if it is not in the list.
  ///
  /// - Returns: The position that the row had.
  @discardableResult
  mutating func remove(
    _ row: RowBox, by areInOrder: (RowBox, RowBox) -> Bool
  ) -> Int? {
    guard let position = position(of: row, by: areInOrder) else { return nil }
    let (chunk, offset) = location(of: position)
    chunks[chunk].remove(at: offset)
    if chunks[chunk].isEmpty {
      chunks.remove(at: chunk)
    } else if chunk + 1 < chunks.count,
      chunks[chunk].count + chunks[chunk + 1].count < Self.limit / 2
    {
      chunks[chunk] += chunks[chunk + 1]
      chunks.remove(at: chunk + 1)
    }
    updateEnds(from: chunk)
    return position
  }

  /// Returns the position of a row; `nil` if it is not in the list.
  ///
  /// - Complexity: O(log *n*); O(*n*) if `areInOrder` differs from the list's order or is
  ///   inconsistent.
  func position(of row: RowBox, by areInOrder: (RowBox, RowBox) -> Bool) -> Int? {
    if chunks.isEmpty { return nil }
    let (chunk, offset) = insertionPoint(of: row, by: areInOrder)
    if offset < chunks[chunk].count, chunks[chunk][offset].isIdentical(to: row) {
      return start(of: chunk) + offset
    }
    // The query's closures now return different results than before.
    for (chunk, rows) in chunks.enumerated() {
      if let offset = rows.firstIndex(where: { $0.isIdentical(to: row) }) {
        return start(of: chunk) + offset
      }
    }
    return nil
  }

  /// Returns the location of the first row that does not precede `row`; the end of the last chunk
  /// if all do.
  ///
  /// - Precondition: The list is not empty.
  private func insertionPoint(
    of row: RowBox, by areInOrder: (RowBox, RowBox) -> Bool
  ) -> (chunk: Int, offset: Int) {
    let chunk = Self.partition(chunks.count - 1) { chunk in
      chunks[chunk].last.map { areInOrder($0, row) } ?? true
    }
    return (chunk, Self.partition(chunks[chunk].count) { areInOrder(chunks[chunk][$0], row) })
  }

  /// Returns the least index below `count` where `isBefore` returns `false`, or else `count`.
  static func partition(_ count: Int, where isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func location(of position: Int) -> (chunk: Int, offset: Int) {
    let chunk = Self.partition(ends.count) { ends[$0] <= position }
    return (chunk, position - start(of: chunk))
  }

  private func start(of chunk: Int) -> Int { chunk == 0 ? 0 : ends[chunk - 1] }

  private mutating func updateEnds(from first: Int) {
    ends.removeSubrange(min(first, ends.count)...)
    for chunk in chunks[first...] { ends.append((ends.last ?? 0) + chunk.count) }
  }
}
