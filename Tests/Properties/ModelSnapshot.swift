import RelayStore

/// The result of a read, from the model or from the real store.
struct ModelSnapshot: Equatable {
  var data: JSONValue?
  var missing: [String] = []
  var errors: [String] = []
  var isDeleted = false
  /// Whether rows of the previous snapshot are shown instead of rows with holes.
  var keepsRows = false
  /// Whether a list was read without its deleted records. Only the model sets it.
  var omitsElements = false
  /// Whether a list was read without elements that have a missing field. Only the model sets it.
  var leavesOutElements = false
  /// The fields that are not in the store, by record. Only the model sets them.
  var holes: Set<String> = []
  /// The values shown, with the objects' keys. Only the model sets it.
  var shown = ModelHistory()
  /// The elements of a list of records. Only the model sets them.
  var parts: [ModelSnapshot] = []

  static func == (left: Self, right: Self) -> Bool {
    left.data == right.data && left.missing == right.missing && left.errors == right.errors
      && left.isDeleted == right.isDeleted
  }
}

/// A value that a snapshot shows.
indirect enum ModelShown {
  case value(JSONValue)
  case row(key: String, fields: [(name: String, value: ModelShown)])
  case list([ModelShown])

  var json: JSONValue {
    switch self {
    case .value(let value): value
    case .row(_, let fields):
      .object(JSONObject(fields.map { ($0.name, $0.value.json) }))
    case .list(let elements): .array(elements.map(\.json))
    }
  }
}

/// The values that an observer showed last.
struct ModelHistory {
  var root: ModelShown?
  /// The objects with null instead of a hole.
  var partial: Set<String> = []

  /// The row that was shown last for an object; `nil` if it had a hole.
  func complete(_ key: String) -> ModelShown? { partial.contains(key) ? nil : shown(key) }

  /// The value that was shown last in a field of an object.
  func value(_ field: String, of key: String) -> ModelShown? {
    guard case .row(_, let fields)? = shown(key),
      let value = fields.first(where: { $0.name == field })?.value
    else { return nil }
    switch value {
    case .value(.null): return nil
    case .row(let key, _): return partial.contains(key) ? nil : value
    default: return value
    }
  }

  /// The objects with holes in a value.
  func partial(in value: ModelShown) -> Set<String> {
    partial.filter { Self.find($0, in: value) != nil }
  }

  private func shown(_ key: String) -> ModelShown? { root.flatMap { Self.find(key, in: $0) } }

  private static func find(_ wanted: String, in shown: ModelShown) -> ModelShown? {
    switch shown {
    case .value: return nil
    case .list(let elements): return elements.lazy.compactMap { find(wanted, in: $0) }.first
    case .row(let key, let fields):
      return key == wanted ? shown : fields.lazy.compactMap { find(wanted, in: $0.value) }.first
    }
  }
}
