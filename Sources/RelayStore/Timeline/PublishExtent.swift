/// The records that a publish changed, for publishes that concern some observers only: publishes in
/// a batch, and responses that end optimistic updates.
package struct PublishExtent: Sendable {
  /// An optimistic update that has ended.
  package struct EndedLayer: Sendable {
    package let id: UInt64
    /// The records it had written; empty if the cause of the publish already says that it ended.
    let written: Set<RecordIndex>
  }

  /// The share of a publish's changes that concerns one observer.
  package struct Part {
    /// Whether a record that the observer depends on was written.
    package let isWritten: Bool
    /// The ended optimistic updates that had written such a record.
    package let endedLayers: [UInt64]
    /// Whether no record that the observer depends on has changed.
    package let isEmpty: Bool
  }

  /// The changed records. The list is shared, not copied.
  let changed: ContiguousArray<RecordIndex>
  /// The number of records changed in the base; they come first in `changed`.
  let changedInBase: Int
  /// The optimistic updates that ended with the publish.
  let ended: [EndedLayer]

  /// Returns the share of the changes that concerns an observer.
  ///
  /// - Parameter records: The records that the observer depends on.
  package func part(of records: RecordList) -> Part {
    let ended = ended.filter { $0.written.contains { records.contains($0) } }
    return Part(
      isWritten: changed.prefix(changedInBase).contains { records.contains($0) },
      endedLayers: ended.map(\.id), isEmpty: !changed.contains { records.contains($0) })
  }

  /// The estimated size in bytes.
  var byteCount: Int { 96 + changed.count * MemoryLayout<RecordIndex>.stride }
}
