public import RelayStore

extension Snapshot {
  /// The reason for which an observer was delivered this snapshot: the publishes, and the fields that
  /// differ from the snapshot before.
  ///
  ///     for await snapshot in environment.observe(todo.fragments.todoRow_todo) {
  ///       print(snapshot.cause.map { "\($0)" } ?? "the first snapshot")
  ///     }
  ///
  /// `nil` for a snapshot that was read rather than delivered, such as the first one of a sequence,
  /// and unless the store records a timeline; see ``/RelayStore/RecordStore/Configuration/timeline``. A consumer
  /// that has skipped snapshots gets the publishes of all of them, and the fields that differ from the
  /// snapshot that it received before.
  ///
  /// - Complexity: O(*n*) in the fields of the rows that both snapshots do not share, on each access.
  public var cause: SnapshotCause? { found.delivery.map(SnapshotCause.init) }
}
