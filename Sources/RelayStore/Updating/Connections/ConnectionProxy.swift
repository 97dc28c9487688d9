/// One connection of the store, as an updater reads and writes it: the list into which
/// `@connection` merges the server's pages.
///
///     try environment.commitUpdate { store in
///       let friends = try store[DataID(user.id)]?.getConnection("Feed_friends")
///       if let friends, let node = try store["4"] {
///         try friends.insertEdgeAfter(friends.createEdge(to: node, type: "FriendsEdge"))
///       }
///     }
public struct ConnectionProxy {
  private let records: ConnectionRecords
  private let index: RecordIndex
  /// The connection's own record.
  public let record: RecordProxy

  init(_ record: RecordProxy) throws {
    records = try ConnectionRecords(record.session)
    index = record.index
    self.record = record
  }

  /// Creates an edge to a node, or returns the edge created earlier. Does not insert it into the
  /// list.
  ///
  /// - Parameters:
  ///   - node: The object of the edge's `node`.
  ///   - type: The name of the edge's object type, such as `FriendsEdge`.
  ///   - cursor: The edge's cursor; `nil` leaves it null. A fragment that selects `cursor: String!`
  ///     reads an edge without a cursor as null. Set other fields of the edge with `setValue`.
  public func createEdge(to node: RecordProxy, type: String, cursor: String? = nil) throws
    -> RecordProxy
  {
    let edge = try records.makeEdge(
      to: try record.link(node), type: type, cursor: cursor, for: index)
    return RecordProxy(session: records.session, index: edge)
  }

  /// Inserts an edge after the edge with a cursor; at the end if `cursor` is `nil` or no edge has
  /// it.
  ///
  /// Does not insert a second edge to the same node. To move an edge, remove it with
  /// ``deleteNode(_:)`` first.
  ///
  /// - Complexity: O(*n*) in the edges of the list.
  public func insertEdgeAfter(_ edge: RecordProxy, cursor: String? = nil) throws {
    try insert(edge, on: .after, cursor: cursor)
  }

  /// Inserts an edge before the edge with a cursor; at the start if `cursor` is `nil` or no edge
  /// has it. See ``insertEdgeAfter(_:cursor:)``.
  public func insertEdgeBefore(_ edge: RecordProxy, cursor: String? = nil) throws {
    try insert(edge, on: .before, cursor: cursor)
  }

  private func insert(
    _ edge: RecordProxy, on side: ConnectionRecords.InsertionSide, cursor: String?
  ) throws {
    let edge = try record.link(edge)
    if let node = try records.node(of: edge), try records.has(node, in: index) { return }
    try records.insert(edge, on: side, cursor: cursor.map(FieldValue.string), in: index)
  }

  /// Removes the edges to a node from the list.
  public func deleteNode(_ id: DataID) throws {
    try records.remove(records.session.index(of: id), from: index)
  }
}

extension RecordProxy {
  /// Returns the connection with a key on this record; `nil` if none of its pages was fetched.
  ///
  /// - Parameters:
  ///   - key: The key of its `@connection`, for example `TodoList_todos`.
  ///   - filters: The values of the connection's filter arguments.
  public func getConnection(_ key: String, filters: JSONObject = [:]) throws -> ConnectionProxy? {
    try getLinkedRecord("__\(key)_connection", arguments: filters).map(ConnectionProxy.init)
  }
}

extension DataID {
  /// Returns the id of the connection with a key on a record, for the `connections:` argument of
  /// `@appendEdge` and similar directives.
  ///
  /// - Parameters:
  ///   - key: The key of its `@connection`, for example `TodoList_todos`.
  ///   - parent: The id of the record that has the connection.
  ///   - filters: The values of the connection's filter arguments.
  public static func connection(
    _ key: String, of parent: DataID, filters: JSONObject = [:]
  ) -> DataID {
    parent.child(storageKey: StorageKey.text(name: "__\(key)_connection", arguments: filters))
  }
}
