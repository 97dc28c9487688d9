@testable import RelayStore

// Conversions between the model's values and the store's.

extension UpdateStep {
  func run(on store: RecordSourceProxy) throws {
    switch self {
    case .set(let id, let field, let value): try store[DataID(id)]?.setValue(value, for: field)
    case .link(let id, let field, let target):
      let target = try target.flatMap { try store[DataID($0)] }
      try store[DataID(id)]?.setLinkedRecord(target, for: field)
    case .setNick(let id, let value):
      try store[DataID(id)]?.setValue(value, for: "nick", arguments: ["n": 1])
    case .linkItem(let id, let target):
      guard let target = try store[DataID(target)] else { return }
      try store[DataID(id)]?.setLinkedRecord(target, for: "item", arguments: ["first": 1])
    case .linkAll(let id, let field, let targets):
      let targets = try targets.map { try store[DataID($0)] }
      try store[DataID(id)]?.setLinkedRecords(targets, for: field)
    case .create(let id, let type): _ = try store.create(DataID(id), type: type)
    case .delete(let id): try store.delete(DataID(id))
    case .remove(let id, let field): try store[DataID(id)]?.removeValue(field)
    case .copy(let id, let other):
      if let source = try store[DataID(other)] { try store[DataID(id)]?.copyFields(from: source) }
    case .invalidate(let id): try store[DataID(id)]?.invalidateRecord()
    case .invalidateStore: try store.invalidateStore()
    case .fail: throw Model.UpdateFailure()
    }
  }
}

extension ModelSnapshot {
  init(_ snapshot: RowSnapshot) {
    data = snapshot.row.map { .object($0.json) }
    missing = snapshot.missing.map(Self.text)
    errors = snapshot.errors.map { Self.text($0.path) }
    isDeleted = snapshot.isDeleted
    keepsRows = snapshot.keepsRows
  }

  /// The model represents the root path by an empty string.
  private static func text(_ path: ResponsePath) -> String {
    path.components.isEmpty ? "" : path.description
  }
}

extension ModelSnapshot {
  /// Creates a snapshot of several fragments that are read as one list.
  init(plural snapshot: RowSnapshot) {
    self.init(snapshot)
    guard case .list(let list)? = snapshot.row?.slots.first?.value else { return }
    data = .array(list.slots.map { slot in slot.row.map { .object($0.json) } ?? .null })
  }
}

extension [String: Model.Record?] {
  /// The expected dump of the store.
  func dump(_ invalidated: [String: Int]) -> JSONValue {
    .object(
      JSONObject(map { id, record in (id, record.map { $0.dump(id, invalidated[id]) } ?? .null) }))
  }
}

extension Model.Record {
  fileprivate func dump(_ id: String, _ invalidatedAt: Int?) -> JSONValue {
    var object = JSONObject()
    if let invalidatedAt { object["__invalidated_at"] = .number(JSONNumber(invalidatedAt)) }
    object["__id"] = .string(id)
    object["__typename"] = .string(typeName)
    for (key, value) in fields { object[key] = value.dump }
    if !errors.isEmpty {
      object["__errors"] = .object(
        JSONObject(
          errors.map { key, rest in
            let list = rest.map { rest -> JSONValue in
              ["message": "no", "path": rest.isEmpty ? [] : .array([.string(rest)])]
            }
            return (key, .array(list))
          }))
    }
    return .object(object)
  }
}

extension Model.Value {
  fileprivate var dump: JSONValue {
    switch self {
    case .scalar(let value): value
    case .link(let id): ["__ref": .string(id)]
    case .links(let ids): ["__refs": .array(ids.map { $0.map { .string($0) } ?? .null })]
    }
  }
}
