public import RelayStore

extension Snapshot {
  /// The reason why this snapshot was delivered: the publishes, and the fields that differ from the
  /// previous snapshot.
  ///
  ///     for await snapshot in environment.observe(todo.fragments.todoRow_todo) {
  ///       print(snapshot.cause.map { "\($0)" } ?? "the first snapshot")
  ///     }
  ///
  /// `nil` for a snapshot that was read rather than delivered, such as the first one of a sequence,
  /// and `nil` without a timeline; see ``/RelayStore/RecordStore/Configuration/timeline``. After
  /// skipped snapshots, the cause includes the publishes of all of them, and the fields that differ
  /// from the last snapshot that the consumer received.
  ///
  /// - Complexity: O(*n*) in the fields of rows that the snapshots do not share, on each access.
  public var cause: SnapshotCause? { found.delivery.map(SnapshotCause.init) }
}
