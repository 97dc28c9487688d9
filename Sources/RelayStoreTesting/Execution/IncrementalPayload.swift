import GraphQLLanguage
import RelayStore

/// A payload after the first one, with the results of one part.
struct IncrementalPayload {
  /// The results of one part in a payload.
  struct Entry {
    let label: String?
    /// The path of the object, or of the item.
    let path: ResponsePath
    /// The fragment's data, or the item; `nil` if it failed.
    let data: JSONValue?
    let errors: [ExecutionError]
    let isItem: Bool
    /// The id of the part, and the path of the object relative to the part's path.
    var target = (id: 0, subPath: ResponsePath())
  }

  var entries: [Entry] = []
  /// The complete parts, with the errors of failed ones.
  var completed: [(id: Int, errors: [ExecutionError]?)] = []
  var opened: [(part: IncrementalGraph.Part, id: Int)] = []
  var hasNext = true

  /// Returns the payload as JSON.
  func json(in format: IncrementalFormat, _ workspace: Workspace) -> JSONValue {
    let entries = entries.map { $0.json(in: format, workspace) }
    var payload = JSONObject()
    switch format {
    case .none, .payloads2020: payload = entries.first ?? [:]
    case .payloads2022, .payloads2023:
      let is2023 = format == .payloads2023
      if is2023, !opened.isEmpty { payload["pending"] = Self.json(opened) }
      if !entries.isEmpty { payload["incremental"] = .array(entries.map(JSONValue.object)) }
      if is2023, !completed.isEmpty {
        payload["completed"] = .array(
          completed.map { id, errors in
            var object: JSONObject = ["id": .string("\(id)")]
            object["errors"] = errors?.json(in: workspace)
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
        object["label"] = label.map { .string($0) }
        return .object(object)
      })
  }
}

extension IncrementalPayload.Entry {
  fileprivate func json(in format: IncrementalFormat, _ workspace: Workspace) -> JSONObject {
    var object = JSONObject()
    if format == .payloads2023 {
      object["id"] = .string("\(target.id)")
      if !target.subPath.components.isEmpty { object["subPath"] = target.subPath.json }
    } else {
      object["label"] = label.map { .string($0) }
      object["path"] = path.json
    }
    if isItem, format != .payloads2020 {
      object["items"] = data.map { [$0] } ?? .null
    } else {
      object["data"] = data ?? .null
    }
    if !errors.isEmpty { object["errors"] = errors.json(in: workspace) }
    return object
  }
}
