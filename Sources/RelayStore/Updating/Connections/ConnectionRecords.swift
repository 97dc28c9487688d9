/// The records of connections, by the numbers that an updater's session gives them.
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

  /// The record that a field links to; `nil` for null and for a deleted record.
  func link(_ key: FieldKey, of index: RecordIndex) throws -> RecordIndex? {
    guard case .link(let link)? = try session.record(index)[key] else { return nil }
    return try session.record(link).state == .deleted ? nil : link
  }

  /// The edges of a connection, ``RecordIndex/none`` for a null among them; `nil` where it has no
  /// list.
  func edges(of connection: RecordIndex) throws -> [RecordIndex]? {
    switch try session.record(connection)[edges] {
    case .links(let links)?: links
    case .list(let values)? where values.isEmpty: []
    default: nil
    }
  }

  /// The node of an edge.
  func node(of edge: RecordIndex) throws -> RecordIndex? {
    edge == .none ? nil : try link(node, of: edge)
  }

  /// Whether a connection has an edge to a node, which is not deleted.
  func has(_ node: RecordIndex, in connection: RecordIndex) throws -> Bool {
    guard let list = try edges(of: connection) else { return false }
    if let known = session.takeNodes(of: connection, edges: list) {
      defer { keep(known, of: connection) }
      return known.nodes[node] != nil
    }
    return try list.contains { try self.node(of: $0) == node }
  }

  /// Keeps what is known of a connection's list, with an edge that may be new to it.
  private func keep(
    _ list: ConnectionEdgeIndex.List, with edge: RecordIndex = .none, of connection: RecordIndex
  ) {
    session.keepNodes(list, new: [edge], of: connection, key: node)
  }

  // MARK: Making edges

  /// A connection's own copies of a server's edges.
  ///
  /// - Parameter known: Copies from before, each of which is written again in place of a new one where it leads to the
  ///   node of an edge; no two of the edges may lead to one node then.
  func copies(
    _ edges: [RecordIndex], for connection: RecordIndex,
    reusing known: ArraySlice<RecordIndex> = []
  ) throws -> [RecordIndex] {
    let old = try byNode(known)
    var next = try firstFreeIndex(of: connection, for: edges.count)
    let id = session.id(of: connection)
    let copies = try edges.map { edge -> RecordIndex in
      if edge == .none { return .none }
      let typeName = try session.record(edge).typeName
      if !old.isEmpty, let node = try node(of: edge), let known = old[node],
        try session.record(known).typeName == typeName
      {
        try session.copyFields(from: edge, to: known)
        return known
      }
      let copy = try session.make(
        id.child(storageKey: "edges", positions: [next]), typeName: typeName)
      try session.copyFields(from: edge, to: copy)
      if try session.record(copy)[cursor] == nil { try session.set(.null, cursor, of: copy) }
      next += 1
      return copy
    }
    try session.set(.int(next), nextEdgeIndex, of: connection)
    return copies
  }

  /// The number of a connection's next edge: its counter's.
  ///
  /// A dump or an updater can set the counter to anything, or take it away. Where it does not count, or has no room for as many edges as
  /// come, the numbers begin anew behind those of the edges that the list has.
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

  /// Edges by the nodes that they lead to; of two to one node the first.
  private func byNode(_ edges: ArraySlice<RecordIndex>) throws -> [RecordIndex: RecordIndex] {
    var found: [RecordIndex: RecordIndex] = [:]
    for edge in edges where edge != .none {
      guard try session.record(edge).state == .present, let node = try node(of: edge) else {
        continue
      }
      if found[node] == nil { found[node] = edge }
    }
    return found
  }

  /// An edge to a node that no server has sent.
  ///
  /// - Parameter cursor: `nil` leaves what it has.
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

  // MARK: Placing edges

  /// Where an edge goes.
  enum Place {
    case after, before
  }

  /// Puts an edge beside the one with a cursor, or at the end of the list, which has none to its node.
  func insert(
    _ edge: RecordIndex, _ place: Place, cursor: FieldValue? = nil, in connection: RecordIndex
  ) throws {
    var list = try edges(of: connection) ?? []
    let found = try cursor.flatMap { cursor in
      try list.firstIndex {
        try $0 != .none && session.record($0)[self.cursor] == cursor
      }
    }
    let position =
      switch place {
      case .after: found.map { $0 + 1 } ?? list.endIndex
      case .before: found ?? 0
      }
    guard var known = session.takeNodes(of: connection, edges: list) else {
      list.insert(edge, at: position)
      return try session.set(.links(list), edges, of: connection)
    }
    // One list for both, which is seen to be the same at once.
    known.insert(edge, to: try node(of: edge), at: position)
    try session.set(.links(known.edges), edges, of: connection)
    keep(known, with: edge, of: connection)
  }

  /// Takes the edges to a node out of a connection.
  func remove(_ node: RecordIndex, from connection: RecordIndex) throws {
    guard let list = try edges(of: connection) else { return }
    // The edge to a node that is deleted may be unknown.
    if try session.record(node).state != .deleted,
      var known = session.takeNodes(of: connection, edges: list)
    {
      let isChanged = known.remove(node)
      if isChanged { try session.set(.links(known.edges), edges, of: connection) }
      return keep(known, of: connection)
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
