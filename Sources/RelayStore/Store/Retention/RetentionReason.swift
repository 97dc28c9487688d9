/// A reason why garbage collection retains a record; see ``RecordStore/explain(_:)``. Future
/// versions may add cases: a `switch` needs a default.
public enum RetentionReason: Sendable, Hashable {
  /// The record is the root, where every query starts.
  case root
  /// The record is a type schema record: it lists the abstract types that a type satisfies. It is
  /// removed with the last record of that type.
  case type
  /// A retained operation reaches the record; `count` is the number of its retentions.
  case retained(operation: String, count: Int)
  /// An operation that is pinned and not retained reaches the record.
  case pinned(operation: String)
  /// An operation in the release buffer reaches the record.
  case released(operation: String)
  /// An operation whose response is arriving in parts reaches the record.
  case receiving(operation: String)
  /// A live observer of this fragment or operation reads the record; the name is empty if the data
  /// has none.
  case observed(by: String)
  /// An optimistic update has written the record or a record that links to it.
  case optimisticUpdate

  /// The reason for which an operation itself is retained.
  package init(_ entry: RetentionTable.Entry, operation name: String) {
    if entry.count > 0 {
      self = .retained(operation: name, count: entry.count)
    } else {
      self = entry.isPinned ? .pinned(operation: name) : .released(operation: name)
    }
  }
}
