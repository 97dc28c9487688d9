/// What the proxies of one updater share: the records while it runs.
///
/// It keeps what each record was before, so that an updater that throws leaves no trace. It is
/// used by one thread, which holds the store, and is of no use after the updater has returned.
final class UpdateSession {
  private(set) var source: LayeredSource
  let layer: LayeredSource.Layer
  private var before: [RecordIndex: Record] = [:]
  private var deleted: Set<RecordIndex> = []
  private var invalidated: [RecordIndex] = []
  /// The fields that were written.
  private var written: [RecordIndex: Set<FieldKey>] = [:]
  private var invalidatesStore = false
  private var isOpen = true
  private let reportLateUse: (@Sendable (String) -> Void)?
  /// What the first setter that failed would have thrown.
  private(set) var failure: (any Error)?

  init(_ source: consuming LayeredSource, layer: LayeredSource.Layer) {
    reportLateUse = source.reportLateUse
    self.source = source
    self.layer = layer
  }

  /// Ends the session and gives the records back.
  ///
  /// - Parameter keepsChanges: Whether what was written stays.
  func close(keepsChanges: Bool) -> LayeredSource {
    if !keepsChanges {
      for (index, record) in before { source.restore(record, at: index, in: layer) }
    } else if layer == .base {
      for index in deleted { source.invalidations.forget(index) }
      source.invalidations.request(invalidated, store: invalidatesStore)
      source.noteWrittenByHand(written)
    }
    isOpen = false
    return source.take()
  }

  func check() throws {
    if !isOpen {
      throw RelayError(.update, "A record proxy was used after its updater had ended.")
    }
  }

  // MARK: Reading

  func record(_ index: RecordIndex) throws -> Record {
    try check()
    return source.found(index, in: layer)
  }

  func index(of id: DataID) throws -> RecordIndex {
    try check()
    return source.intern(id)
  }

  func id(of index: RecordIndex) -> DataID { source.id(of: index) ?? .root }

  func key(_ field: String, _ arguments: JSONObject) throws -> FieldKey {
    try check()
    return source.keys.intern(StorageKey.text(name: field, arguments: arguments))
  }

  func key(_ storageKey: String) throws -> FieldKey {
    try check()
    return source.keys.intern(storageKey)
  }

  /// The key of a field that is about to be written.
  ///
  /// - Throws: ``RelayError`` with code `update` where a record has something else by the field's name: its id, its type,
  ///   its errors or the time of its invalidation.
  func writableKey(_ field: String, _ arguments: JSONObject = [:]) throws -> FieldKey {
    if field.hasPrefix("__"), FieldKey.reservedNames.contains(field) {
      throw RelayError(
        .update, "Field \"\(field)\" cannot be written: it is not a field of the record.")
    }
    return try key(field, arguments)
  }

  /// Does what cannot throw where it stands: what it throws makes the updater fail.
  ///
  /// - Parameter typeName: What it is done to, for the log when the updater has ended already.
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

  /// Whether a value can be written to a field, as far as its type is known.
  ///
  /// A field that is not known of a known type is reported where the record does not have it yet.
  func check(
    _ value: FieldValue, writtenTo field: String, _ key: FieldKey, of index: RecordIndex
  ) throws -> WriteCheck {
    let record = try record(index)
    guard let typeName = record.typeName, let types = source.fieldTypes else { return .accepted }
    let check = types.check(value, writtenTo: field, of: typeName)
    if case .unknownField = check, record[key] == nil {
      source.note(UnknownField(typeName: typeName, field: field))
    }
    return check
  }

  /// Writes a field.
  ///
  /// - Parameter errors: The server's, as the field has them from now on.
  func set(
    _ value: FieldValue, _ key: FieldKey, of index: RecordIndex, errors: [StoredError] = []
  ) throws {
    try rememberPresent(index)
    source.update(index, in: layer) { $0.set(key, to: value, errors: errors) }
    note([key], of: index)
  }

  func remove(_ key: FieldKey, of index: RecordIndex) throws {
    try rememberPresent(index)
    source.update(index, in: layer) { $0.remove(key) }
  }

  /// Writes every field of one record to another, but for some, with their errors.
  func copyFields(
    from source: RecordIndex, to index: RecordIndex, except left: [FieldKey] = []
  ) throws {
    let fields = try record(source)
    try rememberPresent(index)
    self.source.update(index, in: layer) { $0.copyFields(from: fields, except: left) }
    note(fields.keys, of: index)
  }

  /// Notes fields of which the collector has to know that no response wrote them.
  private func note(_ keys: some Sequence<FieldKey>, of index: RecordIndex) {
    guard layer == .base else { return }
    for key in keys where source.keys.isDroppable(key) {
      written[index, default: []].insert(key)
    }
  }

  private func rememberPresent(_ index: RecordIndex) throws {
    let record = try remember(index)
    if record.state != .present {
      throw RelayError(
        .update, "Record \"\(id(of: index))\" cannot be written: it is \(record.state).")
    }
  }

  func create(_ id: DataID, typeName: String) throws -> RecordIndex {
    let index = try index(of: id)
    let record = try remember(index)
    if record.state == .present {
      throw RelayError(.update, "Record \"\(id)\" cannot be created: it exists.")
    }
    if deleted.contains(index) {
      throw RelayError(
        .update, "Record \"\(id)\" cannot be created in the update that deleted it.")
    }
    source.make(index, typeName: typeName, in: layer)
    return index
  }

  /// Makes a record anew, whatever it was before.
  func make(_ id: DataID, typeName: String?) throws -> RecordIndex {
    let index = try index(of: id)
    _ = try remember(index)
    source.make(index, typeName: typeName, in: layer)
    return index
  }

  func delete(_ index: RecordIndex) throws {
    if id(of: index) == .root { throw RelayError(.update, "The root record cannot be deleted.") }
    _ = try remember(index)
    deleted.insert(index)
    source.delete(index, in: layer)
  }

  /// Declares a record, or the whole store, out of date once the updater has ended.
  func invalidate(_ index: RecordIndex?) throws {
    try check()
    if let index { invalidated.append(index) } else { invalidatesStore = true }
  }

  private func remember(_ index: RecordIndex) throws -> Record {
    let record = try record(index)
    if before[index] == nil { before[index] = record }
    return record
  }

  // MARK: The lists of connections

  /// What the store knows of a connection's list, if it does; the caller has it alone from now on.
  func takeNodes(of connection: RecordIndex, edges: [RecordIndex]) -> ConnectionEdgeIndex.List? {
    layer == .base ? source.connectionLists.take(connection, edges: edges) : nil
  }

  /// Keeps what is known of a connection's list, for the next page.
  func keepNodes(
    _ list: ConnectionEdgeIndex.List, new: [RecordIndex], of connection: RecordIndex, key: FieldKey
  ) {
    guard layer == .base else { return }
    source.connectionLists.keep(list, new: new, of: connection, nodeKey: key)
  }

  /// Forgets what is known of a connection's list.
  func forgetNodes(of connection: RecordIndex) {
    if layer == .base { source.connectionLists.forget(connection) }
  }
}
