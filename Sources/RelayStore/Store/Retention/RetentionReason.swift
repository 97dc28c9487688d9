/// Why garbage collection keeps a record; see ``RecordStore/explain(_:)``. More may come: a `switch`
/// needs a default.
public enum RetentionReason: Sendable, Hashable {
  /// It is the record at which every query starts.
  case root
  /// It remembers which abstract types a type satisfies; it goes with the last record of that type.
  case type
  /// A retained operation reaches it; by how many retentions that is held.
  case retained(operation: String, count: Int)
  /// An operation in the release buffer reaches it.
  case released(operation: String)
  /// A live observer of this fragment or operation reads it; empty where the data has no name.
  case observed(by: String)
  /// An optimistic update has written it, or a record that links to it.
  case optimisticUpdate
}
