/// The records of a store, as an updater reads and writes them.
///
/// An updater sees the base with all that was committed before it, or, when it is optimistic, that and the optimistic updates before it. What it wrote is taken back when it throws. It
/// runs while the store is held: it must not call the environment, and should be quick.
public struct RecordSourceProxy {
  let session: UpdateSession
  private let payloadRoot: RecordIndex?

  init(session: UpdateSession, payloadRoot: RecordIndex?) {
    self.session = session
    self.payloadRoot = payloadRoot
  }

  /// The record at which every query starts.
  public var root: RecordProxy {
    get throws { RecordProxy(session: session, index: try session.index(of: .root)) }
  }

  /// The record of a root field of the response, for example what a mutation has created; `nil`
  /// for null, and where there is no response.
  ///
  /// - Parameter arguments: Those that the field was sent with.
  public func getRootField(_ field: String, arguments: JSONObject = [:]) throws -> RecordProxy? {
    guard let payloadRoot else { return nil }
    return try RecordProxy(session: session, index: payloadRoot)
      .getLinkedRecord(field, arguments: arguments)
  }

  /// A record by its id; `nil` when it is unknown or deleted, or the value it should come from makes no id.
  public subscript(id: DataID?) -> RecordProxy? {
    get throws {
      guard let id else { return nil }
      let index = try session.index(of: id)
      guard try session.record(index).state == .present else { return nil }
      return RecordProxy(session: session, index: index)
    }
  }

  /// Makes a new record.
  ///
  /// - Throws: ``RelayError`` with code `update` when it exists, or was deleted by this updater.
  public func create(_ id: DataID, type: String) throws -> RecordProxy {
    RecordProxy(session: session, index: try session.create(id, typeName: type))
  }

  /// Deletes a record: links to it read as null from now on.
  ///
  /// - Throws: ``RelayError`` with code `update` for the root.
  public func delete(_ id: DataID) throws { try session.delete(session.index(of: id)) }
}

/// Changes records; see ``RecordSourceProxy``.
public typealias StoreUpdater = @Sendable (RecordSourceProxy) throws -> Void

extension LayeredSource {
  /// Runs an updater on a layer; when it throws, nothing it wrote stays.
  ///
  /// - Parameter payloadRoot: The root record of the response it belongs to.
  package mutating func run(
    _ updater: StoreUpdater, on layer: Layer, payloadRoot: DataID?
  ) throws {
    let root = payloadRoot.map { intern($0) }
    try withSession(on: layer) { session in
      try updater(RecordSourceProxy(session: session, payloadRoot: root))
    }
  }

  /// Runs a closure on a layer; when it throws, nothing it wrote stays.
  mutating func withSession(on layer: Layer, _ body: (UpdateSession) throws -> Void) throws {
    // The records move into the session and back, so that nothing is copied.
    let session = UpdateSession(take(), layer: layer)
    do {
      try body(session)
      if let failure = session.failure { throw failure }
      self = session.close(keepsChanges: true)
    } catch {
      self = session.close(keepsChanges: false)
      throw error
    }
  }
}
