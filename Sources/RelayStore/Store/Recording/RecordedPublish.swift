/// The changes of one publish.
///
/// `@unchecked Sendable`: the store makes it while it publishes, under its lock, and sets
/// ``changes``, ``revision`` and ``changedCount`` before the recorder gets it. It is immutable from
/// then on.
final class RecordedPublish: @unchecked Sendable {
  /// A changed record.
  struct Change: Sendable {
    let index: RecordIndex
    /// The record before; `nil` if it did not exist.
    let old: Record?
    let new: Record
  }

  let cause: PublishCause
  let addedLayers: [UInt64]
  let removedLayers: [UInt64]
  var revision: UInt64 = 0
  /// The number of changed records, of which ``changes`` has the first ones.
  var changedCount = 0
  var changes: ContiguousArray<Change> = []

  /// The largest number of changes that are recorded.
  static let changeLimit = 1_000

  /// - Parameters:
  ///   - added: The optimistic updates that were applied.
  ///   - removed: The optimistic updates that have ended.
  init(
    _ cause: PublishCause, addedLayers added: [UInt64] = [], removedLayers removed: [UInt64] = []
  ) {
    self.cause = cause
    addedLayers = added
    removedLayers = removed
  }

  var byteCount: Int {
    changes.reduce(256) { $0 + 48 + ($1.old?.storage.byteCount ?? 0) }
  }
}

extension RecordStorage {
  /// The size of the record's allocation in bytes.
  fileprivate var byteCount: Int { 64 + capacity * MemoryLayout<FieldCell>.stride }
}
