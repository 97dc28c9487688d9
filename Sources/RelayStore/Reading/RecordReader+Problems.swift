/// Missing fields, errors, and the limits of a read.
extension RecordReader {
  /// The current number of missing fields and errors.
  var problemCount: Int {
    pass.details.missing.count + pass.details.errors.count + pass.skippedPaths
      + (pass.failure == nil ? 0 : 1)
  }

  /// Adds the current path to the missing fields.
  ///
  /// - Parameter hole: The location of a field that is not in the store and that a server may have;
  ///   `nil` if the field is null or deleted.
  mutating func reportMissing(_ hole: Hole?) {
    if hole != nil {
      pass.details.lacksData = true
      pass.holeCount += 1
      pass.openHoles += 1
    }
    if isStopped || !chargePath(stepCount: pass.path.count) { return }
    if let hole, pass.details.holes.last != hole { pass.details.holes.append(hole) }
    let path = ResponsePath(pass.path)
    // Several type conditions of one object can be undecided. All of them have the object's path.
    if pass.details.missing.last != path { pass.details.missing.append(path) }
    if pass.uncaught.last != path { pass.uncaught.append(path) }
  }

  func missingError(_ path: ResponsePath) -> FieldError {
    FieldError(missing: path, owner: pass.definition.owner)
  }

  /// Adds an error at the current path, or below it.
  mutating func report(
    _ kind: FieldError.Kind, message: String, below: [ResponsePath.Component] = [],
    underlying: (any Error)? = nil
  ) {
    guard chargePath(stepCount: pass.path.count + below.count) else { return }
    let error = FieldError(
      kind: kind, message: message, path: ResponsePath(pass.path + below),
      owner: pass.definition.owner,
      underlying: underlying)
    pass.details.errors.append(error)
    if pass.definition.handling == .throw, pass.failure == nil { pass.failure = error }
  }

  /// Performs the `@required` action of a field that is null.
  ///
  /// - Parameter isAbsent: Whether the field is null because of a hole.
  mutating func require(_ slot: PlanSlot, action: RequiredAction, isAbsent: Bool) {
    guard let key = slot.field?.responseKey else { return }
    pass.path.append(.field(key))
    defer { pass.path.removeLast() }
    propagateNull(isAbsent ? .absence : .null)
    if isAbsent { pass.openHoles += 1 }
    if action == .none { return }
    guard chargePath(stepCount: pass.path.count) else {
      if action == .throw { pass.failure = pass.failure ?? pathLimitError }
      return
    }
    let error = FieldError(
      kind: .required, message: "Field \"\(key)\" is @required and null.",
      path: ResponsePath(pass.path), owner: pass.definition.owner)
    pass.details.errors.append(error)
    if action == .throw, pass.failure == nil { pass.failure = error }
  }

  /// Reads a field with `@catch`. If there are errors, they replace its value.
  mutating func caught(
    _ target: CatchTarget, _ read: (inout RecordReader) -> RowSlot?
  ) -> RowSlot {
    let outer = (
      pass.details.errors, pass.failure, pass.uncaught, pass.didReportPathLimit,
      pass.propagatingNull, pass.keptErrors
    )
    let (missingCount, omittedCount) = (pass.details.missing.count, pass.details.omittedCount)
    let lackedData = pass.details.lacksData
    (pass.details.errors, pass.failure, pass.uncaught, pass.didReportPathLimit) = (
      [], nil, [], false
    )
    pass.details.lacksData = false
    let value = read(&self)
    var problems = FieldErrors(pass.details.errors, missing: pass.uncaught.map(missingError))
    (
      pass.details.errors, pass.failure, pass.uncaught, pass.didReportPathLimit,
      pass.propagatingNull, pass.keptErrors
    ) = outer
    let lacksData = pass.details.lacksData
    pass.details.lacksData = lacksData || lackedData
    if problems.isEmpty {
      if let value { return value }
      problems = [missingError(ResponsePath(pass.path))]
    }
    // `@catch` also catches a null in a non-null position. Data that is not in the store remains
    // missing.
    if !lacksData {
      pass.details.missing.removeSubrange(missingCount...)
      pass.details.omittedCount = omittedCount
    }
    if target == .null { return RowSlot(.null) }
    pass.caughtCount += 1
    return RowSlot(.failure(problems))
  }

  // MARK: Limits

  /// Charges list elements to the budget as they are read. Reused chunks and memoized objects are
  /// free. If the budget is exceeded, the read stops without data.
  mutating func chargeRows(_ count: Int) {
    pass.budget.rows -= count
    guard pass.budget.rows < 0, pass.stop == nil else { return }
    pass.stop = FieldError(
      moreRowsThan: pass.budget.limits.rows, path: ResponsePath(pass.path),
      owner: pass.definition.owner)
  }

  /// Charges a path to the budget. If the budget is exceeded, adds an error to the definition being
  /// read.
  ///
  /// - Returns: Whether the path may be added to the result.
  mutating func chargePath(stepCount: Int) -> Bool {
    pass.budget.paths -= 1 + stepCount / 8
    if pass.budget.paths >= 0 { return true }
    pass.skippedPaths += 1
    if !pass.didReportPathLimit {
      pass.didReportPathLimit = true
      let error = pathLimitError
      pass.details.errors.append(error)
      if pass.definition.handling == .throw, pass.failure == nil { pass.failure = error }
    }
    return false
  }

  private var pathLimitError: FieldError {
    FieldError(morePathsThan: pass.budget.limits.paths, owner: pass.definition.owner)
  }

  /// Replaces the result with a single error.
  private mutating func end(with error: FieldError) {
    (pass.result.row, pass.details.missing, pass.details.errors) = (nil, [], [error])
    (pass.details.failure, pass.details.cause) = (error, error)
  }

  /// Applies the definition's error handling to the result.
  mutating func finish() {
    if let stop = pass.stop { return end(with: stop) }
    switch pass.definition.handling {
    case .throw where pass.failure == nil: pass.failure = pass.uncaught.first.map(missingError)
    case .null, .result:
      let isWhole = pass.details.errors.isEmpty && pass.uncaught.isEmpty
      if !isWhole { pass.result.row = nil }
      pass.details.cause = cause()
      if pass.definition.handling == .null { pass.details.errors = [] }
      pass.failure = nil
    case .throw, nil: break
    }
    pass.details.failure = pass.failure
    if pass.failure != nil { pass.result.row = nil }
    if pass.result.row == nil { pass.details.keepsRows = false }
  }

  /// Returns the reason why there is no row; `nil` if there is one.
  func cause() -> FieldError? {
    if pass.result.row != nil { return nil }
    if let path = pass.propagatingNull?.path {
      return pass.details.errors.first { $0.path == path } ?? missingError(path)
    }
    return pass.details.errors.first ?? pass.uncaught.first.map(missingError)
  }
}
