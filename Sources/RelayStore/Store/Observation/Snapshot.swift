/// What the store knew of a fragment or an operation's data at one moment: a plain value that never
/// changes.
public struct Snapshot<Value: Sendable>: Sendable {
  /// The data; `nil` when it is missing, deleted, or when something is null that may not be.
  public var data: Value?
  /// The fields whose data is not in the store, or null where the schema forbids it.
  public var missing: [ResponsePath]
  /// What is wrong with fields of this data, but for what a `@catch` inside has caught: errors the
  /// server reported, scalars that do not convert, and nulls that are `@required`.
  public var errors: [FieldError]
  /// Whether the record is known not to exist any more.
  public var isDeleted: Bool
  /// Whether an optimistic update had part in it when it was made. A change of this alone is not
  /// delivered.
  public var isOptimistic: Bool
  /// Whether a record it shows, or the whole store, had been invalidated since a response last wrote
  /// that record. A change of this alone is not delivered.
  public var isStale: Bool
  /// Counts the store's changes; it never goes back from one snapshot to the next.
  public var revision: UInt64
  private let found: RowSnapshot
  /// All errors of the response, where this snapshot is what a fetch or a commit returned.
  public var responseErrors: [GraphQLError] = []
  /// What the server told beside data and errors, where this snapshot is what a fetch or a commit
  /// returned.
  public var responseExtensions: JSONObject = [:]

  /// Every record that was looked at to read this, also those that were deleted or unknown: when one of
  /// them changes, it is read again.
  ///
  /// - Complexity: O(*n*) in the objects read, each time it is asked for.
  public var seenRecords: Set<DataID> { found.seenIDs }

  /// The data where nothing is wrong or missing, else why.
  ///
  /// With `@catch` on the definition this is all there is to know; without, `data` may be there
  /// beside errors.
  public var result: Result<Value?, FieldErrors> {
    if errors.isEmpty, missing.isEmpty || found.isWhole { return .success(data) }
    return .failure(FieldErrors(errors, missing: missing.map { FieldError(missing: $0) }))
  }

  /// Whether any field's data is not in the store.
  public var isMissingData: Bool { !missing.isEmpty }
}

extension Snapshot where Value: GraphQLView {
  package init(_ snapshot: RowSnapshot) {
    self.init(snapshot, data: snapshot.row.map { Value(__row: Row($0)) })
  }
}

extension Snapshot {
  /// A snapshot of several fragments as one value.
  package init<Element: GraphQLView>(plural snapshot: RowSnapshot)
  where Value == GraphQLList<Element?> {
    self.init(
      snapshot, data: snapshot.row?.slots.first.flatMap { GraphQLList<Element?>(__slot: $0) })
  }

  private init(_ snapshot: RowSnapshot, data: Value?) {
    self.data = data
    found = snapshot
    missing = snapshot.missing
    errors = snapshot.errors
    isDeleted = snapshot.isDeleted
    isOptimistic = snapshot.isOptimistic
    isStale = snapshot.isStale
    revision = snapshot.revision
  }
}

extension Snapshot: Equatable where Value: Equatable {
  /// Snapshots are equal when they say the same; the revision takes no part, nor does whether they
  /// were optimistic or stale.
  public static func == (left: Snapshot, right: Snapshot) -> Bool {
    left.data == right.data && left.missing == right.missing && left.errors == right.errors
      && left.isDeleted == right.isDeleted
  }
}
