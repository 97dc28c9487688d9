/// The changes of one publish.
///
/// `@unchecked Sendable`: the store makes it while it publishes, under its lock, and calls
/// ``complete(_:count:revision:)`` before the recorder gets it. It is immutable from then on; therefore
/// its accesses are not checked for exclusivity either.
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
  @exclusivity(unchecked) private(set) var revision: UInt64 = 0
  /// The number of changed records, of which ``changes`` has the first ones.
  @exclusivity(unchecked) private(set) var changedCount = 0
  @exclusivity(unchecked) private(set) var changes: ContiguousArray<Change> = []
  /// The estimated size, with the records that only this keeps alive.
  @exclusivity(unchecked) private(set) var byteCount = 0

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

  /// Sets what has changed, once it is known.
  ///
  /// - Parameter count: The number of changed records, which may be more than are listed.
  func complete(_ changes: ContiguousArray<Change>, count: Int, revision: UInt64) {
    self.changes = changes
    changedCount = count
    self.revision = revision
    var size = 256
    for change in changes { size += 48 + (change.old?.storage.byteCount ?? 0) }
    byteCount = size
  }
}

extension RecordStorage {
  /// The size of the record's allocation in bytes.
  fileprivate var byteCount: Int { 64 + capacity * MemoryLayout<FieldCell>.stride }
}
