extension RecordStore {
  /// Returns the visible scalar in a field of a record; `nil` if there is none.
  package func scalar(_ storageKey: String, of id: DataID) -> JSONValue? {
    field(of: id) {
      $0.key(of: storageKey)
    } map: { value, _ in
      value.json
    }
  }

  /// Returns the id of the record that a field visibly links to; `nil` if there is none.
  package func link(_ key: FieldKey, of id: DataID) -> DataID? {
    field(of: id) { _ in
      key
    } map: { value, source in
      if case .link(let index) = value { source.id(of: index) } else { nil }
    }
  }

  private func field<Result: Sendable>(
    of id: DataID, key: (KeyTable) -> FieldKey?, map body: (FieldValue, LayeredSource) -> Result?
  ) -> Result? {
    state.withLock { state in
      guard let index = state.source.index(of: id), let key = key(state.source.keys),
        let value = state.source[index][key]
      else { return nil }
      return body(value, state.source)
    }
  }

  /// Returns the ids of the connections with a key and any filter values, sorted.
  ///
  /// - Parameter parent: The record that links to the connections; `nil` for the connections of all
  ///   records.
  /// - Complexity: O(*n*) in the fields of the record, or of all records of the store.
  package func connections(_ key: String, of parent: DataID?) -> [DataID] {
    state.withLock { state in
      let source = state.source
      let owners =
        parent.map { source.index(of: source.resolved($0)).map { [$0] } ?? [] }
        ?? source.allIDs.map(\.index)
      return owners.flatMap { source.connections(key, of: source[$0]) }
        .compactMap { source.id(of: $0) }.sorted(byBytes: \.rawValue)
    }
  }
}
