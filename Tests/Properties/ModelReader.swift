import RelayStore

/// Reads a selection set from the model's records, without any cache.
struct ModelReader {
  let records: Model.Records
  /// The values that the observer showed last; `nil` for a read without an observer.
  private let history: ModelHistory?
  private var snapshot = ModelSnapshot()
  /// The records that this read has already seen.
  private var seen: Set<String> = []
  /// The number of missing fields that no `@catch` has caught.
  private var uncaught = 0
  /// Whether a field is not in the store, rather than null or of another kind.
  private var lacksData = false
  /// The number of elements omitted from lists.
  private var omittedCount = 0
  /// The number of holes, and the number of holes without a replacement.
  private var (holeCount, openHoles) = (0, 0)

  /// - Parameters:
  ///   - history: The observer's previous read; `nil` for a read without an observer.
  ///   - old: The records of that read. Kept rows are read again only after a change of a record
  ///     that was seen, because another row of the same object may be found to keep.
  static func read(
    _ id: String, _ selection: ModelSelection, from records: Model.Records,
    after history: ModelSnapshot? = nil, of old: Model.Records = [:]
  ) -> ModelSnapshot {
    if let history, history.keepsRows,
      seen(id, selection, from: old).allSatisfy({ old[$0] == records[$0] })
    {
      return history
    }
    var reader = ModelReader(records: records, history: history?.shown)
    if records[id] == .some(nil) {
      reader.snapshot.isDeleted = true
    } else if reader.canMatch(id, selection) {
      if case .value(let data) = reader.row(id, selection, path: "", place: "") {
        reader.snapshot.data = data.json
        reader.snapshot.shown.root = data
      }
      reader.snapshot.omitsElements = reader.omittedCount > 0
    }
    return reader.snapshot
  }

  /// Reads several records as one list.
  static func read(
    all ids: [String], _ selection: ModelSelection, from records: Model.Records,
    after history: ModelSnapshot? = nil, of old: Model.Records = [:]
  ) -> ModelSnapshot {
    var all = ModelSnapshot()
    var elements: [JSONValue] = []
    for (position, id) in ids.enumerated() {
      let one = read(id, selection, from: records, after: history?.parts[position], of: old)
      elements.append(one.data ?? .null)
      func inside(_ path: String) -> String { "[\(position)]" + (path.isEmpty ? "" : ".\(path)") }
      all.missing += one.missing.map(inside)
      all.errors += one.errors.map(inside)
      all.keepsRows = all.keepsRows || one.keepsRows
      all.parts.append(one)
    }
    all.data = .array(elements)
    return all
  }

  /// Returns every record that a read sees.
  static func seen(_ id: String, _ selection: ModelSelection, from records: Model.Records)
    -> Set<String>
  {
    var reader = ModelReader(records: records, history: nil)
    reader.seen.insert(id)
    if records[id] != .some(nil), reader.canMatch(id, selection) {
      _ = reader.object(id, selection, path: "", place: "")
    }
    return reader.seen
  }

  /// Whether the type condition of the selection set may hold for a record.
  private func canMatch(_ id: String, _ selection: ModelSelection) -> Bool {
    guard !selection.isAbstract, id != "client:root", let record = records[id] ?? nil else {
      return true
    }
    return record.typeName == selection.typeName
  }

  /// The errors of values that rows of the last read replace, with their positions.
  private var keptErrors: [(position: Int, errors: [String])] = []

  private init(records: Model.Records, history: ModelHistory?) {
    self.records = records
    self.history = history
  }

  /// The reason for a null in a non-null position. A list omits an element for the first two
  /// reasons. If there are several reasons, the last one counts.
  private enum Reason: Int { case deletion, absence, null }

  private enum Value {
    case value(ModelShown)
    /// A propagating null in a non-null position.
    case propagatingNull(Reason)
  }

  private mutating func miss(_ path: String, hole: String? = nil) {
    snapshot.missing.append(path)
    uncaught += 1
    guard let hole else { return }
    lacksData = true
    holeCount += 1
    openHoles += 1
    snapshot.holes.insert(hole)
  }

  // MARK: Holes

  private typealias Mark = (errors: Int, uncaught: Int, openHoles: Int, keepsRows: Bool, kept: Int)

  private var mark: Mark {
    (snapshot.errors.count, uncaught, openHoles, snapshot.keepsRows, keptErrors.count)
  }

  /// Reports the errors of replaced values, because a value around them is not shown.
  private mutating func discardKept(since mark: Mark) {
    snapshot.keepsRows = mark.keepsRows
    for (position, errors) in keptErrors[mark.kept...].reversed() {
      snapshot.errors.insert(contentsOf: errors, at: position)
    }
    keptErrors.removeSubrange(mark.kept...)
  }

  private mutating func keep(_ last: ModelShown, since mark: Mark) -> Value {
    discardKept(since: mark)
    keptErrors.append((mark.errors, Array(snapshot.errors[mark.errors...])))
    snapshot.errors.removeSubrange(mark.errors...)
    (uncaught, openHoles) = (mark.uncaught, mark.openHoles)
    snapshot.keepsRows = true
    snapshot.shown.partial.formUnion(history?.partial(in: last) ?? [])
    return .value(last)
  }

  /// Reads an object. If it has a hole, retains the row that was shown last.
  ///
  /// - Parameter place: The path without list positions.
  private mutating func row(
    _ id: String, _ selection: ModelSelection, path: String, place: String
  ) -> Value {
    let mark = mark
    let read = object(id, selection, path: path, place: place)
    if case .propagatingNull = read { discardKept(since: mark) }
    if openHoles == mark.openHoles { return read }
    let key = "\(place)#\(id)"
    switch read {
    case .value:
      if let last = history?.complete(key) { return keep(last, since: mark) }
      openHoles = mark.openHoles
      snapshot.shown.partial.insert(key)
    case .propagatingNull(.absence):
      if let last = history?.complete(key) { return keep(last, since: mark) }
    case .propagatingNull: break
    }
    return read
  }

  // MARK: Objects

  private mutating func object(
    _ id: String, _ selection: ModelSelection, path: String, place: String
  ) -> Value {
    seen.insert(id)
    guard let record = records[id] ?? nil else {
      let isAbsent = records[id] == nil
      miss(path, hole: isAbsent ? id : nil)
      return .propagatingNull(isAbsent ? .absence : .null)
    }
    var fields: [(name: String, value: ModelShown)] = []
    var nulls: [Reason] = []
    func greatest() -> Reason { nulls.max { $0.rawValue < $1.rawValue } ?? .null }
    if selection.isAbstract { fields.append(("__typename", .value(.string(record.typeName)))) }
    for field in selection.fields where field.onlyOn == nil || field.onlyOn == record.typeName {
      let path = path.isEmpty ? field.name : "\(path).\(field.name)"
      let holes = holeCount
      switch caught(field, of: record, id, path, "\(place)#\(id)", "\(place).\(field.name)") {
      case .value(.value(.null)) where field.isRequired:
        let isAbsent = holeCount > holes
        if isAbsent { openHoles += 1 }
        nulls.append(isAbsent ? .absence : .null)
        return .propagatingNull(greatest())
      case .value(let value): fields.append((field.name, value))
      case .propagatingNull(let reason): nulls.append(reason)
      }
    }
    return nulls.isEmpty
      ? .value(.row(key: "\(place)#\(id)", fields: fields)) : .propagatingNull(greatest())
  }

  private mutating func caught(
    _ field: ModelSelection.Field, of record: Model.Record, _ id: String, _ path: String,
    _ owner: String, _ place: String
  ) -> Value {
    guard field.isCaught else { return shown(field, of: record, id, path, owner, place) }
    let outer = (snapshot.errors, uncaught)
    let outerKept = keptErrors
    let (missing, omitted, lackedData) = (snapshot.missing, omittedCount, lacksData)
    lacksData = false
    let value = shown(field, of: record, id, path, owner, place)
    let isComplete = snapshot.errors == outer.0 && uncaught == outer.1
    (snapshot.errors, uncaught, keptErrors) = (outer.0, outer.1, outerKept)
    if !isComplete, !lacksData { (snapshot.missing, omittedCount) = (missing, omitted) }
    lacksData = lacksData || lackedData
    return isComplete ? value : .value(.value(.null))
  }

  /// Reads a field. If it is null because of a hole, retains the object or list that was shown
  /// last.
  private mutating func shown(
    _ field: ModelSelection.Field, of record: Model.Record, _ id: String, _ path: String,
    _ owner: String, _ place: String
  ) -> Value {
    let mark = mark
    let value = self.field(field, of: record, id, path, place)
    guard case .propagatingNull(let reason) = value, field.isNullable else { return value }
    let isAbsent = reason == .absence && openHoles > mark.openHoles
    openHoles = mark.openHoles
    if isAbsent, let last = history?.value(field.name, of: owner) { return keep(last, since: mark) }
    return .value(.value(.null))
  }

  private mutating func field(
    _ field: ModelSelection.Field, of record: Model.Record, _ id: String, _ path: String,
    _ place: String
  ) -> Value {
    snapshot.errors += (record.errors[field.storageKey] ?? []).map {
      $0.isEmpty ? path : "\(path).\($0)"
    }
    func none(_ reason: Reason) -> Value {
      field.isNullable ? .value(.value(.null)) : .propagatingNull(reason)
    }
    switch (field.kind, record.fields[field.storageKey]) {
    case (_, nil) where field.isClient: return none(.null)
    case (_, nil):
      miss(path, hole: "\(id)|\(field.storageKey)")
      return none(.absence)
    case (.scalar, .link), (.scalar, .links):
      miss(path)
      return none(.null)
    case (_, .scalar(.null)):
      if !field.isNullable { miss(path) }
      return none(.null)
    case (.scalar, .scalar(let value)): return .value(.value(value))
    case (.object(let selection), .link(let id)):
      seen.insert(id)
      if records[id] == .some(nil) {
        if field.isNullable { return none(.deletion) }
        miss(path)
        return .propagatingNull(.deletion)
      }
      return row(id, selection, path: path, place: place)
    case (.list(let selection), .links(let ids)):
      return list(ids, selection, of: field, path: path, place: place)
    default:
      miss(path)
      return none(.null)
    }
  }

  private mutating func list(
    _ ids: [String?], _ selection: ModelSelection, of field: ModelSelection.Field, path: String,
    place: String
  ) -> Value {
    var elements: [ModelShown] = []
    var reasons: [Reason] = []
    let start = mark
    for (position, id) in ids.enumerated() {
      let before = mark
      switch element(id, selection, of: field, path: "\(path)[\(position)]", place: place) {
      case .value(let value): elements.append(value)
      case .propagatingNull where field.hasNullableElements:
        openHoles = before.openHoles
        elements.append(.value(.null))
      case .propagatingNull(.null): reasons.append(.null)
      case .propagatingNull(let reason):
        if reason == .deletion { omittedCount += 1 } else { snapshot.leavesOutElements = true }
        (uncaught, openHoles) = (before.uncaught, before.openHoles)
      }
    }
    if reasons.isEmpty { return .value(.list(elements)) }
    discardKept(since: start)
    return .propagatingNull(.null)
  }

  private mutating func element(
    _ id: String?, _ selection: ModelSelection, of field: ModelSelection.Field, path: String,
    place: String
  ) -> Value {
    if let id { seen.insert(id) }
    if let id, records[id] != .some(nil) {
      return row(id, selection, path: path, place: place)
    }
    if field.hasNullableElements { return .value(.value(.null)) }
    miss(path)
    return .propagatingNull(id != nil ? .deletion : .null)
  }
}
