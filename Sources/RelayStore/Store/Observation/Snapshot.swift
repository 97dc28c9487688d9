/// The errors and extensions of the response that a snapshot was returned for. Indirect, because
/// most snapshots have no response.
@usableFromInline
enum SnapshotResponse: Sendable {
  case none
  indirect case some([GraphQLError], JSONObject)

  fileprivate init(errors: [GraphQLError], extensions: JSONObject) {
    self = errors.isEmpty && extensions.isEmpty ? .none : .some(errors, extensions)
  }

  fileprivate var errors: [GraphQLError] {
    if case .some(let errors, _) = self { errors } else { [] }
  }

  fileprivate var extensions: JSONObject {
    if case .some(_, let extensions) = self { extensions } else { [:] }
  }
}

/// The data of a fragment or an operation at one moment: an immutable value.
public struct Snapshot<Value: Sendable>: Sendable {
  /// The data; `nil` if it is missing or deleted, or if a non-null field is null.
  public var data: Value?
  @usableFromInline package var found: RowSnapshot
  @usableFromInline var response = SnapshotResponse.none

  /// The paths of the fields that are not in the store, or null although the schema forbids it.
  public var missing: [ResponsePath] {
    get { found.missing }
    set { found.details.missing = newValue }
  }

  /// The field errors in this data that no `@catch` inside it has caught: errors that the server
  /// reported, scalars that do not convert, and null fields with `@required`.
  public var errors: [FieldError] {
    get { found.errors }
    set { found.details.errors = newValue }
  }

  /// The distinct parts of this data that have not arrived: fragments spread with `@defer`, and
  /// lists with `@stream`. Data that is already in the store can be read in the meantime.
  ///
  /// A part that fails, or whose response ends early, is no longer pending; its fields have errors,
  /// or are ``missing``.
  public var pending: [PendingPart] {
    get { found.pending }
    set { found.details.pending = newValue }
  }

  /// Whether a part of this data has not arrived.
  public var isPending: Bool { !pending.isEmpty }

  /// Whether absent data may be on disk, because the store is still loading. ``missing`` is empty
  /// in the meantime; a snapshot follows when the store has loaded its data.
  public var isNotLoaded: Bool {
    get { found.isNotLoaded }
    set { found.details.isNotLoaded = newValue }
  }

  /// Whether the record was deleted.
  public var isDeleted: Bool {
    get { found.isDeleted }
    set { found.isDeleted = newValue }
  }

  /// Whether an optimistic update has written a record that was read. A change of this flag alone
  /// is not delivered.
  public var isOptimistic: Bool {
    get { found.isOptimistic }
    set { found.isOptimistic = newValue }
  }

  /// Whether the data may be out of date: a record that was read, or the entire store, was
  /// invalidated after a response last wrote that record; or rows of an earlier snapshot are shown
  /// because a response left out some of their fields. A change of this flag alone is not
  /// delivered.
  public var isStale: Bool {
    get { found.isStale || found.keepsRows }
    set {
      found.isStale = newValue
      if !newValue, found.keepsRows { found.details.keepsRows = false }
    }
  }

  /// The number of changes of the store at the time of the read. It never decreases from one
  /// snapshot to the next.
  public var revision: UInt64 {
    get { found.revision }
    set { found.revision = newValue }
  }

  /// All errors of the response, if a fetch or a commit returned this snapshot.
  public var responseErrors: [GraphQLError] {
    get { response.errors }
    set { response = SnapshotResponse(errors: newValue, extensions: responseExtensions) }
  }

  /// The `extensions` of the response, if a fetch or a commit returned this snapshot.
  public var responseExtensions: JSONObject {
    get { response.extensions }
    set { response = SnapshotResponse(errors: responseErrors, extensions: newValue) }
  }

  /// The ids of all records that were read, including deleted and unknown ones. A change of one of
  /// these records causes a new read.
  ///
  /// - Complexity: O(*n*) in the objects read, on each access.
  public var seenRecords: Set<DataID> { found.seenIDs }

  /// The data if it is complete and without errors; otherwise the errors.
  ///
  /// With `@catch` on the definition this is the complete outcome. Without it, `data` may exist in
  /// spite of errors.
  public var result: Result<Value?, FieldErrors> {
    if errors.isEmpty, !isNotLoaded, missing.isEmpty || found.isWhole { return .success(data) }
    return .failure(FieldErrors(errors, missing: missing.map { FieldError(missing: $0) }))
  }

  /// Whether any field's data is not in the store.
  public var isMissingData: Bool { !missing.isEmpty }
}

extension Snapshot where Value: GraphQLView {
  @inlinable
  package init(_ snapshot: RowSnapshot) {
    self.init(snapshot, data: snapshot.row.map { Value(__row: Row($0)) })
  }
}

extension Snapshot {
  /// Creates a snapshot of several fragments as one value.
  package init<Element: GraphQLView>(plural snapshot: RowSnapshot)
  where Value == GraphQLList<Element?> {
    self.init(
      snapshot, data: snapshot.row?.slots.first.flatMap { GraphQLList<Element?>(__slot: $0) })
  }

  @inlinable
  init(_ snapshot: RowSnapshot, data: Value?) {
    self.data = data
    found = snapshot
  }
}

extension Snapshot: Equatable where Value: Equatable {
  /// Returns whether two snapshots have equal data, missing fields, errors, pending parts, deletion
  /// and loading state. The revision and the optimistic and stale flags are ignored.
  public static func == (left: Snapshot, right: Snapshot) -> Bool {
    left.data == right.data && left.missing == right.missing && left.errors == right.errors
      && left.isDeleted == right.isDeleted && left.pending == right.pending
      && left.isNotLoaded == right.isNotLoaded
  }
}
