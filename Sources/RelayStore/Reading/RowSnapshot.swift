/// What a reader found: a row and how complete it is.
package struct RowSnapshot: Sendable {
  /// `nil` where the data is missing, deleted, or null where it may not be.
  package var row: RowStorage?
  package var missing: [ResponsePath] = []
  package var errors: [FieldError] = []
  /// What reading it throws: an error that `@required(action: THROW)` or `@throwOnFieldError`
  /// does not let pass.
  package var failure: FieldError?
  /// Why there is no row, where a record was read.
  package var cause: FieldError?
  /// Whether something is not in the store that a server may have: neither null nor deleted.
  package var lacksData = false
  /// How many of the missing paths are of records deleted on the client that lists show without.
  package var leftOutCount = 0
  package var isDeleted = false
  /// Whether an optimistic update has written anything it saw.
  package var isOptimistic = false
  /// Whether anything it saw was out of date when it was read.
  package var isStale = false
  /// Every record that was looked at.
  package var seen = SeenRecords()
  /// Whether a link led to a record that is deleted, or a derived field was read: the row does not show all that was
  /// looked at.
  package var hasDeletedLinks = false
  /// The records that were looked at, where the row does not show all of them.
  package var hidden: [Record] = []
  /// The store's revision when it was read.
  package var revision: UInt64 = 0

  /// The row of what was read together with it, of the same record.
  package var companionRow: RowStorage?

  package init() {}

  /// Whether all is there but for what was deleted on the client.
  package var isWhole: Bool { row != nil && missing.count == leftOutCount }

  /// Whether a reader of one has to be told of the other.
  package func isDifferent(from other: RowSnapshot) -> Bool {
    row.map(Row.init) != other.row.map(Row.init) || missing != other.missing
      || errors != other.errors || isDeleted != other.isDeleted
      || companionRow.map(Row.init) != other.companionRow.map(Row.init)
  }
}
