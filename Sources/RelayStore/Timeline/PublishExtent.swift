/// The records that a publish has changed, where that decides what it means for an observer: in a batch,
/// and where a response ends optimistic updates.
package struct PublishExtent: Sendable {
  /// An optimistic update that has ended.
  package struct EndedLayer: Sendable {
    package let id: UInt64
    /// The records that it had written; empty if the cause of the publish says that it has ended.
    let written: Set<RecordIndex>
  }

  /// The part of a publish's changes that concerns an observer.
  package struct Part {
    /// Whether a record was written that the observer depends on.
    package let isWritten: Bool
    /// The optimistic updates that have ended and had written such a record.
    package let endedLayers: [UInt64]
    /// Whether no record has changed that the observer depends on.
    package let isEmpty: Bool
  }

  /// The changed records. Their list is shared, not copied.
  let changed: ContiguousArray<RecordIndex>
  /// The number of records that were changed in the base: the first ones.
  let changedInBase: Int
  /// The optimistic updates that have ended with it.
  let ended: [EndedLayer]

  /// Returns the part of the changes that concerns an observer.
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
