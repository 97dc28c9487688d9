/// The records of connections, as an updater's session reads and writes them.
struct ConnectionRecords {
  let session: UpdateSession
  let edges: FieldKey
  let node: FieldKey
  let cursor: FieldKey
  let pageInfo: FieldKey
  let startCursor: FieldKey
  let endCursor: FieldKey
  let hasNextPage: FieldKey
  let hasPreviousPage: FieldKey
  private let nextEdgeIndex: FieldKey

  init(_ session: UpdateSession) throws {
    self.session = session
    edges = try session.key("edges", [:])
    node = try session.key("node", [:])
    cursor = try session.key("cursor", [:])
    pageInfo = try session.key("pageInfo", [:])
    startCursor = try session.key("startCursor", [:])
    endCursor = try session.key("endCursor", [:])
    hasNextPage = try session.key("hasNextPage", [:])
    hasPreviousPage = try session.key("hasPreviousPage", [:])
    nextEdgeIndex = try session.key("__connection_next_edge_index", [:])
  }

  // MARK: Reading

  /// Returns the record that a field links to; `nil` for null and for a deleted record.
  // Not inlined: its code is long, and every function of a connection calls it.
  @inline(never)
  func link(_ key: FieldKey, of index: RecordIndex) throws -> RecordIndex? {
    guard case .link(let link)? = try session.record(index)[key] else { return nil }
    return try session.record(link).state == .deleted ? nil : link
  }

  /// Returns the edges of a connection, with ``RecordIndex/none`` for null; `nil` if it has no
  /// list.
  func edges(of connection: RecordIndex) throws -> [RecordIndex]? {
    switch try session.record(connection)[edges] {
    case .links(let links)?: links
    case .list(let values)? where values.isEmpty: []
    default: nil
    }
  }

  /// Returns the node of an edge.
  func node(of edge: RecordIndex) throws -> RecordIndex? {
    edge == .none ? nil : try link(node, of: edge)
  }

  /// Returns whether a connection has an edge to a node that is not deleted.
  func has(_ node: RecordIndex, in connection: RecordIndex) throws -> Bool {
    guard let list = try edges(of: connection) else { return false }
    if let indexed = session.removeEdgeList(of: connection, edges: list) {
      defer { store(indexed, of: connection) }
      return indexed.nodes[node] != nil
    }
    return try list.contains { try self.node(of: $0) == node }
  }

  /// Stores the index of a connection's list, with an edge that may be new to it.
  private func store(
    _ list: ConnectionEdgeIndex.List, with edge: RecordIndex = .none, of connection: RecordIndex
  ) {
    session.setEdgeList(list, newEdges: [edge], of: connection, key: node)
  }

  // MARK: Creating edges

  /// Returns a connection's own copies of a server's edges.
  ///
  /// - Parameter existing: For each edge, the copy to overwrite instead of creating a new one; see
  ///   ``matches(of:in:isPart:onFirstPage:)``.
  func copies(
    _ edges: [RecordIndex], for connection: RecordIndex, reusing existing: [RecordIndex?] = []
  ) throws -> [RecordIndex] {
    var next = try firstFreeIndex(of: connection, for: edges.count)
    let id = session.id(of: connection)
    var copies: [RecordIndex] = []
    copies.reserveCapacity(edges.count)
    for (position, edge) in edges.enumerated() {
      if edge == .none {
        copies.append(.none)
        continue
      }
      let typeName = try session.record(edge).typeName
      if position < existing.count, let copy = existing[position],
        try session.record(copy).typeName == typeName
      {
        try session.copyFields(from: edge, to: copy)
        copies.append(copy)
        continue
      }
      let copy = try session.make(
        id.child(storageKey: "edges", positions: [next]), typeName: typeName)
      try session.copyFields(from: edge, to: copy)
      if try session.record(copy)[cursor] == nil { try session.set(.null, cursor, of: copy) }
      next += 1
      copies.append(copy)
    }
    try session.set(.int(next), nextEdgeIndex, of: connection)
    return copies
  }

  /// Returns, for each edge, its existing copy in a list: the copy that links to the same node.
  ///
  /// - Parameters:
  ///   - isPart: Whether the copies may be older than the part that delivered the edges' nodes. A
  ///     copy without a node then also matches an edge with the same cursor.
  ///   - onFirstPage: Whether the edges belong to the first page. Otherwise a copy with neither a
  ///     node nor a cursor may belong to another page, and matches no edge.
  /// - Precondition: No two edges link to the same node.
  func matches(
    of edges: [RecordIndex], in list: some Collection<RecordIndex>, isPart: Bool,
    onFirstPage: Bool = true
  ) throws -> [RecordIndex?] {
    if list.isEmpty { return [] }
    let copies = try byNode(list)
    var found = try edges.map { edge in
      try copies.isEmpty ? nil : node(of: edge).flatMap { copies[$0] }
    }
    if !isPart { return found }
    // The copies by cursor, the last copy first.
    var withoutNode: [ByteString?: [RecordIndex]] = [:]
    for copy in list.reversed() where try isWithoutNode(copy) {
      withoutNode[try cursorText(of: copy), default: []].append(copy)
    }
    if !onFirstPage { withoutNode[nil] = nil }
    if withoutNode.isEmpty { return found }
    for (position, edge) in edges.enumerated() where found[position] == nil && edge != .none {
      found[position] = withoutNode[try cursorText(of: edge)]?.popLast()
    }
    return found
  }

  private func cursorText(of edge: RecordIndex) throws -> ByteString? {
    if case .string(let text)? = try session.record(edge)[cursor] { ByteString(text) } else { nil }
  }

  /// Returns whether an edge has no node.
  func isWithoutNode(_ edge: RecordIndex) throws -> Bool {
    guard edge != .none else { return false }
    return try session.record(edge).state == .present && node(of: edge) == nil
  }

  /// Returns the index of a connection's next edge, from the connection's counter.
  ///
  /// A dump or an updater can set the counter to any value, or remove it. If the counter is not a
  /// valid count, or cannot fit `count` more edges, the index continues from the highest index in
  /// the list.
  private func firstFreeIndex(of connection: RecordIndex, for count: Int) throws -> Int {
    let counter = try session.record(connection)[nextEdgeIndex]
    if case .int(let next)? = counter, next >= 0, next < Int.max - count { return next }
    let prefix = session.id(of: connection).child(storageKey: "edges", positions: []).rawValue + ":"
    let used = try (edges(of: connection) ?? []).compactMap { edge -> Int? in
      let id = edge == .none ? "" : session.id(of: edge).rawValue
      guard id.utf8.starts(with: prefix.utf8) else { return nil }
      return Int(String(decoding: id.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
    }
    return (used.filter { $0 >= 0 && $0 < Int.max - count }.max() ?? -1) + 1
  }

  /// Returns edges by their node. The first of several edges to one node wins.
  private func byNode(
    _ edges: some Collection<RecordIndex>
  ) throws -> [RecordIndex: RecordIndex] {
    var found: [RecordIndex: RecordIndex] = [:]
    for edge in edges where edge != .none {
      guard try session.record(edge).state == .present, let node = try node(of: edge) else {
        continue
      }
      if found[node] == nil { found[node] = edge }
    }
    return found
  }

  /// Returns the client's own edge to a node, creating it if necessary.
  ///
  /// - Parameter cursor: The edge's cursor; `nil` does not change it.
  func makeEdge(
    to node: RecordIndex, type: String, cursor value: String? = nil, for connection: RecordIndex
  ) throws -> RecordIndex {
    let id = session.id(of: connection).child(storageKey: session.id(of: node).rawValue)
    var edge = try session.index(of: id)
    if try session.record(edge).state != .present {
      edge = try session.make(id, typeName: type)
    }
    try session.set(.link(node), self.node, of: edge)
    if let value {
      try session.set(.string(value), cursor, of: edge)
    } else if try session.record(edge)[cursor] == nil {
      try session.set(.null, cursor, of: edge)
    }
    return edge
  }

  // MARK: Inserting and removing edges

  /// The side of the insertion point.
  enum InsertionSide {
    case after, before
  }

  /// Inserts an edge next to the edge with a cursor; without such an edge, at the end (`after`) or
  /// the start (`before`).
  ///
  /// - Precondition: The list has no edge to the same node.
  func insert(
    _ edge: RecordIndex, on side: InsertionSide, cursor: FieldValue? = nil,
    in connection: RecordIndex
  ) throws {
    var list = try edges(of: connection) ?? []
    let found = try cursor.flatMap { cursor in
      try list.firstIndex {
        try $0 != .none && session.record($0)[self.cursor] == cursor
      }
    }
    let position =
      switch side {
      case .after: found.map { $0 + 1 } ?? list.endIndex
      case .before: found ?? 0
      }
    guard var indexed = session.removeEdgeList(of: connection, edges: list) else {
      list.insert(edge, at: position)
      return try session.set(.links(list), edges, of: connection)
    }
    // The record and the index share one array, so comparing them later is O(1).
    indexed.insert(edge, to: try node(of: edge), at: position)
    try session.set(.links(indexed.edges), edges, of: connection)
    store(indexed, with: edge, of: connection)
  }

  /// Removes the edges to a node from a connection.
  func remove(_ node: RecordIndex, from connection: RecordIndex) throws {
    guard let list = try edges(of: connection) else { return }
    // The index may omit edges to deleted nodes.
    if try session.record(node).state != .deleted,
      var indexed = session.removeEdgeList(of: connection, edges: list)
    {
      let isChanged = indexed.remove(node)
      if isChanged { try session.set(.links(indexed.edges), edges, of: connection) }
      return store(indexed, of: connection)
    }
    let kept = try list.filter { edge in
      guard edge != .none, case .link(let other)? = try session.record(edge)[self.node] else {
        return true
      }
      return other != node
    }
    if kept.count < list.count { try session.set(.links(kept), edges, of: connection) }
  }
}
