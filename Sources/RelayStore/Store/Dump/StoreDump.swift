/// A printer of records as JSON in relay-runtime's shape.
struct StoreDump {
  let source: LayeredSource
  let layer: RecordStore.Layer

  var text: String {
    var writer = JSONWriter()
    writer.raw("{")
    let ids = source.allIDs.sorted(byBytes: \.id.rawValue)
    var isFirst = true
    for (index, id) in ids {
      let record = layer == .base ? source[base: index] : source[index]
      if record.state == .unknown { continue }
      writer.raw(isFirst ? "\n  " : ",\n  ")
      isFirst = false
      writer.key(id.rawValue)
      write(record, id: id, index: index, to: &writer)
    }
    writer.raw(isFirst ? "}" : "\n}")
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func write(
    _ record: Record, id: DataID, index: RecordIndex, to writer: inout JSONWriter
  ) {
    guard record.state == .present else { return writer.raw("null") }
    var fields: [(key: String, value: FieldValue)] = [("__id", .string(id.rawValue))]
    if let typeName = record.typeName { fields.append(("__typename", .string(typeName))) }
    fields += zip(record.keys, record.values).map { (source.keys.text(of: $0), $1) }
    if let epoch = source.observers.invalidations[index] {
      fields.append(("__invalidated_at", .int(Int(clamping: epoch))))
    }
    if !record.errors.isEmpty { fields.append(("__errors", errors(record))) }
    fields = fields.sorted(byBytes: \.key)
    writer.raw("{")
    for (position, field) in fields.enumerated() {
      if position > 0 { writer.raw(",") }
      writer.key(field.key)
      write(field.value, to: &writer)
    }
    writer.raw("}")
  }

  private func errors(_ record: Record) -> FieldValue {
    let members = record.errors.map { key, errors in
      let list = errors.map { ["message": .string($0.message), "path": $0.path.json] as JSONValue }
      return (source.keys.text(of: key), JSONValue.array(list))
    }
    return .object(JSONObject(members.sorted(byBytes: \.0)))
  }

  private func write(_ value: FieldValue, to writer: inout JSONWriter) {
    switch value {
    case .link(let index):
      writer.raw("{\"__ref\":")
      writer.string(name(index))
      writer.raw("}")
    case .links(let indexes):
      writer.raw("{\"__refs\":")
      writer.list(indexes) { writer, index in
        if index == .none { writer.raw("null") } else { writer.string(name(index)) }
      }
      writer.raw("}")
    case .list(let values): writer.list(values) { write($1, to: &$0) }
    case .array(let values):
      writer.raw("{\"__json\":")
      writer.write(.array(values))
      writer.raw("}")
    case .object(let object) where ["__ref", "__refs", "__json"].contains { object[$0] != nil }:
      writer.raw("{\"__json\":")
      writer.write(object)
      writer.raw("}")
    default: writer.write(value.json ?? .null)
    }
  }

  private func name(_ index: RecordIndex) -> String {
    source.id(of: index)?.rawValue ?? ""
  }
}
