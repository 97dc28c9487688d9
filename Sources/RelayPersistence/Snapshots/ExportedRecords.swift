import RelayStore

/// The records that exported operations reach, with the selected fields: references to immutable
/// records, taken under the store's lock and copied afterwards.
struct ExportedRecords: Sendable {
  private struct Entry: Sendable {
    let record: Record
    /// The storage keys of the exported fields with their strings, one dictionary for each
    /// selection that reaches the record.
    var fields: [[FieldKey: String]]
  }

  /// The exported operations, except those with private variables.
  private(set) var operations: [(root: PersistedRoot, plan: SelectionPlan)] = []
  /// The records that the export depends on, including missing ones.
  private(set) var reached = RecordSet()
  private var entries: [Entry] = []
  private var positions: [RecordIndex: Int] = [:]
  private let elements: PrivateElements

  // MARK: Taking

  /// Takes the records of operations, and the type records of these records.
  ///
  /// - Complexity: O(*n*) in the links followed.
  init(
    of operations: [WrittenOperation], in state: inout StoreState, layer: RecordStore.Layer
  ) {
    elements = state.source.observers.privateRecords.elements
    for operation in operations {
      if let root = state.exportedRoot(of: operation) {
        self.operations.append((root, operation.plan.plan))
      }
      let nextEdge = "__connection_next_edge_index"
      var selections: [ExportedSelection] = []
      let root = ExportedSelection.append(
        operation.plan, nextEdge: (state.source.keys.intern(nextEdge), nextEdge), to: &selections)
      take(
        from: state.index(of: operation.root), by: root, of: selections, in: state.source,
        layer)
    }
    takeTypes(in: state.source, layer)
  }

  private mutating func take(
    from root: RecordIndex, by selection: Int, of selections: [ExportedSelection],
    in source: LayeredSource, _ layer: RecordStore.Layer
  ) {
    var selections = selections
    var worklist = [(index: root, selection: selection)]
    while let (index, selection) = worklist.popLast() {
      guard selections[selection].visited.insert(index) else { continue }
      let record = layer == .base ? source[base: index] : source[index]
      insert(record, at: index, selections[selection].fields)
      for inlined in selections[selection].inlined { worklist.append((index, inlined)) }
      for link in selections[selection].links {
        record.box.forEachLink(of: link.key) { worklist.append(($0, link.selection)) }
      }
    }
  }

  private mutating func insert(
    _ record: Record, at index: RecordIndex, _ fields: [FieldKey: String]
  ) {
    reached.insert(index)
    if let position = positions[index] {
      entries[position].fields.append(fields)
    } else {
      positions[index] = entries.count
      entries.append(Entry(record: record, fields: [fields]))
    }
  }

  /// Takes the type records that list the interfaces of the records' types.
  private mutating func takeTypes(in source: LayeredSource, _ layer: RecordStore.Layer) {
    var seen: Set<DataID> = []
    for id in entries.compactMap({ $0.record.box.shape.typeSchemaID })
    where seen.insert(id).inserted {
      guard let index = source.index(of: id) else { continue }
      let record = layer == .base ? source[base: index] : source[index]
      let fields = record.keys.map { ($0, source.keys.text(of: $0)) }
      insert(record, at: index, Dictionary(fields) { first, _ in first })
    }
  }

  // MARK: Copying

  /// The number of records.
  var count: Int { entries.count }

  /// Returns the rows of a database with only these records, ordered by table and key.
  ///
  /// - Throws: ``PersistenceFailure``.
  /// - Complexity: O(*n*) in the exported fields.
  func rows() throws -> [(key: RowKey, bytes: [UInt8])] {
    var state = StoreState(RecordStore.Configuration(garbageCollection: .manual))
    copy(into: &state)
    var writer = JournalEncoder(format: PersistenceFormat(cipher: nil), schema: "")
    var batch = state.takeBatch(for: writer) ?? BaseBatch(revision: 0, run: 0)
    batch.roots = operations.map { ($0.root.identity, $0.root, $0.plan) }
    return try writer.rows(for: batch).rows.compactMap { key, bytes in
      bytes.map { (key, $0) }
    }.sorted { ($0.key.table.rawValue, $0.key.key) < ($1.key.table.rawValue, $1.key.key) }
  }

  private func copy(into state: inout StoreState) {
    state.source.observers.unstored.isTracked = true
    state.source.observers.privateRecords.insert(elements)
    let indexes = entries.map { entry in
      state.source.intern(
        entry.record.box.withID { DataID(String(decoding: $0, as: UTF8.self)) })
    }
    for (entry, index) in zip(entries, indexes) {
      switch entry.record.state {
      case .unknown: continue
      case .deleted: state.source.delete(index, in: .base)
      case .present:
        state.source.make(index, typeName: entry.record.typeName, in: .base)
        copyFields(of: entry, to: index, among: indexes, into: &state.source)
      }
    }
    state.source.observers.unstored.replaceAll()
  }

  private func copyFields(
    of entry: Entry, to index: RecordIndex, among indexes: [RecordIndex],
    into source: inout LayeredSource
  ) {
    var fields: [(key: FieldKey, value: FieldValue, errors: [StoredError])] = []
    for (key, value) in zip(entry.record.keys, entry.record.values) {
      guard let text = entry.fields.lazy.compactMap({ $0[key] }).first,
        let value = linked(value, among: indexes)
      else { continue }
      fields.append((source.keys.intern(text), value, entry.record.errors(of: key)))
    }
    source.update(index, in: .base) { draft in
      for field in fields { _ = draft.set(field.key, to: field.value, errors: field.errors) }
      return true
    }
  }

  /// Returns a value with links to the copies; `nil` if it links to a record that is not exported.
  private func linked(_ value: FieldValue, among indexes: [RecordIndex]) -> FieldValue? {
    var isCopied = true
    value.forEachLink { if positions[$0] == nil { isCopied = false } }
    return isCopied ? value.mapLinks { positions[$0].map { indexes[$0] } ?? .none } : nil
  }
}

extension StoreState {
  /// Returns an operation with the date of its response; `nil` if its variables are private.
  fileprivate mutating func exportedRoot(of operation: WrittenOperation) -> PersistedRoot? {
    if operation.plan.plan.privacy?.hasPrivateVariables == true { return nil }
    var root = PersistedRoot(operation.identity, root: operation.root)
    // The reader's query limits apply only to its own fetches.
    root.isPinned = true
    if let write = retention.write(of: operation.identity) {
      root.fetchedAt = time.date(write.time)
      root.maxAge = write.maxAge
    }
    if case .stale = check(operation, listing: 0).availability { root.isStale = true }
    return root
  }
}
