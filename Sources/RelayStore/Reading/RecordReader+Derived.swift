extension RecordReader {
  /// Reads a derived field; returns `nil` if it is null although its type is non-null.
  mutating func derived(
    _ field: PlanField, slot: Int, of record: Record, at index: RecordIndex, plan: BoundPlan
  ) -> RowSlot? {
    let isNullable = field.type.isNullable[0]
    guard let child = plan.children[slot] else { return missingValue(isNullable: isNullable) }
    let names = [record.typeName, plan.plan.typeName, child.plan.typeName].compactMap(\.self)
      .map { "\($0).\(field.name)" }
    let derivations = source.derivations ?? Derivations()
    let old = derivations.cachedRow(of: names[0], plan: child.plan, at: index)
    pass.result.hasHiddenRecords = true
    let (mark, outerNull) = (mark, pass.propagatingNull)
    pass.propagatingNull = nil
    // `derivedRow` has already added the fragment's missing fields.
    guard let row = derivedRow(of: names[0], at: index, plan: child, old: old), !isStopped else {
      let innerNull = pass.propagatingNull
      pass.propagatingNull = outerNull
      if isNullable { return close(innerNull, since: mark) }
      // A fragment that throws has no data, but does not propagate a null.
      guard let innerNull else { return missingValue(isNullable: false) }
      propagateNull(innerNull)
      return nil
    }
    pass.propagatingNull = outerNull
    let result: Result<RowSlot, Derivations.DerivationFailure>?
    switch derivations.value(of: names, plan: child.plan, at: index, row: row) {
    case .result(let value): result = value
    case .live(let name, let source):
      let field = LiveDerivations.Field(name, of: index, plan: child.plan)
      result = liveValue(of: field, owner: child.plan.owner, row: row, source, derivations.live)
    }
    return derivedSlot(of: result, field, name: names[0])
  }

  /// Returns the slot of a derived field, or reports why it has no value.
  private mutating func derivedSlot(
    of result: Result<RowSlot, Derivations.DerivationFailure>?, _ field: PlanField, name: String
  ) -> RowSlot? {
    switch result {
    case nil: return null(of: field, level: 0)
    case .success(let value) where field.accepts(value, level: 0): return value
    case .success:
      report(
        .derived,
        message:
          "The function of derived field \"\(name)\" returned no "
          + "\(field.type.name(child: nil))."
      )
    case .failure(let failure):
      report(.derived, message: failure.message, underlying: failure.underlying)
    }
    return missingValue(isNullable: field.type.isNullable[0])
  }

  /// Reads the row of a derived field's fragment. The fragment handles its own errors: if it throws
  /// or catches, only the fragment has no data.
  private mutating func derivedRow(
    of name: String, at index: RecordIndex, plan: BoundPlan, old: RowBox?
  ) -> RowBox? {
    let handling = plan.plan.handling
    let (outer, kept) = (pass.failure, pass.keptErrors)
    let (errorCount, uncaughtCount) = (pass.details.errors.count, pass.uncaught.count)
    pass.failure = nil
    let row = inlined(at: index, plan: plan, old: old)?.row
    let own = pass.failure
    pass.failure = outer
    switch handling {
    case .null, .result:
      let isWhole = pass.details.errors.count == errorCount && pass.uncaught.count == uncaughtCount
      if handling == .null {
        pass.details.errors.removeSubrange(errorCount...)
        pass.keptErrors = kept
      }
      return isWhole ? row : nil
    case .throw, nil:
      guard let own else { return row }
      report(
        .derived,
        message: "The fragment of derived field \"\(name)\" cannot be read: \(own.message)",
        underlying: RelayError(field: own))
      return nil
    }
  }

  /// Returns the last value of a live field; `nil` before the first value, and if no observer
  /// depends on the field. A read for an observer makes the observer depend on the field.
  private mutating func liveValue(
    of field: LiveDerivations.Field, owner: String, row: RowBox,
    _ values: @escaping LiveDerivations.Source, _ live: LiveDerivations
  ) -> Result<RowSlot, Derivations.DerivationFailure>? {
    guard isForObserver else { return live.value(of: field, row: row) }
    guard let index = live.index(of: field) else {
      unindexed.append((field, owner))
      return nil
    }
    markSeen(index)
    return live.observe(field, at: index, row: row, values)
  }
}

extension PlanField {
  /// Returns whether a slot's value is of the field's type.
  fileprivate func accepts(_ slot: RowSlot, level: Int) -> Bool {
    if slot.isNil { return type.isNullable[level] }
    if level < type.listDepth {
      guard case .list(let list) = slot.value else { return false }
      return list.slots.allSatisfy { accepts($0, level: level + 1) }
    }
    switch (type.namedType, slot.value) {
    case (.id, .string), (.string, .string), (.enumeration, .string), (.boolean, .bool),
      (.int, .int), (.float, .int), (.float, .number):
      return true
    case (.custom, .scalar(let value)): return scalar.map { Swift.type(of: value) == $0 } ?? false
    case (.custom, .row), (.custom, .spread), (.custom, .selfReference), (.custom, .failure):
      return false
    case (.custom, _): return scalar == nil
    default: return false
    }
  }
}

extension LayeredSource {
  /// The functions of derived fields; `nil` if there are none.
  var derivations: Derivations? {
    get { observers.memos.cache as? Derivations }
    set {
      observers.memos.cache = newValue
      isChanged = true
    }
  }
}
