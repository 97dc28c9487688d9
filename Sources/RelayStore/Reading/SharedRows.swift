/// The rows of objects that a read meets more than once below a list: each is read twice at most, however many links
/// lead to it.
///
/// Objects are looked for where reading one costs more than a look at its record: where the selection has lists, or values
/// are converted. They are kept from the second time on, so that records that are met once cost a note. It is of use for one
/// read only: records do not change meanwhile.
struct SharedRows {
  /// What reading an object has come to.
  struct Entry {
    /// `nil` where a value that may not be null is.
    let row: RowStorage?
    /// What was missing and wrong in it, with the paths of the place where it was read.
    let missing: ArraySlice<ResponsePath>
    let uncaught: ArraySlice<ResponsePath>
    let errors: ArraySlice<FieldError>
    let failure: FieldError?
    /// The hole that takes the object with it.
    let rising: RisingHole?
    /// How many of the missing fields are of elements that were left out.
    let leftOutCount: Int
    /// How many steps lead to that place.
    let depth: Int
    /// The records that were looked at, each once; `nil` where they are too many to be noted at every place.
    let seen: [RecordIndex]?
  }

  private struct Key: Hashable {
    let index: RecordIndex
    let plan: ObjectIdentifier
  }

  /// What is known of an object.
  enum Meeting {
    case first
    case second
    case known(Entry)
  }

  /// The position of each object's entry; -1 for those that were met once.
  private var positions: [Key: Int] = [:]
  private var entries: [Entry] = []
  /// The most records that are noted at every place of a row.
  static let seenLimit = 16

  /// Notes that an object is met.
  mutating func meet(_ index: RecordIndex, _ plan: BoundPlan) -> Meeting {
    let key = Key(index: index, plan: ObjectIdentifier(plan))
    guard let position = positions[key] else {
      positions[key] = -1
      return .first
    }
    return position < 0 ? .second : .known(entries[position])
  }

  mutating func keep(_ entry: Entry, for index: RecordIndex, _ plan: BoundPlan) {
    positions[Key(index: index, plan: ObjectIdentifier(plan))] = entries.count
    entries.append(entry)
  }
}

extension RecordReader {
  /// The row of an object, by the closure or from where it was read before.
  mutating func shared(
    _ index: RecordIndex, _ plan: BoundPlan, _ read: (inout RecordReader) -> RowStorage?
  ) -> RowStorage? {
    guard seenInChunk != nil, !isStopped else { return read(&self) }
    switch rows.meet(index, plan) {
    case .first: return read(&self)
    case .second: return readToKeep(index, plan, read)
    case .known(let entry):
      takeOver(entry)
      return entry.row
    }
  }

  private mutating func readToKeep(
    _ index: RecordIndex, _ plan: BoundPlan, _ read: (inout RecordReader) -> RowStorage?
  ) -> RowStorage? {
    let (missing, errors, known) = (result.missing.count, result.errors.count, uncaught.count)
    let (seen, outer, caught) = (seenInChunk?.count ?? 0, failure, caughtCount)
    let (hadUnseen, left) = (hasUnseen, budget.rows)
    let (outerHole, leftOut) = (rising, result.leftOutCount)
    (failure, hasUnseen, rising) = (nil, false, nil)
    let row = read(&self)
    let all = Set(seenInChunk?[seen...] ?? [])
    let entry = SharedRows.Entry(
      row: row, missing: result.missing[missing...], uncaught: uncaught[known...],
      errors: result.errors[errors...], failure: failure, rising: rising,
      leftOutCount: result.leftOutCount - leftOut, depth: path.count,
      seen: hasUnseen || all.count > SharedRows.seenLimit ? nil : Array(all))
    failure = outer ?? failure
    hasUnseen = hasUnseen || hadUnseen
    let hole = rising
    rising = outerHole
    if let hole { rise(hole) }
    if isStopped { return nil }
    // Errors that were caught inside have the paths of this place, so small objects are read again, for a while.
    if caughtCount > caught, rereads > 0, left - budget.rows <= 64 {
      rereads -= 1
    } else {
      rows.keep(entry, for: index, plan)
    }
    return row
  }

  /// Notes for this place what was found when an object was read at another.
  private mutating func takeOver(_ entry: SharedRows.Entry) {
    if let seen = entry.seen { seenInChunk?.append(contentsOf: seen) } else { hasUnseen = true }
    var left = entry.uncaught
    for path in entry.missing {
      guard notePath(path.components.count) else { break }
      let moved = path.moved(from: entry.depth, to: self.path)
      result.missing.append(moved)
      // Those that no catch has seen are some of those that are missing, in the same order.
      if left.first == path {
        left.removeFirst()
        uncaught.append(moved)
      }
    }
    for error in entry.errors {
      guard notePath(error.path.components.count) else { break }
      result.errors.append(error.moved(from: entry.depth, to: path))
    }
    failure = failure ?? entry.failure?.moved(from: entry.depth, to: path)
    if let hole = entry.rising {
      rise(
        RisingHole(path: hole.path.moved(from: entry.depth, to: path), isDeletion: hole.isDeletion))
    }
    result.leftOutCount += entry.leftOutCount
  }
}

extension ResponsePath {
  /// The path at another place.
  fileprivate func moved(from depth: Int, to place: [Component]) -> ResponsePath {
    ResponsePath(place + components.dropFirst(depth))
  }
}

extension FieldError {
  fileprivate func moved(from depth: Int, to place: [ResponsePath.Component]) -> FieldError {
    var error = self
    error.path = path.moved(from: depth, to: place)
    return error
  }
}
