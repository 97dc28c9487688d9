/// Missing fields, errors, and the limits of a read.
extension RecordReader {
  /// The number of missing fields and errors so far.
  var problemCount: Int {
    details.missing.count + details.errors.count + skippedPaths + (failure == nil ? 0 : 1)
  }

  /// Adds the current path to the missing fields.
  ///
  /// - Parameter hole: The place of a field that is not in the store, so that a server may have it;
  ///   `nil` if it is null or deleted.
  mutating func recordMissing(_ hole: Hole?) {
    if hole != nil {
      details.lacksData = true
      holeCount += 1
      openHoles += 1
    }
    if isStopped || !chargePath(stepCount: path.count) { return }
    if let hole, details.holes.last != hole { details.holes.append(hole) }
    let path = ResponsePath(path)
    // Several type conditions of one object can be undecided. All of them have the object's path.
    if details.missing.last != path { details.missing.append(path) }
    if uncaught.last != path { uncaught.append(path) }
  }

  func missingError(_ path: ResponsePath) -> FieldError {
    FieldError(missing: path, owner: definition.owner)
  }

  /// Adds an error at the current path, or below it.
  mutating func report(
    _ kind: FieldError.Kind, message: String, below: [ResponsePath.Component] = [],
    underlying: (any Error)? = nil
  ) {
    guard chargePath(stepCount: path.count + below.count) else { return }
    let error = FieldError(
      kind: kind, message: message, path: ResponsePath(path + below), owner: definition.owner,
      underlying: underlying)
    details.errors.append(error)
    if definition.handling == .throw, failure == nil { failure = error }
  }

  /// Performs the `@required` action of a field that is null.
  ///
  /// - Parameter isAbsent: Whether it is null because of a hole.
  mutating func require(_ slot: PlanSlot, action: RequiredAction, isAbsent: Bool) {
    guard let key = slot.field?.responseKey else { return }
    path.append(.field(key))
    defer { path.removeLast() }
    propagateNull(isAbsent ? .absence : .null)
    if isAbsent { openHoles += 1 }
    if action == .none { return }
    guard chargePath(stepCount: path.count) else {
      if action == .throw { failure = failure ?? pathLimitError }
      return
    }
    let error = FieldError(
      kind: .required, message: "Field \"\(key)\" is @required and null.",
      path: ResponsePath(path), owner: definition.owner)
    details.errors.append(error)
    if action == .throw, failure == nil { failure = error }
  }

  /// Reads a field with `@catch`, which replaces its value if there are errors.
  mutating func caught(
    _ target: CatchTarget, _ read: (inout RecordReader) -> RowSlot?
  ) -> RowSlot {
    let outer = (details.errors, failure, uncaught, didReportPathLimit, propagatingNull)
    let (missingCount, omittedCount) = (details.missing.count, details.omittedCount)
    let lackedData = details.lacksData
    (details.errors, failure, uncaught, didReportPathLimit) = ([], nil, [], false)
    details.lacksData = false
    let value = read(&self)
    var problems = FieldErrors(details.errors, missing: uncaught.map(missingError))
    (details.errors, failure, uncaught, didReportPathLimit, propagatingNull) = outer
    let lacksData = details.lacksData
    details.lacksData = lacksData || lackedData
    if problems.isEmpty {
      if let value { return value }
      problems = [missingError(ResponsePath(path))]
    }
    // A null where none may be is a problem that is caught; what is not in the store is missing too.
    if !lacksData {
      details.missing.removeSubrange(missingCount...)
      details.omittedCount = omittedCount
    }
    if target == .null { return RowSlot(.null) }
    caughtCount += 1
    return RowSlot(.failure(problems))
  }

  // MARK: Limits

  /// Charges the elements of a list to the budget. If the budget is exceeded, the read stops
  /// without data.
  mutating func chargeRows(_ count: Int) {
    budget.rows -= count
    guard budget.rows < 0, stop == nil else { return }
    stop = FieldError(
      moreRowsThan: budget.limits.rows, path: ResponsePath(path), owner: definition.owner)
  }

  /// Charges a path to the budget. If the budget is exceeded, an error is added to the definition
  /// being read.
  ///
  /// - Returns: Whether the path may be added to the result.
  mutating func chargePath(stepCount: Int) -> Bool {
    budget.paths -= 1 + stepCount / 8
    if budget.paths >= 0 { return true }
    skippedPaths += 1
    if !didReportPathLimit {
      didReportPathLimit = true
      let error = pathLimitError
      details.errors.append(error)
      if definition.handling == .throw, failure == nil { failure = error }
    }
    return false
  }

  private var pathLimitError: FieldError {
    FieldError(morePathsThan: budget.limits.paths, owner: definition.owner)
  }

  /// Replaces the result by a single error.
  private mutating func end(with error: FieldError) {
    (result.row, details.missing, details.errors) = (nil, [], [error])
    (details.failure, details.cause) = (error, error)
  }

  /// Applies the definition's error handling to the result.
  mutating func finish() {
    if let stop { return end(with: stop) }
    switch definition.handling {
    case .throw where failure == nil: failure = uncaught.first.map(missingError)
    case .null, .result:
      let isWhole = details.errors.isEmpty && uncaught.isEmpty
      if !isWhole { result.row = nil }
      details.cause = cause()
      if definition.handling == .null { details.errors = [] }
      failure = nil
    case .throw, nil: break
    }
    details.failure = failure
    if failure != nil { result.row = nil }
    if result.row == nil { details.keepsRows = false }
  }

  /// The reason why there is no row; `nil` if there is one.
  func cause() -> FieldError? {
    if result.row != nil { return nil }
    if let path = propagatingNull?.path {
      return details.errors.first { $0.path == path } ?? missingError(path)
    }
    return details.errors.first ?? uncaught.first.map(missingError)
  }
}
