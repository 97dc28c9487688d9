import RelayStore

/// A payload after the first one, with the results of one part.
struct IncrementalPayload {
  /// What a payload delivers of one part.
  struct Entry {
    let label: String?
    /// The path of the object, or of the item.
    let path: ResponsePath
    /// The fragment's data, or the item; `nil` when it could not be executed.
    let data: JSONValue?
    let errors: [ExecutionError]
    let isItem: Bool
    /// The id of the part, and the path of the object below that of the part.
    var target = (id: 0, subPath: ResponsePath())
  }

  var entries: [Entry] = []
  /// The parts that are complete, with the errors of those that could not be executed.
  var completed: [(id: Int, errors: [ExecutionError]?)] = []
  var opened: [(part: IncrementalGraph.Part, id: Int)] = []
  var hasNext = true

  /// Returns the payload as JSON.
  ///
  /// - Parameter json: Converts an error.
  func json(
    in format: IncrementalFormat, errors json: (ExecutionError) -> JSONValue
  ) -> JSONValue {
    func list(_ errors: [ExecutionError]) -> JSONValue { .array(errors.map(json)) }
    var payload = JSONObject()
    switch format {
    case .none, .payloads2020:
      if let entry = entries.first { payload = entry.json2020(errors: list) }
    case .payloads2022:
      if !entries.isEmpty {
        payload["incremental"] = .array(entries.map { .object($0.json2022(errors: list)) })
      }
    case .payloads2023:
      if !opened.isEmpty { payload["pending"] = Self.json(opened) }
      if !entries.isEmpty {
        payload["incremental"] = .array(entries.map { .object($0.json2023(errors: list)) })
      }
      if !completed.isEmpty {
        payload["completed"] = .array(
          completed.map { part in
            var object: JSONObject = ["id": .string("\(part.id)")]
            if let errors = part.errors { object["errors"] = list(errors) }
            return .object(object)
          })
      }
    }
    payload["hasNext"] = .bool(hasNext)
    return .object(payload)
  }

  /// Returns the value of `pending`.
  static func json(_ opened: [(part: IncrementalGraph.Part, id: Int)]) -> JSONValue {
    .array(
      opened.map { part, id in
        let (path, label) =
          switch part {
          case .fragment(let fragment): (fragment.path, fragment.label)
          case .list(let list): (list.path, list.label)
          }
        var object: JSONObject = ["id": .string("\(id)"), "path": path.json]
        if let label { object["label"] = .string(label) }
        return .object(object)
      })
  }
}

extension IncrementalPayload.Entry {
  fileprivate func json2020(errors list: ([ExecutionError]) -> JSONValue) -> JSONObject {
    var object = labelled()
    object["data"] = data ?? .null
    if !errors.isEmpty { object["errors"] = list(errors) }
    return object
  }

  fileprivate func json2022(errors list: ([ExecutionError]) -> JSONValue) -> JSONObject {
    var object = labelled()
    if isItem {
      object["items"] = data.map { [$0] } ?? .null
    } else {
      object["data"] = data ?? .null
    }
    if !errors.isEmpty { object["errors"] = list(errors) }
    return object
  }

  fileprivate func json2023(errors list: ([ExecutionError]) -> JSONValue) -> JSONObject {
    var object: JSONObject = ["id": .string("\(target.id)")]
    if !target.subPath.components.isEmpty { object["subPath"] = target.subPath.json }
    if isItem {
      object["items"] = [data ?? .null]
    } else {
      object["data"] = data ?? .null
    }
    if !errors.isEmpty { object["errors"] = list(errors) }
    return object
  }

  private func labelled() -> JSONObject {
    var object = JSONObject()
    if let label { object["label"] = .string(label) }
    object["path"] = path.json
    return object
  }
}
