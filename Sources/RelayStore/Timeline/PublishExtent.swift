/// The records that a publish has changed, where some observers that are read after it may depend on
/// none of them: in a batch.
final class PublishExtent: Sendable {
  /// What a publish has changed of the data of an observer.
  struct Part {
    /// Whether it has changed nothing.
    var isEmpty: Bool
  }

  private let changed: ContiguousArray<RecordIndex>

  /// - Parameter changed: The changed records. Their list is shared, not copied.
  init(_ changed: ContiguousArray<RecordIndex>) { self.changed = changed }

  /// Returns what the publish has changed of some records.
  func part(of records: RecordList) -> Part {
    Part(isEmpty: !changed.contains { records.contains($0) })
  }

  /// The estimated size in bytes.
  var byteCount: Int { 48 + changed.count * MemoryLayout<RecordIndex>.stride }
}
