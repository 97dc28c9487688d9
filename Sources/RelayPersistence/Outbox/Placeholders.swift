import RelayStore

/// The client-made ids of objects that the server does not know yet.
///
/// A placeholder is an id from ``ClientID/unique()`` in an optimistic response. The server's id is
/// at the same path in the response.
struct Placeholders {
  /// The server's id for each placeholder.
  var ids: [String: String] = [:]

  var isEmpty: Bool { ids.isEmpty }

  /// Creates an empty collection.
  init() {}

  /// Whether a string is a client-made id.
  static func isPlaceholder(_ text: String) -> Bool {
    text.utf8.starts(with: "client:local:".utf8) && text.utf8.contains(UInt8(ascii: "-"))
  }

  /// Compares an entry's optimistic response with its response.
  init(of record: OutboxRecord) {
    self.init()
    guard let optimistic = record.optimisticResponse, let body = record.response,
      let data = (try? JSONValue(parsing: body))?["data"]
    else { return }
    self = Placeholders(in: optimistic, replacedIn: data)
  }

  /// Compares an optimistic response with the server's response.
  init(in optimistic: JSONValue, replacedIn response: JSONValue) {
    var pending = [(optimistic, response)]
    while let (optimistic, response) = pending.popLast() {
      switch (optimistic, response) {
      case (.string(let placeholder), .string(let id)):
        if Self.isPlaceholder(placeholder), placeholder != id { ids[placeholder] = id }
      case (.object(let object), .object(let other)):
        for member in object.members {
          if let value = other[member.key] { pending.append((member.value, value)) }
        }
      case (.array(let values), .array(let others)): pending += zip(values, others)
      default: break
      }
    }
  }

  /// Returns a value with placeholders replaced by the server's ids.
  func replacing(in value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): ids[text].map(JSONValue.string) ?? value
    case .array(let values): .array(values.map { replacing(in: $0) })
    case .object(let object): .object(replacing(in: object))
    default: value
    }
  }

  func replacing(in object: JSONObject) -> JSONObject {
    JSONObject(object.members.map { ($0.key, replacing(in: $0.value)) })
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
  /// Calls a closure with this value and all values in it.
  private func forEachValue(_ body: (JSONValue) -> Void) {
    var pending = [self]
    while let value = pending.popLast() {
      body(value)
      switch value {
      case .array(let values): pending += values
      case .object(let object): pending += object.members.map(\.value)
      default: break
      }
    }
  }

  /// The values of all members named `id`.
  var ids: Set<String> {
    var ids: Set<String> = []
    forEachValue { if case .string(let id)? = $0["id"], !id.isEmpty { ids.insert(id) } }
    return ids
  }

  /// All strings in the value that are not keys of objects.
  var strings: Set<String> {
    var strings: Set<String> = []
    forEachValue { if case .string(let text) = $0 { strings.insert(text) } }
    return strings
  }
}
