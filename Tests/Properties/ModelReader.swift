import RelayStore

/// The result of a read, from the model or from the real store.
struct ModelSnapshot: Equatable {
  var data: JSONValue?
  var missing: [String] = []
  var errors: [String] = []
  var isDeleted = false
  /// Whether a list was read without its deleted records. Only the model sets it.
  var omitsElements = false

  static func == (left: Self, right: Self) -> Bool {
    left.data == right.data && left.missing == right.missing && left.errors == right.errors
      && left.isDeleted == right.isDeleted
  }
}

/// Reads a selection set from the model's records, without any cache.
struct ModelReader {
  let records: Model.Records
  private var snapshot = ModelSnapshot()
  /// The records seen so far.
  private var seen: Set<String> = []
  /// The number of missing fields that no `@catch` has caught.
  private var uncaught = 0
  /// Whether a field is not in the store, rather than null or of another kind.
  private var lacksData = false
  /// The number of elements omitted from lists.
  private var omittedCount = 0

  static func read(_ id: String, _ selection: ModelSelection, from records: Model.Records)
    -> ModelSnapshot
  {
    var reader = ModelReader(records: records)
    if records[id] == .some(nil) {
      reader.snapshot.isDeleted = true
    } else if reader.canMatch(id, selection) {
      if case .value(let data) = reader.object(id, selection, path: "") {
        reader.snapshot.data = data
      }
      reader.snapshot.omitsElements = reader.omittedCount > 0
    }
    return reader.snapshot
  }

  /// Reads several records as one list.
  static func read(all ids: [String], _ selection: ModelSelection, from records: Model.Records)
    -> ModelSnapshot
  {
    var all = ModelSnapshot()
    var elements: [JSONValue] = []
    for (position, id) in ids.enumerated() {
      let one = read(id, selection, from: records)
      elements.append(one.data ?? .null)
      func inside(_ path: String) -> String { "[\(position)]" + (path.isEmpty ? "" : ".\(path)") }
      all.missing += one.missing.map(inside)
      all.errors += one.errors.map(inside)
    }
    all.data = .array(elements)
    return all
  }

  /// Returns every record that a read sees.
  static func seen(_ id: String, _ selection: ModelSelection, from records: Model.Records)
    -> Set<String>
  {
    var reader = ModelReader(records: records)
    reader.seen.insert(id)
    if records[id] != .some(nil), reader.canMatch(id, selection) {
      _ = reader.object(id, selection, path: "")
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

  private init(records: Model.Records) { self.records = records }

  private enum Value {
    case value(JSONValue)
    /// A null in a non-null position, which propagates. A list omits an element whose null is due
    /// to a deleted record.
    case propagatingNull(isDeletion: Bool)
  }

  private mutating func miss(_ path: String) {
    snapshot.missing.append(path)
    uncaught += 1
  }

  private mutating func object(_ id: String, _ selection: ModelSelection, path: String)
    -> Value
  {
    seen.insert(id)
    guard let record = records[id] ?? nil else {
      if records[id] == nil { lacksData = true }
      miss(path)
      return .propagatingNull(isDeletion: false)
    }
    var object = JSONObject()
    var nulls: [Bool] = []
    if selection.isAbstract { object["__typename"] = .string(record.typeName) }
    for field in selection.fields where field.onlyOn == nil || field.onlyOn == record.typeName {
      let path = path.isEmpty ? field.name : "\(path).\(field.name)"
      switch caught(field, of: record, path) {
      case .value(.null) where field.isRequired: return .propagatingNull(isDeletion: false)
      case .value(let value): object[field.name] = value
      case .propagatingNull(let isDeletion): nulls.append(isDeletion)
      }
    }
    return nulls.isEmpty
      ? .value(.object(object)) : .propagatingNull(isDeletion: !nulls.contains(false))
  }

  private mutating func caught(
    _ field: ModelSelection.Field, of record: Model.Record, _ path: String
  ) -> Value {
    guard field.isCaught else { return self.field(field, of: record, path) }
    let outer = (snapshot.errors, uncaught)
    let (missing, omitted, lackedData) = (snapshot.missing, omittedCount, lacksData)
    lacksData = false
    let value = self.field(field, of: record, path)
    let isComplete = snapshot.errors == outer.0 && uncaught == outer.1
    (snapshot.errors, uncaught) = outer
    if !isComplete, !lacksData { (snapshot.missing, omittedCount) = (missing, omitted) }
    lacksData = lacksData || lackedData
    return isComplete ? value : .value(.null)
  }

  private mutating func field(
    _ field: ModelSelection.Field, of record: Model.Record, _ path: String
  ) -> Value {
    snapshot.errors += (record.errors[field.storageKey] ?? []).map {
      $0.isEmpty ? path : "\(path).\($0)"
    }
    let none: Value = field.isNullable ? .value(.null) : .propagatingNull(isDeletion: false)
    switch (field.kind, record.fields[field.storageKey]) {
    case (_, nil) where field.isClient: return none
    case (_, nil):
      lacksData = true
      miss(path)
      return none
    case (.scalar, .link), (.scalar, .links):
      miss(path)
      return none
    case (_, .scalar(.null)):
      if !field.isNullable { miss(path) }
      return none
    case (.scalar, .scalar(let value)): return .value(value)
    case (.object(let selection), .link(let id)):
      seen.insert(id)
      if records[id] == .some(nil) {
        if field.isNullable { return none }
        miss(path)
        return .propagatingNull(isDeletion: true)
      }
      let value = object(id, selection, path: path)
      if case .propagatingNull = value, field.isNullable { return none }
      return value
    case (.list(let selection), .links(let ids)):
      return list(ids, selection, of: field, path: path) ?? none
    default:
      miss(path)
      return none
    }
  }

  private mutating func list(
    _ ids: [String?], _ selection: ModelSelection, of field: ModelSelection.Field, path: String
  ) -> Value? {
    var elements: [JSONValue] = []
    var isComplete = true
    for (position, id) in ids.enumerated() {
      let before = uncaught
      switch element(id, selection, of: field, path: "\(path)[\(position)]") {
      case .value(let value): elements.append(value)
      case .propagatingNull where field.hasNullableElements: elements.append(.null)
      case .propagatingNull(isDeletion: true):
        omittedCount += 1
        uncaught = before
      case .propagatingNull: isComplete = false
      }
    }
    return isComplete ? .value(.array(elements)) : nil
  }

  private mutating func element(
    _ id: String?, _ selection: ModelSelection, of field: ModelSelection.Field, path: String
  ) -> Value {
    if let id { seen.insert(id) }
    if let id, records[id] != .some(nil) { return object(id, selection, path: path) }
    if field.hasNullableElements { return .value(.null) }
    miss(path)
    return .propagatingNull(isDeletion: id != nil)
  }
}
