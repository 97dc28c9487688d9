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
  ///
  /// - Parameter cursor: The edge's cursor; `nil` leaves it null. A fragment that selects `cursor: String!` reads
  ///   an edge without one as null. Other fields that fragments select of the edge are set with `setValue`.
  public func createEdge(to node: RecordProxy, type: String, cursor: String? = nil) throws
    -> RecordProxy
  {
    let edge = try records.makeEdge(
      to: try index(of: node), type: type, cursor: cursor, for: index)
    return RecordProxy(session: records.session, index: edge)
  }

  /// Puts an edge behind the one with a cursor; without one, or where none has it, at the end.
  ///
  /// Where the list has an edge to its node already, that stays where it is, and nothing is inserted; to move it,
  /// take it out with ``deleteNode(_:)`` first.
  ///
  /// - Complexity: O(*n*) in the edges of the list.
  public func insertEdgeAfter(_ edge: RecordProxy, cursor: String? = nil) throws {
    try insert(edge, .after, cursor)
  }

  /// Puts an edge before the one with a cursor, as ``insertEdgeAfter(_:cursor:)`` does behind it; without one, or
  /// where none has it, at the start.
  public func insertEdgeBefore(_ edge: RecordProxy, cursor: String? = nil) throws {
    try insert(edge, .before, cursor)
  }

  private func insert(
    _ edge: RecordProxy, _ place: ConnectionRecords.Place, _ cursor: String?
  ) throws {
    let edge = try index(of: edge)
    if let node = try records.node(of: edge), try records.has(node, in: index) { return }
    try records.insert(edge, place, cursor: cursor.map(FieldValue.string), in: index)
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
