/// When records, and the store as a whole, were declared out of date.
///
/// Times are epochs: each publish has one, later ones are larger. In a store that was never
/// invalidated it holds nothing and costs nothing.
package struct InvalidationTable {
  /// The epoch of the publish that is going on, or of the last one.
  package private(set) var epoch: UInt64 = 0
  /// When the whole store was invalidated last.
  package private(set) var storeInvalidatedAt: UInt64?
  private var invalidated: [RecordIndex: UInt64] = [:]
  /// When records were last written by a response, since something was first invalidated.
  private var written: [RecordIndex: UInt64] = [:]
  /// What the updaters of this publish have asked for.
  package private(set) var pending: [RecordIndex] = []
  private var isStorePending = false

  package init() {}

  /// Whether anything was ever invalidated, or is about to be.
  package var isInUse: Bool {
    storeInvalidatedAt != nil || isStorePending || !pending.isEmpty || !invalidated.isEmpty
  }

  /// Begins a publish.
  package mutating func beginEpoch() { epoch += 1 }

  /// Asks for records, or the whole store, to be invalidated when the publish ends.
  package mutating func request(_ indexes: [RecordIndex], store: Bool) {
    pending += indexes
    if store { isStorePending = true }
  }

  /// Notes that a response has written records in this publish.
  package mutating func note(written indexes: some Sequence<RecordIndex>) {
    for index in indexes { written[index] = epoch }
  }

  /// Invalidates these records, and the store if that was asked for.
  ///
  /// - Returns: Whether the store was invalidated.
  package mutating func settle(_ records: Set<RecordIndex>) -> Bool {
    for index in records { invalidated[index] = epoch }
    if isStorePending { storeInvalidatedAt = epoch }
    defer { (pending, isStorePending) = ([], false) }
    return isStorePending
  }

  /// When a record was invalidated last; a response that writes it again does not change that.
  package subscript(index: RecordIndex) -> UInt64? {
    invalidated.isEmpty ? nil : invalidated[index]
  }

  /// Takes over what a dump says of a record.
  package mutating func restore(_ index: RecordIndex, at epoch: UInt64) {
    invalidated[index] = epoch
    self.epoch = max(self.epoch, epoch)
  }

  /// Whether a record is known to be out of date: it, or the store, was invalidated after a response
  /// last wrote it.
  package func isStale(_ index: RecordIndex) -> Bool {
    // As in the check of operations: what is written together with the store's invalidation is out
    // of date, what is written together with the record's is not.
    let last = written[index] ?? 0
    if let storeInvalidatedAt, last <= storeInvalidatedAt { return true }
    return self[index].map { last < $0 } ?? false
  }

  /// Whether any of these records is out of date.
  package func isStale(any indexes: some Sequence<RecordIndex>) -> Bool {
    isInUse && indexes.contains { isStale($0) }
  }

  /// Forgets a record that is deleted or collected.
  package mutating func forget(_ index: RecordIndex) {
    if !invalidated.isEmpty { invalidated[index] = nil }
    if !written.isEmpty { written[index] = nil }
  }
}
