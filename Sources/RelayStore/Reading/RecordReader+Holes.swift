/// Holes: data that is not in the store. An observer continues to show the previous data there.
extension RecordReader {
  /// The state of a read before an object or a field. The read returns to it if the value is
  /// replaced.
  typealias Mark = (
    errorCount: Int, uncaughtCount: Int, hadFailure: Bool, openHoles: Int, keepsRows: Bool,
    keptCount: Int
  )

  /// The state of the read.
  var mark: Mark {
    (
      pass.details.errors.count, pass.uncaught.count, pass.failure != nil, pass.openHoles,
      pass.details.keepsRows, pass.keptErrors.count
    )
  }

  /// Returns the row to show for an object: the observer's last complete row if the object has a
  /// hole, otherwise the row just read.
  ///
  /// - Parameters:
  ///   - row: The row just read; `nil` if a null has propagated to the object.
  ///   - mark: The state before the object was read.
  mutating func shownRow(
    _ row: RowBox?, at index: RecordIndex, plan: BoundPlan, since mark: Mark
  ) -> RowBox? {
    if row == nil { discardKept(since: mark) }
    guard pass.openHoles > mark.openHoles, !isStopped else { return row }
    if let row, pass.propagatingNull == nil {
      if let last = lastRow(at: index, plan: plan) { return kept(last, since: mark) }
      pass.openHoles = mark.openHoles
      if isForObserver, let key = key(of: index, plan) { pass.details.partial.insert(key) }
      return row
    }
    guard pass.propagatingNull?.reason == .absence, let last = lastRow(at: index, plan: plan) else {
      return row
    }
    pass.propagatingNull = nil
    return kept(last, since: mark)
  }

  /// Resets `keepsRows` and reports the errors of the replaced values, because the value with
  /// previous rows inside it is not shown.
  mutating func discardKept(since mark: Mark) {
    pass.details.keepsRows = mark.keepsRows
    while pass.keptErrors.count > mark.keptCount, let kept = pass.keptErrors.popLast() {
      pass.details.errors.insert(contentsOf: kept.errors, at: kept.position)
    }
  }

  /// Ends the propagation of a null at a nullable position.
  ///
  /// - Parameters:
  ///   - null: The null that has propagated to the position; `nil` if a fragment has thrown.
  ///   - mark: The state before the value at that position was read.
  /// - Returns: The value at that position, null.
  mutating func close(_ null: PropagatingNull?, since mark: Mark) -> RowSlot {
    let isAbsent = pass.openHoles > mark.openHoles && null.map { $0.reason == .absence } ?? true
    pass.closedHole = isAbsent ? mark : nil
    pass.openHoles = mark.openHoles
    return RowSlot(.null)
  }

  /// Returns the value to show for a field: the observer's last object or list if the field is null
  /// because of a hole inside it, otherwise the value just read.
  mutating func shownValue(
    _ value: RowSlot?, in slot: Int, at index: RecordIndex, plan: BoundPlan
  ) -> RowSlot? {
    guard let mark = pass.closedHole else { return value }
    pass.closedHole = nil
    guard value?.isNil == true, !isStopped, let key = key(of: index, plan),
      let last = pass.history?.value(at: slot, of: key)
    else { return value }
    return keep(last, since: mark)
  }

  /// Returns the locations of the fields that are missing without optimistic updates.
  mutating func settledHoles(
    at index: RecordIndex, _ plan: BoundPlan, from source: inout LayeredSource
  ) -> [Hole] {
    var (overlay, reads) = ([RecordIndex: Record](), false)
    swap(&overlay, &source.overlay)
    swap(&reads, &isForObserver)
    defer {
      swap(&overlay, &source.overlay)
      swap(&reads, &isForObserver)
    }
    var budget = ReadBudget(source.readLimits)
    return read(index, plan, from: &source, within: &budget).holes
  }

  private mutating func lastRow(at index: RecordIndex, plan: BoundPlan) -> RowBox? {
    guard pass.history != nil, let key = key(of: index, plan) else { return nil }
    return pass.history?.complete(key)
  }

  private func key(of index: RecordIndex, _ plan: BoundPlan) -> RowHistory.Key? {
    source.id(of: index).map { RowHistory.Key(id: $0, plan: ObjectIdentifier(plan.plan)) }
  }

  /// Uses a value of the previous snapshot instead of a value with a hole. Retains the missing
  /// fields, and removes the errors of the replaced value.
  private mutating func keep(_ last: RowSlot, since mark: Mark) -> RowSlot {
    discardKept(since: mark)
    let errors = pass.details.errors[mark.errorCount...]
    if !errors.isEmpty { pass.keptErrors.append((mark.errorCount, Array(errors))) }
    pass.details.errors.removeSubrange(mark.errorCount...)
    pass.uncaught.removeSubrange(mark.uncaughtCount...)
    if !mark.hadFailure { pass.failure = nil }
    pass.openHoles = mark.openHoles
    pass.details.keepsRows = true
    pass.details.partial.formUnion(pass.history?.partial(in: last) ?? [])
    return last
  }

  private mutating func kept(_ last: RowBox, since mark: Mark) -> RowBox? {
    keep(RowSlot(.row(last)), since: mark).row
  }
}
