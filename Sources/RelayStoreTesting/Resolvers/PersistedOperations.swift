import RelayStore

/// The documents of persisted operations by their ids, from a manifest that relay-compiler wrote.
struct PersistedOperations: Sendable {
  private let texts: [String: String]

  /// Reads a manifest: `{"id": "text"}`, or Apollo's format,
  /// `{"operations": [{"id": …, "body": …}]}`.
  ///
  /// - Throws: ``SchemaServerFailure`` when it is neither.
  init(manifest: String) throws {
    let json = try? JSONValue(parsing: Array(manifest.utf8))
    let pairs: [(String, String)?]? =
      if let operations = json?.object?["operations"]?.array {
        operations.map { operation in
          guard let id = operation["id"]?.string, let body = operation["body"]?.string else {
            return nil
          }
          return (id, body)
        }
      } else {
        json?.object?.members.map { member in member.value.string.map { (member.key, $0) } }
      }
    guard let pairs, !pairs.contains(where: { $0 == nil }) else {
      throw SchemaServerFailure(problems: [
        "The manifest of persisted operations is not one that \"relay-compiler operations\" writes."
      ])
    }
    texts = Dictionary(pairs.compactMap { $0 }, uniquingKeysWith: { first, _ in first })
  }

  /// The document with an id; `nil` if the manifest has none.
  subscript(id: String) -> String? { texts[id] }
}
