/// The state that the proxies of one updater share while it runs.
///
/// The session saves the previous state of each record written, to roll back a throwing updater. It
/// is confined to the thread that runs the updater and holds the store's lock. The session is
/// closed when the updater returns: its source is then empty, and its throwing methods throw.
final class UpdateSession {
  private(set) var source: LayeredSource
  let layer: LayeredSource.Layer
  private var before: [RecordIndex: Record] = [:]
  private var deleted: Set<RecordIndex> = []
  private var invalidated: [RecordIndex] = []
  /// The fields written to the base, for the collector.
  private var written: [RecordIndex: Set<FieldKey>] = [:]
  private var invalidatesStore = false
  private var isOpen = true
  private let reportLateUse: (@Sendable (String) -> Void)?
  /// The first error of a setter, which could not throw it.
  private(set) var failure: (any Error)?

  init(_ source: consuming LayeredSource, layer: LayeredSource.Layer) {
    reportLateUse = source.reportLateUse
    self.source = source
    self.layer = layer
  }

  /// Closes the session and returns the source.
  ///
  /// - Parameter keepsChanges: Whether the changes take effect; otherwise they are rolled back.
  func close(keepsChanges: Bool) -> LayeredSource {
    if !keepsChanges {
      for (index, record) in before { source.restore(record, at: index, in: layer) }
    } else if layer == .base {
      for index in deleted { source.observers.invalidations.remove(index) }
      source.observers.invalidations.request(invalidated, store: invalidatesStore)
      source.markClientWritten(written)
    }
    isOpen = false
    return source.moveOut()
  }

  /// Throws if the session is closed.
  func check() throws {
    if !isOpen {
      throw RelayError(.update, "A record proxy was used after its updater had ended.")
    }
  }

  // MARK: Reading

  func record(_ index: RecordIndex) throws -> Record {
    try check()
    return source.recordInPlace(index, in: layer)
  }

  func index(of id: DataID) throws -> RecordIndex {
    try check()
    return source.intern(source.resolved(id))
  }

  func id(of index: RecordIndex) -> DataID { source.id(of: index) ?? .root }

  func key(_ field: String, _ arguments: JSONObject) throws -> FieldKey {
    try key(StorageKey.text(name: field, arguments: arguments))
  }

  func key(_ storageKey: String) throws -> FieldKey {
    try check()
    return source.keys.intern(storageKey)
  }

  /// Returns the key of a field that is about to be written.
  ///
  /// - Throws: ``RelayError`` with code `update` for a name that is reserved for a record's id,
  ///   type, errors or invalidation.
  func writableKey(_ field: String, _ arguments: JSONObject = [:]) throws -> FieldKey {
    if field.hasPrefix("__"), FieldKey.reservedNames.contains(field) {
      throw RelayError(
        .update, "Field \"\(field)\" cannot be written: it is not a field of the record.")
    }
    return try key(field, arguments)
  }

  /// Performs an access that cannot throw. Its first error makes the updater fail.
  ///
  /// - Parameter typeName: The type of the object accessed, for the log if the updater has already
  ///   ended.
  @discardableResult
  func attempt<Value>(on typeName: String, _ body: () throws -> Value?) -> Value? {
    do {
      return try body()
    } catch {
      failure = failure ?? error
      if !isOpen { reportLateUse?(typeName) }
      return nil
    }
  }

  // MARK: Writing

  /// Checks a value against the type of a field, if a plan selects the field.
  ///
  /// If plans select other fields of the type but not this one, the field is reported, unless the
  /// record already has it.
  func check(
    _ value: FieldValue, writtenTo field: String, key: FieldKey, of index: RecordIndex
  ) throws -> WriteCheck {
    let record = try record(index)
    guard let typeName = record.typeName, let types = source.fieldTypes else { return .accepted }
    let check = types.check(value, writtenTo: field, of: typeName)
    if case .unknownField = check, record[key] == nil {
      source.append(UnknownField(typeName: typeName, field: field))
    }
    return check
  }

  /// Writes a field.
  ///
  /// - Parameter errors: The field's new errors.
  func set(
    _ value: FieldValue, _ key: FieldKey, of index: RecordIndex, errors: [StoredError] = []
  ) throws {
    try requirePresent(index)
    source.update(index, in: layer) { $0.set(key, to: value, errors: errors) }
    markWritten([key], of: index)
  }

  func remove(_ key: FieldKey, of index: RecordIndex) throws {
    try requirePresent(index)
    source.update(index, in: layer) { $0.remove(key) }
  }

  /// Writes the fields of one record to another, with their errors, except for some keys.
  func copyFields(
    from source: RecordIndex, to index: RecordIndex, except excluded: [FieldKey] = []
  ) throws {
    let fields = try record(source)
    try requirePresent(index)
    self.source.update(index, in: layer) { $0.copyFields(from: fields, except: excluded) }
    markWritten(fields.keys, of: index)
  }

  /// Adds fields to ``written``, unless the collector retains them anyway.
  private func markWritten(_ keys: some Sequence<FieldKey>, of index: RecordIndex) {
    guard layer == .base else { return }
    for key in source.keys.droppable(among: keys) {
      written[index, default: []].insert(key)
    }
  }

  /// Saves the state of a record before its first change.
  ///
  /// - Throws: ``RelayError`` with code `update` if the record does not exist.
  private func requirePresent(_ index: RecordIndex) throws {
    let record = try saveState(of: index)
    if record.state != .present {
      throw RelayError(
        .update, "Record \"\(id(of: index))\" cannot be written: it is \(record.state).")
    }
  }

  /// Creates a record that does not exist.
  func create(_ id: DataID, typeName: String) throws -> RecordIndex {
    let index = try index(of: id)
    let record = try saveState(of: index)
    if record.state == .present {
      throw RelayError(.update, "Record \"\(id)\" cannot be created: it already exists.")
    }
    if deleted.contains(index) {
      throw RelayError(
        .update, "Record \"\(id)\" cannot be created in the update that deleted it.")
    }
    source.make(index, typeName: typeName, in: layer)
    return index
  }

  /// Creates a record, replacing the previous one.
  func make(_ id: DataID, typeName: String?) throws -> RecordIndex {
    let index = try index(of: id)
    _ = try saveState(of: index)
    source.make(index, typeName: typeName, in: layer)
    return index
  }

  /// Marks a record as deleted.
  func delete(_ index: RecordIndex) throws {
    if id(of: index) == .root { throw RelayError(.update, "The root record cannot be deleted.") }
    _ = try saveState(of: index)
    deleted.insert(index)
    source.delete(index, in: layer)
  }

  /// Requests the invalidation of a record, or of the entire store, at the end of the updater.
  func invalidate(_ index: RecordIndex?) throws {
    try check()
    if let index { invalidated.append(index) } else { invalidatesStore = true }
  }

  /// Saves the state of a record before its first change, and returns its current state.
  private func saveState(of index: RecordIndex) throws -> Record {
    let record = try record(index)
    if before[index] == nil { before[index] = record }
    return record
  }

  // MARK: Indexes of connection lists

  /// Removes and returns the index of a connection's list; `nil` if there is none. The caller then
  /// has the only reference and can mutate the index without a copy.
  func removeEdgeList(of connection: RecordIndex, edges: [RecordIndex]) -> ConnectionEdgeIndex.List?
  {
    layer == .base ? source.observers.connectionEdges.removeList(of: connection, edges: edges) : nil
  }

  /// Stores the index of a connection's list, for the next page.
  func setEdgeList(
    _ list: ConnectionEdgeIndex.List, newEdges: [RecordIndex], of connection: RecordIndex,
    key: FieldKey
  ) {
    guard layer == .base else { return }
    source.observers.connectionEdges.setList(list, newEdges: newEdges, of: connection, nodeKey: key)
  }

  /// Invalidates the index of a connection's list.
  func invalidateEdgeList(of connection: RecordIndex) {
    if layer == .base { source.observers.connectionEdges.invalidate(connection) }
  }
}
