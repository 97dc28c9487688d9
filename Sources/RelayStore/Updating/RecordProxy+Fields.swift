extension RecordProxy {
  /// Removes the value of a scalar field or link, as if it had never been written: the field is
  /// absent, not null.
  public func removeValue(_ field: String, arguments: JSONObject = [:]) throws {
    try session.remove(session.key(field, arguments), of: index)
  }

  /// Copies every field of another record to this one. This record keeps its id, its type and any
  /// fields that the other record does not have.
  ///
  /// - Throws: ``RelayError`` with code `update` if `other` comes from another updater.
  public func copyFields(from other: RecordProxy) throws {
    try session.copyFields(from: link(other), to: index)
  }

  /// Returns the storage key of a field, as in dumps: `name(argument:JSON,…)`.
  public func storageKey(for field: String, arguments: JSONObject = [:]) -> String {
    StorageKey.text(name: field, arguments: arguments)
  }
}

/// The state of a record in a store.
public enum RecordState: Sendable, Hashable {
  /// The record exists; some or all of its fields may be in the store.
  case present
  /// The record was deleted.
  case deleted
  /// The store has no data for the record, except perhaps its id.
  case unknown
}

extension RecordSourceProxy {
  /// Returns the state of a record.
  public func state(of id: DataID) throws -> RecordState {
    switch try session.record(session.index(of: id)).state {
    case .present: .present
    case .deleted: .deleted
    case .unknown: .unknown
    }
  }

  /// Returns the storage key of a field, as in dumps: `name(argument:JSON,…)`.
  public func storageKey(for field: String, arguments: JSONObject = [:]) -> String {
    StorageKey.text(name: field, arguments: arguments)
  }

  /// Returns the id of a connection's record.
  ///
  /// - Parameters:
  ///   - parent: The id of the record that has the connection.
  ///   - key: The key of its `@connection`, for example `TodoList_todos`.
  ///   - filters: The values of its filter arguments.
  public func connectionID(parent: DataID, key: String, filters: JSONObject = [:]) -> DataID {
    .connection(key, of: parent, filters: filters)
  }
}
