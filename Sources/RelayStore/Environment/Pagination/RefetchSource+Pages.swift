extension RefetchSource {
  /// Returns the key and the request of the page at an end of a list; `nil` if there are no more
  /// edges.
  ///
  /// - Parameters:
  ///   - count: The number of edges.
  ///   - ends: The ends of the list.
  ///   - info: The connection's path in the fragment, and the variables that select the page.
  ///   - target: The reference that the fragment is read from.
  func page(
    _ direction: PageDirection, _ count: Int, from ends: ConnectionEnds, _ info: ConnectionInfo,
    of target: SpreadReference, in store: RecordStore
  ) throws -> (PageKey, OperationRequest)? {
    if (direction == .next ? info.first : info.last) != nil, count < 1 {
      throw RelayError(
        .request, "A page of \(count) elements cannot be loaded; ask for at least one.",
        operationName: operation.name)
    }
    guard case .record(let id, let scope) = target, let connection = ends.id else { return nil }
    let size = JSONValue.number(JSONNumber(count))
    var values: [String: JSONValue] = [:]
    switch direction {
    case .next:
      guard ends.hasNext, let after = info.after else { return nil }
      values[after] = ends.endCursor
      if let first = info.first { values[first] = size }
    case .previous:
      guard ends.hasPrevious, let before = info.before else { return nil }
      values[before] = ends.startCursor
      if let last = info.last { values[last] = size }
    }
    let changes = [info.first, info.after, info.last, info.before].compactMap(\.self)
      .map { ($0, values[$0] ?? nothing(for: $0)) }
    let request = try request(for: id, scope, changing: changes, in: store)
    return (PageKey(connection: connection, direction: direction), request)
  }
}

extension RecordStore {
  /// Checks that a response has the requested page.
  ///
  /// - Throws: ``RelayError`` with code `graphQL` and the server's errors if the page is null.
  func requirePage(
    of connection: DataID, in response: NormalizedResponse, for request: OperationRequest
  ) throws {
    let edges = withState { $0.source.keys.intern("edges") }
    guard let payload = response.payload, !payload.hasPage(of: connection, edges: edges) else {
      return
    }
    throw request.serverError(
      response, orElse: "The server sent null for the page, and no error.")
  }
}
