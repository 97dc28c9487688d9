/// One connection of the store, as an updater reads and writes it: the list that `@connection`
/// merges from the pages a server sends.
///
///     try environment.commitUpdate { store in
///       let friends = try store[user.id]?.getConnection("Feed_friends")
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

  /// Makes an edge to a node, or finds the one that was made before; it is not in the list yet.
  public func createEdge(to node: RecordProxy, type: String) throws -> RecordProxy {
    let edge = try records.makeEdge(to: try index(of: node), type: type, for: index)
    return RecordProxy(session: records.session, index: edge)
  }

  /// Puts an edge behind the one with a cursor; without one, or where none has it, at the end.
  public func insertEdgeAfter(_ edge: RecordProxy, cursor: String? = nil) throws {
    try records.insert(
      try index(of: edge), .after, cursor: cursor.map(FieldValue.string), in: index)
  }

  /// Puts an edge before the one with a cursor; without one, or where none has it, at the start.
  public func insertEdgeBefore(_ edge: RecordProxy, cursor: String? = nil) throws {
    try records.insert(
      try index(of: edge), .before, cursor: cursor.map(FieldValue.string), in: index)
  }

  /// Takes the edges to a node out of the list.
  public func deleteNode(_ id: DataID) throws {
    try records.remove(records.session.index(of: id), from: index)
  }

  private func index(of record: RecordProxy) throws -> RecordIndex {
    guard record.session === records.session else {
      throw RelayError(.update, "Record \"\(record.id)\" is a proxy of another updater.")
    }
    return record.index
  }
}

extension RecordProxy {
  /// The connection with a key on this record; `nil` where no page of it was fetched.
  ///
  /// - Parameter filters: The values of the arguments that tell its connections apart.
  public func getConnection(_ key: String, filters: JSONObject = [:]) throws -> ConnectionProxy? {
    try getLinkedRecord("__\(key)_connection", arguments: filters).map(ConnectionProxy.init)
  }
}

extension DataID {
  /// The record of the connection with a key on a record, as `connections:` of `@appendEdge` and
  /// its like takes it.
  ///
  /// - Parameter filters: The values of the arguments that tell its connections apart.
  public static func connection(
    _ key: String, of parent: DataID, filters: JSONObject = [:]
  ) -> DataID {
    parent.child(storageKey: StorageKey.text(name: "__\(key)_connection", arguments: filters))
  }
}
