/// The result of a read: a row and how complete it is.
package struct RowSnapshot: Sendable {
  /// The row; `nil` if the data is missing, deleted, or null where that is not allowed.
  package var row: RowStorage?
  package var missing: [ResponsePath] = []
  package var errors: [FieldError] = []
  /// The error that reading the data throws, due to `@required(action: THROW)` or
  /// `@throwOnFieldError`.
  package var failure: FieldError?
  /// The reason why there is no row, if a record was read.
  package var cause: FieldError?
  /// Whether a missing field is not in the store, so that a server may have it, rather than null or
  /// deleted.
  package var lacksData = false
  /// The number of missing paths that are due to elements omitted from lists, because their records
  /// were deleted on the client.
  package var omittedCount = 0
  package var isDeleted = false
  /// Whether an optimistic update has written a record that was seen.
  package var isOptimistic = false
  /// Whether a record that was seen was out of date at the time of the read.
  package var isStale = false
  /// The records that were seen.
  package var seen = SeenRecords()
  /// Whether the row may lack records that were seen: the read followed a link to a deleted record,
  /// or read a derived field.
  package var hasHiddenRecords = false
  /// The records that were seen, if the row does not have all of them.
  package var hidden: [Record] = []
  /// The store's revision at the time of the read.
  package var revision: UInt64 = 0

  /// The row of another plan that was read from the same record at the same time.
  package var companionRow: RowStorage?

  package init() {}

  /// Whether nothing is missing except elements deleted on the client.
  package var isWhole: Bool { row != nil && missing.count == omittedCount }

  /// Whether an observer that has received one snapshot must be notified of the other.
  package func isDifferent(from other: RowSnapshot) -> Bool {
    row.map(Row.init) != other.row.map(Row.init) || missing != other.missing
      || errors != other.errors || isDeleted != other.isDeleted
      || companionRow.map(Row.init) != other.companionRow.map(Row.init)
  }
}
