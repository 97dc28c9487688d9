/// The changes of one publish.
package final class TracedPublish: Sendable {
  /// The cause of a publish, known before its changes.
  package struct Origin: Sendable {
    let cause: PublishCause
    /// The optimistic updates that were applied.
    package var addedLayers: [UInt64] = []
    /// The ended optimistic updates.
    package var removedLayers: [PublishExtent.EndedLayer] = []
    /// Whether a publish with another cause, such as a response, ended optimistic updates.
    var endsLayers: Bool { removedLayers.contains { !$0.written.isEmpty } }
  }

  /// A changed record.
  package struct Change: Sendable {
    package let index: RecordIndex
    /// The record before; `nil` if it did not exist.
    package let old: Record?
    package let new: Record
  }

  package let origin: Origin
  package let revision: UInt64
  /// The number of changed records; ``changes`` has the first of them.
  package let changedCount: Int
  package let changes: ContiguousArray<Change>
  /// The moment in the life of the store's observers.
  package let moment: ObserverTable.Moment
  /// The estimated size, including records that only this object keeps alive.
  let byteCount: Int

  /// The maximum number of changes in one event.
  static let changeLimit = 1_000

  /// - Parameter count: The number of changed records; it may exceed the number listed.
  init(
    _ origin: Origin, _ changes: ContiguousArray<Change>, count: Int, revision: UInt64,
    at moment: ObserverTable.Moment
  ) {
    self.origin = origin
    self.moment = moment
    self.changes = changes
    changedCount = count
    self.revision = revision
    var size = 256
    for change in changes { size += 48 + (change.old?.box.byteCount ?? 0) }
    byteCount = size
  }

  package var cause: PublishCause { origin.cause }
}

extension RecordBox {
  /// The size of the record's allocation in bytes.
  fileprivate var byteCount: Int { 64 + capacity * MemoryLayout<FieldCell>.stride }
}
