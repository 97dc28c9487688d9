/// A printer of records as JSON in relay-runtime's shape.
struct StoreDump {
  let source: LayeredSource
  let layer: RecordStore.Layer

  var text: String {
    let ids = source.allIDs.sorted(byBytes: \.id.rawValue)
    let lines = ids.compactMap { index, id -> String? in
      let record = layer == .base ? source[base: index] : source[index]
      if record.state == .unknown { return nil }
      return "\n  \(JSONValue.string(id.rawValue)):\(json(record, id: id, index: index))"
    }
    return "{" + lines.joined(separator: ",") + (lines.isEmpty ? "}" : "\n}")
  }

  private func json(_ record: Record, id: DataID, index: RecordIndex) -> JSONValue {
    guard record.state == .present else { return .null }
    var fields = zip(record.keys, record.values).map { (source.keys.text(of: $0), json($1)) }
    fields.append(("__id", .string(id.rawValue)))
    if let typeName = record.typeName { fields.append(("__typename", .string(typeName))) }
    if let epoch = source.observers.invalidations[index] {
      fields.append(("__invalidated_at", .number(JSONNumber(Int(clamping: epoch)))))
    }
    if !record.errors.isEmpty { fields.append(("__errors", errors(record))) }
    return sorted(fields)
  }

  private func errors(_ record: Record) -> JSONValue {
    sorted(
      record.errors.map { key, errors in
        let list = errors.map { error -> JSONValue in
          ["message": .string(error.message), "path": error.path.json]
        }
        return (source.keys.text(of: key), .array(list))
      })
  }

  private func sorted(_ members: [(String, JSONValue)]) -> JSONValue {
    .object(JSONObject(members.sorted(byBytes: \.0)))
  }

  private func json(_ value: FieldValue) -> JSONValue {
    switch value {
    case .link(let index): ["__ref": name(index)]
    case .links(let indexes): ["__refs": .array(indexes.map { $0 == .none ? .null : name($0) })]
    case .list(let values): .array(values.map(json))
    case .array(let values): ["__json": .array(values)]
    case .object(let object) where ["__ref", "__refs", "__json"].contains { object[$0] != nil }:
      ["__json": .object(object)]
    default: value.json ?? .null
    }
  }

  private func name(_ index: RecordIndex) -> JSONValue {
    .string(source.id(of: index)?.rawValue ?? "")
  }
}
