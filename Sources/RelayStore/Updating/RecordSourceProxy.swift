/// The records of a store, as an updater reads and writes them.
///
/// An updater sees the base with everything committed before it. An optimistic updater also sees
/// the optimistic updates before it. If an updater throws, its writes are rolled back.
///
/// An updater runs under the store's lock, so it should be quick and must not use the environment.
/// Reading, retaining and observing trap; changes throw ``RelayError`` with code `update`.
/// Reverting, releasing, cancelling and ``RelayEnvironment/reset()`` take effect after the updater.
/// An updater must not use the environment of another store either: two stores whose updaters use
/// each other can deadlock. Docs/Reference/Store.md has a table of the calls.
public struct RecordSourceProxy {
  let session: UpdateSession
  let payloadRoot: RecordIndex?

  /// The root record, where every query starts.
  public var root: RecordProxy {
    get throws { RecordProxy(session: session, index: try session.index(of: .root)) }
  }

  /// Returns the record of a root field of the response, for example the object that a mutation
  /// created; `nil` for null, and without a response.
  ///
  /// - Parameters:
  ///   - field: The field's name in the schema.
  ///   - arguments: The arguments that the field was sent with.
  public func getRootField(_ field: String, arguments: JSONObject = [:]) throws -> RecordProxy? {
    guard let payloadRoot else { return nil }
    return try RecordProxy(session: session, index: payloadRoot)
      .getLinkedRecord(field, arguments: arguments)
  }

  /// The record with an id; `nil` if the record is unknown or deleted, or if the id is `nil`.
  public subscript(id: DataID?) -> RecordProxy? {
    get throws {
      guard let id else { return nil }
      let index = try session.index(of: id)
      guard try session.record(index).state == .present else { return nil }
      return RecordProxy(session: session, index: index)
    }
  }

  /// Creates a record without fields.
  ///
  /// Even the field `id` is not written. Until it is, a fragment that selects `id` has no data for
  /// the record, so lists omit the record or are null. Write the field if it is selected:
  ///
  ///     let todo = try store.create("4", type: "Todo")
  ///     try todo.setValue("4", for: "id")
  ///
  /// - Throws: ``RelayError`` with code `update` if the record exists, or was deleted by this
  ///   updater.
  public func create(_ id: DataID, type: String) throws -> RecordProxy {
    RecordProxy(session: session, index: try session.create(id, typeName: type))
  }

  /// Deletes a record. Links to it then read as null.
  ///
  /// - Throws: ``RelayError`` with code `update` for the root.
  public func delete(_ id: DataID) throws { try session.delete(session.index(of: id)) }
}

/// A function that changes records; see ``RecordSourceProxy``.
public typealias StoreUpdater = @Sendable (RecordSourceProxy) throws -> Void

extension LayeredSource {
  /// Runs an updater on a layer. If it throws, its writes are rolled back.
  ///
  /// - Parameter payloadRoot: The root record of the response that the updater belongs to.
  package mutating func run(
    _ updater: StoreUpdater, on layer: Layer, payloadRoot: DataID?
  ) throws {
    let root = payloadRoot.map { intern($0) }
    try withSession(on: layer) { session in
      try updater(RecordSourceProxy(session: session, payloadRoot: root))
    }
  }

  /// Runs a closure on a layer. If it throws, its writes are rolled back.
  mutating func withSession(on layer: Layer, _ body: (UpdateSession) throws -> Void) throws {
    // The records move into the session and back, so that copy-on-write does not copy them.
    let session = UpdateSession(moveOut(), layer: layer)
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
