/// The observers of a store's base. Every change of the base is reported here and nowhere else.
///
/// A struct rather than a list of existentials, so that reporting a change of one record takes only
/// a few nanoseconds.
package struct BaseObservers: BaseObserver {
  /// The edges of the base's connections, by node.
  package var connectionEdges = ConnectionEdgeIndex()
  package var invalidations = InvalidationTable()
  package var clientWritten = ClientWrittenFields()
  /// The values that readers memoize by record.
  var memos = MemoizedRecords()
  /// The collected records, for the replicas.
  var collected = CollectedRecords()
  /// The parts of responses that have not arrived.
  var pendingParts = PendingParts()
  /// The changes that are not persisted yet.
  package var unstored = UnpersistedChanges()
  /// The parts of the base that are never persisted.
  package var privateRecords = PrivateRecords()

  @inline(__always)
  mutating func recordWillChange(
    at index: RecordIndex, to record: RecordBox, in base: RecordTable
  ) {
    connectionEdges.recordWillChange(at: index, to: record, in: base)
    unstored.recordWillChange(at: index, to: record, in: base)
    privateRecords.recordWillChange(at: index, to: record, in: base)
  }

  @inline(__always)
  mutating func recordWasInserted(_ record: RecordBox, at index: RecordIndex) {
    privateRecords.recordWasInserted(record, at: index)
  }

  mutating func recordWillBeCollected(_ record: RecordBox, at index: RecordIndex) {
    connectionEdges.recordWillBeCollected(record, at: index)
    invalidations.recordWillBeCollected(record, at: index)
    clientWritten.recordWillBeCollected(record, at: index)
    memos.recordWillBeCollected(record, at: index)
    collected.recordWillBeCollected(record, at: index)
    unstored.recordWillBeCollected(record, at: index)
  }

  mutating func recordsWereCollected(except kept: [RecordIndex], from base: RecordTable) {
    connectionEdges.recordsWereCollected(except: kept, from: base)
    invalidations.recordsWereCollected(except: kept, from: base)
    clientWritten.recordsWereCollected(except: kept, from: base)
    memos.recordsWereCollected(except: kept, from: base)
    collected.recordsWereCollected(except: kept, from: base)
    unstored.recordsWereCollected(except: kept, from: base)
  }

  @inline(__always)
  mutating func idWasAssigned(to index: RecordIndex) {
    unstored.idWasAssigned(to: index)
    privateRecords.idWasAssigned(to: index)
  }

  mutating func idWillBeDropped(from index: RecordIndex) {
    connectionEdges.idWillBeDropped(from: index)
    unstored.idWillBeDropped(from: index)
  }

  package mutating func baseWasCleared() {
    connectionEdges.baseWasCleared()
    invalidations.baseWasCleared()
    clientWritten.baseWasCleared()
    memos.baseWasCleared()
    pendingParts.baseWasCleared()
    unstored.baseWasCleared()
    privateRecords.baseWasCleared()
  }
}
