import RelayStore
import RelayStoreTesting

/// List pagination as in Relay's cursor connections specification.
enum Connection {
  private static let prefix = "arrayconnection"

  /// Returns the page selected by a field's arguments `first`, `after`, `last` and `before`.
  ///
  /// - Throws: ``GraphQLError`` for a negative number or an invalid cursor.
  static func page(of nodes: [JSONValue], for call: FieldCall) throws -> JSONValue {
    let first: Int? = try call.argument("first")
    let last: Int? = try call.argument("last")
    for (name, value) in [("first", first), ("last", last)] where (value ?? 0) < 0 {
      throw GraphQLError(message: "Argument '\(name)' must be a non-negative integer.")
    }
    var start = try position(call, "after").map { $0 + 1 } ?? 0
    var end = try position(call, "before") ?? nodes.count
    if let first { end = min(end, start + min(first, nodes.count)) }
    if let last { start = max(start, min(end, nodes.count) - last) }
    let range =
      min(max(0, start), nodes.count)..<max(min(max(0, start), nodes.count), min(end, nodes.count))
    let edges = range.map { edge(to: nodes[$0], at: $0) }
    return [
      "edges": .array(edges),
      "pageInfo": [
        "hasNextPage": .bool(range.upperBound < nodes.count && end < nodes.count),
        "hasPreviousPage": .bool(start > 0),
        "startCursor": edges.first?["cursor"] ?? nil,
        "endCursor": edges.last?["cursor"] ?? nil,
      ],
    ]
  }

  /// Returns the edge to `node` at `position` in the full list.
  static func edge(to node: JSONValue, at position: Int) -> JSONValue {
    ["cursor": .string(Base64.text(prefix, String(position))), "node": node]
  }

  private static func position(_ call: FieldCall, _ name: String) throws -> Int? {
    guard let cursor: String = try call.argument(name), !cursor.isEmpty else { return nil }
    guard let (kind, digits) = Base64.pair(in: cursor), kind == prefix, let position = Int(digits),
      (0..<Int(Int32.max)).contains(position)
    else {
      throw GraphQLError(message: "Argument '\(name)' contains a non-existing value.")
    }
    return position
  }
}
