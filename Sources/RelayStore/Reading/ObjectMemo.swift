/// A memo of the objects that a read visits more than once below a list. Each object is read at
/// most twice, however many links lead to it.
///
/// An object is looked up if reading it costs more than a look at its record: its selection has
/// lists, or its values are converted. The second read memoizes the result, so an object visited
/// once costs only a marker. A memo is valid for one read only, because records may change
/// afterwards.
struct ObjectMemo {
  /// The result of reading an object.
  package struct Entry {
    /// The row; `nil` if a non-null value is null.
    let row: RowBox?
    /// The missing fields and errors inside the object, with paths from the position of the
    /// memoized read.
    let missing: ArraySlice<ResponsePath>
    let uncaught: ArraySlice<ResponsePath>
    let errors: ArraySlice<FieldError>
    let failure: FieldError?
    /// The null that propagates out of the object.
    let propagatingNull: PropagatingNull?
    /// The number of missing fields due to elements omitted from lists.
    let omittedCount: Int
    /// Whether a field or a record is not in the store.
    let lacksData: Bool
    /// Whether the object contains rows of the previous snapshot.
    let keepsRows: Bool
    /// The number of fields inside the object that are not in the store.
    let holeCount: Int
    /// The number of those fields whose null still propagates out of the object.
    let openHoles: Int
    /// The length of the path to the position of the memoized read.
    let depth: Int
    /// The distinct records that the object depends on; `nil` if there are more than ``seenLimit``.
    let seen: [RecordIndex]?
  }

  private struct Key: Hashable {
    let index: RecordIndex
    let plan: ObjectIdentifier
  }

  /// The result of a lookup: the object's first visit, its second visit, or its memoized result.
  enum Lookup {
    case first
    case second
    case memoized(Entry)
  }

  /// The index of each visited object's entry; -1 for an object without an entry.
  private var entryIndexes: [Key: Int] = [:]
  private var entries: [Entry] = []
  /// The maximum number of records added at each position of a memoized object.
  static let seenLimit = 16

  /// Looks up an object and marks it as visited.
  mutating func lookUp(_ index: RecordIndex, plan: BoundPlan) -> Lookup {
    let key = Key(index: index, plan: ObjectIdentifier(plan))
    guard let entryIndex = entryIndexes[key] else {
      entryIndexes[key] = -1
      return .first
    }
    return entryIndex < 0 ? .second : .memoized(entries[entryIndex])
  }

  /// Memoizes the result of the second read of an object.
  mutating func insert(_ entry: Entry, for index: RecordIndex, plan: BoundPlan) {
    entryIndexes[Key(index: index, plan: ObjectIdentifier(plan))] = entries.count
    entries.append(entry)
  }
}

extension RecordReader {
  /// Returns the memoized row of an object, or reads it with `read`.
  mutating func memoized(
    _ index: RecordIndex, plan: BoundPlan, _ read: (inout RecordReader) -> RowBox?
  ) -> RowBox? {
    guard pass.seenInChunk != nil, !isStopped else { return read(&self) }
    switch pass.objectMemo.lookUp(index, plan: plan) {
    case .first: return read(&self)
    case .second: return readAndMemoize(index, plan: plan, read)
    case .memoized(let entry):
      replay(entry)
      return entry.row
    }
  }

  /// Reads an object with `read` and memoizes the result for further links to it.
  private mutating func readAndMemoize(
    _ index: RecordIndex, plan: BoundPlan, _ read: (inout RecordReader) -> RowBox?
  ) -> RowBox? {
    let (missing, errors, uncaught) = (
      pass.details.missing.count, pass.details.errors.count, self.pass.uncaught.count
    )
    let (seen, outer, caught) = (pass.seenInChunk?.count ?? 0, pass.failure, pass.caughtCount)
    let (hadUnseen, rowBudget) = (pass.hasUnseen, pass.budget.rows)
    let (outerNull, omittedCount) = (pass.propagatingNull, pass.details.omittedCount)
    let (lackedData, keptCount) = (pass.details.lacksData, pass.keptErrors.count)
    let (holes, open, kept) = (pass.holeCount, pass.openHoles, pass.details.keepsRows)
    pass.details.keepsRows = false
    (pass.failure, pass.hasUnseen, pass.propagatingNull, pass.details.lacksData) = (
      nil, false, nil, false
    )
    let row = read(&self)
    let all = Set(pass.seenInChunk?[seen...] ?? [])
    let entry = ObjectMemo.Entry(
      row: row, missing: pass.details.missing[missing...],
      uncaught: self.pass.uncaught[uncaught...],
      errors: pass.details.errors[errors...], failure: pass.failure,
      propagatingNull: pass.propagatingNull,
      omittedCount: pass.details.omittedCount - omittedCount, lacksData: pass.details.lacksData,
      keepsRows: pass.details.keepsRows, holeCount: pass.holeCount - holes,
      openHoles: pass.openHoles - open,
      depth: pass.path.count,
      seen: pass.hasUnseen || all.count > ObjectMemo.seenLimit ? nil : Array(all))
    pass.failure = outer ?? pass.failure
    pass.hasUnseen = pass.hasUnseen || hadUnseen
    pass.details.lacksData = pass.details.lacksData || lackedData
    pass.details.keepsRows = pass.details.keepsRows || kept
    let innerNull = pass.propagatingNull
    pass.propagatingNull = outerNull
    if let innerNull { propagateNull(innerNull) }
    if isStopped { return nil }
    // Caught errors, and errors of replaced values, have the paths of this position. A small object
    // is read again instead of memoized, a limited number of times.
    if pass.caughtCount > caught || pass.keptErrors.count > keptCount, pass.rereads > 0,
      rowBudget - pass.budget.rows <= 64
    {
      pass.rereads -= 1
    } else {
      pass.objectMemo.insert(entry, for: index, plan: plan)
    }
    return row
  }

  /// Adds the missing fields, errors and records of a memoized object to the result, with the paths
  /// of the current position.
  private mutating func replay(_ entry: ObjectMemo.Entry) {
    if let seen = entry.seen {
      pass.seenInChunk?.append(contentsOf: seen)
    } else {
      pass.hasUnseen = true
    }
    if entry.lacksData { pass.details.lacksData = true }
    if entry.keepsRows { pass.details.keepsRows = true }
    var pending = entry.uncaught
    for path in entry.missing {
      guard chargePath(stepCount: path.components.count) else { break }
      let moved = path.moved(from: entry.depth, to: self.pass.path)
      pass.details.missing.append(moved)
      // The uncaught fields are a subsequence of the missing ones.
      if pending.first == path {
        pending.removeFirst()
        pass.uncaught.append(moved)
      }
    }
    for error in entry.errors {
      guard chargePath(stepCount: error.path.components.count) else { break }
      pass.details.errors.append(error.moved(from: entry.depth, to: pass.path))
    }
    pass.failure = pass.failure ?? entry.failure?.moved(from: entry.depth, to: pass.path)
    if let null = entry.propagatingNull {
      propagateNull(
        PropagatingNull(
          path: null.path.moved(from: entry.depth, to: pass.path), reason: null.reason))
    }
    pass.details.omittedCount += entry.omittedCount
    pass.holeCount += entry.holeCount
    pass.openHoles += entry.openHoles
  }
}

extension ResponsePath {
  /// Returns the path with its first `depth` components replaced by `prefix`.
  fileprivate func moved(from depth: Int, to prefix: [Component]) -> ResponsePath {
    ResponsePath(prefix + components.dropFirst(depth))
  }
}

extension FieldError {
  fileprivate func moved(from depth: Int, to prefix: [ResponsePath.Component]) -> FieldError {
    var error = self
    error.path = path.moved(from: depth, to: prefix)
    return error
  }
}
