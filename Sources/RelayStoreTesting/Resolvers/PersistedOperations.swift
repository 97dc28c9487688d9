import RelayStore

/// The documents of persisted operations by id, from a manifest written by relay-compiler.
struct PersistedOperations: Sendable {
  private let texts: [String: String]

  /// Parses a manifest: `{"id": "text"}`, or Apollo's format, `{"operations": [{"id": …, "body":
  /// …}]}`.
  ///
  /// - Throws: ``SchemaServerFailure`` if it is neither.
  init(manifest: String) throws {
    let json = try? JSONValue(parsing: Array(manifest.utf8))
    let members: [(id: JSONValue?, text: JSONValue?)]? =
      if let operations = json?.object?["operations"]?.array {
        operations.map { ($0["id"], $0["body"]) }
      } else {
        json?.object?.members.map { (.string($0.key), $0.value) }
      }
    let pairs = members?.compactMap { id, text -> (String, String)? in
      if let id = id?.string, let text = text?.string { (id, text) } else { nil }
    }
    guard let pairs, pairs.count == members?.count else {
      throw SchemaServerFailure(problems: [
        "The manifest of persisted operations is not one that \"relay-compiler operations\" writes."
      ])
    }
    texts = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the document with an id; `nil` if it is not in the manifest.
  subscript(id: String) -> String? { texts[id] }
}
