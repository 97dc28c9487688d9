import RelayStore

/// The ids in an optimistic response that the server's response replaces: its id is at the same
/// path.
extension ServerIDs {
  /// Compares an entry's optimistic response with its response.
  init(of record: OutboxRecord) {
    self.init()
    guard let optimistic = record.optimisticResponse, let body = record.response,
      let data = (try? JSONValue(parsing: body))?["data"]
    else { return }
    self = ServerIDs(in: optimistic, replacedIn: data)
  }

  /// Compares an optimistic response with the server's response.
  init(in optimistic: JSONValue, replacedIn response: JSONValue) {
    self.init()
    var pending = [(optimistic, response)]
    while let (optimistic, response) = pending.popLast() {
      switch (optimistic, response) {
      case (.string(let placeholder), .string(let id)):
        add(id, for: placeholder)
      case (.object(let object), .object(let other)):
        for member in object.members {
          if let value = other[member.key] { pending.append((member.value, value)) }
        }
      case (.array(let values), .array(let others)): pending += zip(values, others)
      default: break
      }
    }
  }

  /// Replaces the placeholders of an entry.
  ///
  /// - Returns: Whether it had any.
  func replace(in record: inout OutboxRecord) -> Bool {
    let variables = replacing(in: record.variables)
    let response = record.optimisticResponse.map { replacing(in: $0) }
    if variables == record.variables, response == record.optimisticResponse { return false }
    record.variables = variables
    record.optimisticResponse = response
    record.ids = Set(record.ids.flatMap { id in [id] + (ids[id].map { [$0] } ?? []) })
    return true
  }
}

extension JSONValue {
  /// The values of all members named `id`.
  var ids: Set<String> {
    var ids: Set<String> = []
    forEachValue { if case .string(let id)? = $0["id"], !id.isEmpty { ids.insert(id) } }
    return ids
  }
}
