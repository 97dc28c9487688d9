extension StoreState {
  /// Changes the parts that an execution waits for.
  mutating func expect(_ changes: RecordPartChanges, by operation: ReceivingOperation) {
    let id = operation.execution
    // The parts are changed in place, because a copy would copy all of them.
    var receiving = receiving.removeValue(forKey: id) ?? begin(operation)
    for part in changes.removed {
      let record = index(of: part.record)
      if receiving.remove(part.label, of: record) {
        remove(receiving.positions[part.label], of: record)
      }
    }
    for part in changes.added {
      let record = index(of: part.record)
      guard receiving.insert(part.label, of: record) else { continue }
      collector.keepIndex(of: record)
      if source.observers.pendingParts.insert(receiving.positions[part.label], of: record) {
        source.markPendingChange(of: record)
      }
    }
    self.receiving[id] = receiving
    if !changes.failedLists.isEmpty {
      invalidateLists(of: receiving, in: changes.failedLists.map { index(of: $0) })
    }
    events.append(
      .parts(
        operation: operation.name, received: Self.parts(changes.received),
        pendingCount: changes.count))
  }

  /// Returns the distinct parts with some labels.
  private static func parts(_ labels: [String]) -> [PendingPart] {
    var found: Set<PendingPart> = []
    return labels.map(PendingPart.init(qualifiedLabel:)).filter { found.insert($0).inserted }
  }

  private mutating func begin(_ operation: ReceivingOperation) -> ReceivingOperation {
    collector.add(index(of: operation.root), operation.plan)
    var operation = operation
    operation.begin(operation.labels.map { source.observers.pendingParts.position(of: $0) })
    return operation
  }

  /// Ends an execution that waits for parts: none of them will arrive.
  ///
  /// - Parameter isIncomplete: Whether the response has ended early.
  mutating func stopExpecting(_ execution: UInt64, isIncomplete: Bool) {
    guard let operation = receiving.removeValue(forKey: execution) else { return }
    for (records, position) in zip(operation.parts, operation.positions) {
      records.forEach { remove(position, of: $0) }
    }
    if isIncomplete {
      for (records, label) in zip(operation.parts, operation.labels)
      where label.isStreamed && records.count > 0 {
        var lists: [RecordIndex] = []
        records.forEach { lists.append($0) }
        invalidateLists(of: operation, in: lists)
      }
    }
    collector.countEndedUse()
  }

  /// Invalidates records whose lists have missing elements, because no other state shows the loss.
  /// The operation becomes stale. So does each record except the root, because every operation
  /// reads the root.
  private mutating func invalidateLists(
    of operation: ReceivingOperation, in records: [RecordIndex]
  ) {
    if let query = operation.query { _ = retention.markStale(query) }
    let root = index(of: operation.root)
    for record in records where record != root {
      source.observers.invalidations.request([record], store: false)
    }
  }

  private mutating func remove(_ position: Int, of record: RecordIndex) {
    if source.observers.pendingParts.remove(position, of: record) {
      source.markPendingChange(of: record)
    }
  }
}

extension LayeredSource {
  /// Marks a record as changed although its fields are not, so that its observers are read again.
  fileprivate mutating func markPendingChange(of record: RecordIndex) {
    if replaced != nil { saveReplaced(record) }
    markInserted(record)
  }
}
