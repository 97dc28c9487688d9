import RelayStore

/// What a reader finds, in the model and in the real store.
struct ModelSnapshot: Equatable {
  var data: JSONValue?
  var missing: [String] = []
  var errors: [String] = []
  var isDeleted = false
}

/// Reads the model's records by a selection, everything anew.
struct ModelReader {
  let records: Model.Records
  private var snapshot = ModelSnapshot()
  /// Every record that was looked at.
  private var seen: Set<String> = []

  static func read(_ id: String, _ selection: ModelSelection, from records: Model.Records)
    -> ModelSnapshot
  {
    var reader = ModelReader(records: records)
    if records[id] == .some(nil) {
      reader.snapshot.isDeleted = true
    } else if reader.canMatch(id, selection) {
      reader.snapshot.data = reader.object(id, selection, "")
    }
    return reader.snapshot
  }

  /// Several records as one value.
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

  /// Every record that reading looks at.
  static func seen(_ id: String, _ selection: ModelSelection, from records: Model.Records)
    -> Set<String>
  {
    var reader = ModelReader(records: records)
    reader.seen.insert(id)
    if records[id] != .some(nil), reader.canMatch(id, selection) {
      _ = reader.object(id, selection, "")
    }
    return reader.seen
  }

  /// Whether a record may be of the type that is selected from.
  private func canMatch(_ id: String, _ selection: ModelSelection) -> Bool {
    guard !selection.isAbstract, id != "client:root", let record = records[id] ?? nil else {
      return true
    }
    return record.typeName == selection.typeName
  }

  private init(records: Model.Records) { self.records = records }

  private mutating func object(_ id: String, _ selection: ModelSelection, _ path: String)
    -> JSONValue?
  {
    seen.insert(id)
    guard let record = records[id] ?? nil else {
      snapshot.missing.append(path)
      return nil
    }
    var object = JSONObject()
    var isWhole = true
    if selection.isAbstract { object["__typename"] = .string(record.typeName) }
    for field in selection.fields where field.onlyOn == nil || field.onlyOn == record.typeName {
      let value = self.field(field, of: record, path.isEmpty ? field.name : "\(path).\(field.name)")
      if let value { object[field.name] = value } else { isWhole = false }
    }
    return isWhole ? .object(object) : nil
  }

  /// `nil` where a value that may not be null is.
  private mutating func field(
    _ field: ModelSelection.Field, of record: Model.Record, _ path: String
  ) -> JSONValue? {
    snapshot.errors += (record.errors[field.storageKey] ?? []).map {
      $0.isEmpty ? path : "\(path).\($0)"
    }
    let none: JSONValue? = field.isNullable ? .null : nil
    switch (field.kind, record.fields[field.storageKey]) {
    case (_, nil), (.scalar, .link), (.scalar, .links):
      snapshot.missing.append(path)
      return none
    case (_, .scalar(.null)):
      if !field.isNullable { snapshot.missing.append(path) }
      return none
    case (.scalar, .scalar(let value)): return value
    case (.object(let selection), .link(let id)):
      seen.insert(id)
      if records[id] == .some(nil) {
        if !field.isNullable { snapshot.missing.append(path) }
        return none
      }
      return object(id, selection, path) ?? none
    case (.list(let selection), .links(let ids)):
      return list(ids, selection, field, path) ?? none
    default:
      snapshot.missing.append(path)
      return none
    }
  }

  private mutating func list(
    _ ids: [String?], _ selection: ModelSelection, _ field: ModelSelection.Field, _ path: String
  ) -> JSONValue? {
    var elements: [JSONValue] = []
    var isWhole = true
    for (position, id) in ids.enumerated() {
      let path = "\(path)[\(position)]"
      var element: JSONValue?
      if let id { seen.insert(id) }
      if let id, records[id] != .some(nil) {
        element = object(id, selection, path)
      } else if !field.hasNullableElements {
        snapshot.missing.append(path)
      }
      if element == nil, field.hasNullableElements { element = .null }
      if let element { elements.append(element) } else { isWhole = false }
    }
    return isWhole ? .array(elements) : nil
  }
}
