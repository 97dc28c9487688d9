extension LayeredSource {
  /// Returns the connections with a key that a record links to, with any filter values.
  ///
  /// - Parameter layer: The connections must be present in this layer; `nil` for the visible
  ///   records.
  func connections(_ key: String, of record: Record, in layer: Layer? = nil) -> [RecordIndex] {
    let name = "__\(key)_connection"
    return record.keys.compactMap { field in
      guard case .link(let link)? = record[field],
        keys.text(of: field).isStorageKey(of: name),
        (layer.map { self.record(link, in: $0) } ?? self[link]).state == .present
      else { return nil }
      return link
    }
  }
}

extension String {
  /// Whether this is the storage key of a field, with or without arguments.
  fileprivate func isStorageKey(of field: String) -> Bool {
    guard utf8.starts(with: field.utf8) else { return false }
    let rest = utf8.dropFirst(field.utf8.count)
    return rest.isEmpty || rest.first == UInt8(ascii: "(")
  }
}

extension RecordProxy {
  /// Returns the connections with a key on this record: one for each set of filter values, in the
  /// order of their ids.
  ///
  ///     for feed in try store.root.getConnections("Feed_posts") {
  ///       try feed.deleteNode(DataID(post.id))
  ///     }
  ///
  /// - Complexity: O(*n*) in the fields of the record.
  public func getConnections(_ key: String) throws -> [ConnectionProxy] {
    try session.connections(key, of: [index])
  }
}

extension RecordSourceProxy {
  /// Returns the connections with a key on any record, with any filter values, in the order of
  /// their ids.
  ///
  /// - Complexity: O(*n*) in the fields of all records.
  public func getConnections(_ key: String) throws -> [ConnectionProxy] {
    try session.check()
    return try session.connections(key, of: session.source.allIDs.map(\.index))
  }
}

extension UpdateSession {
  fileprivate func connections(_ key: String, of owners: [RecordIndex]) throws -> [ConnectionProxy]
  {
    try owners.flatMap { owner in
      let record = try record(owner)
      return record.state == .present ? source.connections(key, of: record, in: layer) : []
    }
    .sorted(byBytes: { id(of: $0).rawValue })
    .map { try ConnectionProxy(RecordProxy(session: self, index: $0)) }
  }
}
