extension StoreState {
  /// Changes the parts that an execution waits for.
  mutating func expect(_ changes: RecordPartChanges, by operation: ReceivingOperation) {
    let id = operation.execution
    if receiving[id] == nil {
      collector.add(index(of: operation.root), operation.plan)
      receiving[id] = operation
    }
    // The parts are changed in place: a copy of the operation would copy all of them.
    for part in changes.removed where receiving[id]?.parts.remove(part) != nil { remove(part) }
    for part in changes.added where receiving[id]?.parts.insert(part).inserted == true {
      let record = index(of: part.record)
      collector.keepIndex(of: record)
      if source.pendingParts.insert(part, of: record) { source.markPendingChange(of: record) }
    }
  }

  /// Ends an execution that waits for parts: none of them will arrive.
  mutating func stopExpecting(_ execution: UInt64) {
    guard let operation = receiving.removeValue(forKey: execution) else { return }
    for part in operation.parts { remove(part) }
    collector.countEndedUse()
  }

  private mutating func remove(_ part: RecordPart) {
    let record = index(of: part.record)
    if source.pendingParts.remove(part, of: record) { source.markPendingChange(of: record) }
  }
}

extension LayeredSource {
  /// Marks a record as changed although its fields are not, so that its observers are read again.
  fileprivate mutating func markPendingChange(of record: RecordIndex) { markInserted(record) }
}
