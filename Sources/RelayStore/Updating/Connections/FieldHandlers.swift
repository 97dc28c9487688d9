/// The actions of a payload's handles: `@connection`, and the mutation directives that change
/// connections and delete records.
struct FieldHandlers {
  private let records: ConnectionRecords
  /// The keys of connections that a page did not continue.
  private(set) var unmerged: [String] = []

  init(_ session: UpdateSession) throws { records = try ConnectionRecords(session) }

  private var session: UpdateSession { records.session }

  /// Performs the action of one handle.
  ///
  /// - Parameter isPart: Whether the payload has only a part of the field.
  mutating func run(_ handle: FieldHandle, of owner: RecordIndex, isPart: Bool) throws {
    switch handle.name {
    case "connection":
      if try !ConnectionHandler(records).merge(handle, of: owner, isPart: isPart) {
        unmerged.append(handle.options["key"]?.string ?? "")
      }
    case "appendEdge": try insertEdges(on: .after, handle, of: owner)
    case "prependEdge": try insertEdges(on: .before, handle, of: owner)
    case "appendNode": try insertNodes(on: .after, handle, of: owner)
    case "prependNode": try insertNodes(on: .before, handle, of: owner)
    case "deleteEdge": try deleteEdges(handle, of: owner)
    case "deleteRecord": try deleteRecords(handle, of: owner)
    default: break
    }
  }

  // MARK: Edges and nodes

  private func insertEdges(
    on side: ConnectionRecords.InsertionSide, _ handle: FieldHandle, of owner: RecordIndex
  ) throws {
    for edge in try linked(handle, of: owner) {
      guard let node = try records.node(of: edge) else { continue }
      for connection in try connections(handle) where try !records.has(node, in: connection) {
        for copy in try records.copies([edge], for: connection) {
          try records.insert(copy, on: side, in: connection)
        }
      }
    }
  }

  private func insertNodes(
    on side: ConnectionRecords.InsertionSide, _ handle: FieldHandle, of owner: RecordIndex
  ) throws {
    guard case .string(let type)? = handle.options["edgeTypeName"] else { return }
    // The same response may have deleted the node.
    for node in try linked(handle, of: owner) where try session.record(node).state != .deleted {
      for connection in try connections(handle) where try !records.has(node, in: connection) {
        let edge = try records.makeEdge(to: node, type: type, for: connection)
        try records.insert(edge, on: side, in: connection)
      }
    }
  }

  /// Returns the records that the handle's field links to.
  private func linked(_ handle: FieldHandle, of owner: RecordIndex) throws -> [RecordIndex] {
    switch try session.record(owner)[handle.field] {
    case .link(let index)?: [index]
    case .links(let indexes)?: indexes.filter { $0 != .none }
    default: []
    }
  }

  /// Returns the handle's connections that are present.
  private func connections(_ handle: FieldHandle) throws -> [RecordIndex] {
    let ids = handle.options["connections"]?.array?.compactMap(\.string) ?? []
    return try ids.map { try session.index(of: DataID($0)) }
      .filter { try session.record($0).state == .present }
  }

  // MARK: Deleting

  private func deleteEdges(_ handle: FieldHandle, of owner: RecordIndex) throws {
    for id in try ids(handle, of: owner) {
      let node = try session.index(of: id)
      for connection in try connections(handle) { try records.remove(node, from: connection) }
    }
  }

  private func deleteRecords(_ handle: FieldHandle, of owner: RecordIndex) throws {
    for id in try ids(handle, of: owner) where id != .root {
      try session.delete(session.index(of: id))
    }
  }

  /// Returns the ids in the handle's field.
  private func ids(_ handle: FieldHandle, of owner: RecordIndex) throws -> [DataID] {
    switch try session.record(owner)[handle.field] {
    case .list(let values)?: values.compactMap(handle.id)
    case let value?: [handle.id(value)].compactMap(\.self)
    case nil: []
    }
  }
}

extension LayeredSource {
  /// Runs the handles of a merged payload.
  ///
  /// - Returns: The keys of connections that a page did not continue.
  package mutating func handle(_ payload: RecordPayload, on layer: Layer) throws -> [String] {
    if payload.handles.isEmpty { return [] }
    var unmerged: [String] = []
    let handles = payload.handles.map { handle in
      (intern(payload.id(of: handle.record)), handle.handle, handle.isPart)
    }
    try withSession(on: layer) { session in
      var handlers = try FieldHandlers(session)
      for (owner, handle, isPart) in handles {
        try handlers.run(handle, of: owner, isPart: isPart)
      }
      unmerged = handlers.unmerged
    }
    return unmerged
  }
}
