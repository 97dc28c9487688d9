extension RecordProxy {
  /// Makes a field, scalar or link, one that was never written: absent, and not null.
  public func removeValue(_ field: String, arguments: JSONObject = [:]) throws {
    try session.remove(session.key(field, arguments), of: index)
  }

  /// Writes every field that another record has; its identity and type stay its own, and so do fields
  /// that the other has not.
  ///
  /// - Throws: ``RelayError`` with code `update` when the other is a proxy of another updater.
  public func copyFields(from other: RecordProxy) throws {
    try session.copyFields(from: link(other), to: index)
  }

  /// The key under which a field is stored, as it stands in dumps: `name(argument:JSON,…)`.
  public func storageKey(for field: String, arguments: JSONObject = [:]) -> String {
    StorageKey.text(name: field, arguments: arguments)
  }
}

/// What a store knows of a record.
public enum RecordState: Sendable, Hashable {
  /// Its fields, or some of them.
  case present
  /// That it does not exist any more.
  case deleted
  /// Nothing.
  case unknown
}

extension RecordSourceProxy {
  /// What is known of a record.
  public func state(of id: DataID) throws -> RecordState {
    switch try session.record(session.index(of: id)).state {
    case .present: .present
    case .deleted: .deleted
    case .unknown: .unknown
    }
  }

  /// The key under which a field is stored, as it stands in dumps: `name(argument:JSON,…)`.
  public func storageKey(for field: String, arguments: JSONObject = [:]) -> String {
    StorageKey.text(name: field, arguments: arguments)
  }

  /// The id of a connection's record.
  ///
  /// - Parameters:
  ///   - key: The key of its `@connection`, for example `TodoList_todos`.
  ///   - filters: The arguments that are its filters.
  public func connectionID(parent: DataID, key: String, filters: JSONObject = [:]) -> DataID {
    .connection(key, of: parent, filters: filters)
  }
}
