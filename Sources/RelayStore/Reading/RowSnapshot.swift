/// The result of a read: a row and how complete it is.
@usableFromInline
package struct RowSnapshot: Sendable {
  /// The row; `nil` if the data is missing, deleted, or null in a non-null position.
  @usableFromInline package var row: RowBox?
  /// The records that were seen.
  package var seen = SeenRecords()
  /// The store's revision at the time of the read.
  package var revision: UInt64 = 0
  package var isDeleted = false
  /// Whether an optimistic update has written a record that was seen.
  package var isOptimistic = false
  /// Whether a record that was seen was out of date at the time of the read.
  package var isStale = false
  /// Whether the read may have seen records that are not in the row: deleted records, or records
  /// that a derived field was computed from.
  var hasHiddenRecords = false
  private var boxedDetails: Box?

  package init() {}

  /// The properties that most snapshots do not use. They are stored out of line, so a snapshot is
  /// small.
  ///
  /// Add a new property to `isEmpty` too, or a snapshot with only that property loses it. Also add
  /// it to ``ObjectMemo/Entry`` if reads add to it, to ``isDifferent(from:)`` if a change is
  /// delivered, to ``captureNotLoaded(in:)``, which otherwise drops it, and to
  /// ``PluralSnapshot/snapshot(revision:in:)``.
  package struct Details: Sendable {
    package var missing: [ResponsePath] = []
    package var errors: [FieldError] = []
    /// The error that reading the data throws, due to `@required(action: THROW)` or
    /// `@throwOnFieldError`.
    package var failure: FieldError?
    /// The reason why there is no row, if a record was read.
    package var cause: FieldError?
    /// Whether a missing field is not in the store, so a server may have it, rather than null or
    /// deleted.
    package var lacksData = false
    /// The locations of the fields that are not in the store.
    package var holes: [Hole] = []
    /// The locations of the fields that are missing only because of optimistic updates. They are not
    /// in ``holes``.
    var optimisticHoles: [Hole] = []
    /// The objects shown with null because of a hole; filled for observers only.
    var partial: Set<RowHistory.Key> = []
    /// Whether rows of the previous snapshot are shown instead of rows with holes.
    package var keepsRows = false
    /// The number of missing paths due to elements omitted from lists because their records were
    /// deleted on the client.
    package var omittedCount = 0
    /// The records that were seen, if the row does not have all of them.
    package var hidden: [Record] = []
    /// The parts of the data that have not arrived.
    package var pending: [PendingPart] = []
    /// The row of another plan that was read from the same record at the same time.
    var companionRow: RowBox?
    /// Whether the missing data may be persisted but not loaded yet.
    package var isNotLoaded = false

    /// The details in a box; `nil` if they are empty.
    fileprivate var box: Box? { isEmpty ? nil : Box(self, nil) }

    var isEmpty: Bool {
      missing.isEmpty && errors.isEmpty && failure == nil && cause == nil && !lacksData
        && omittedCount == 0 && hidden.isEmpty && pending.isEmpty
        && companionRow == nil && !isNotLoaded && holes.isEmpty
        && optimisticHoles.isEmpty && partial.isEmpty && !keepsRows
    }
  }

  fileprivate final class Box: Sendable {
    let details: Details
    /// The reason for the delivery, if the snapshot was delivered in a store with a timeline.
    let delivery: DeliveryCause?

    init(_ details: Details, _ delivery: DeliveryCause?) {
      self.details = details
      self.delivery = delivery
    }
  }

  /// The details.
  ///
  /// - Complexity: Setting non-empty details allocates.
  package var details: Details {
    get { boxedDetails?.details ?? Details() }
    set {
      let delivery = boxedDetails?.delivery
      boxedDetails = newValue.isEmpty && delivery == nil ? nil : Box(newValue, delivery)
    }
  }

  /// The reason for the delivery, if the snapshot was delivered in a store with a timeline.
  ///
  /// - Complexity: Setting it allocates, unless there are neither details nor a reason.
  package var delivery: DeliveryCause? {
    get { boxedDetails?.delivery }
    set {
      guard let newValue else {
        if boxedDetails?.delivery != nil { boxedDetails = boxedDetails?.details.box }
        return
      }
      boxedDetails = Box(boxedDetails?.details ?? Details(), newValue)
    }
  }

  /// Returns this snapshot with the delivery reasons of the snapshot it replaces, if both have
  /// them.
  package func replacing(_ skipped: RowSnapshot?) -> RowSnapshot {
    guard let delivery, let earlier = skipped?.delivery else { return self }
    var snapshot = self
    snapshot.delivery = delivery.including(earlier)
    return snapshot
  }

  /// Whether any property of ``details`` has a value.
  var hasDetails: Bool { boxedDetails.map { !$0.details.isEmpty } ?? false }
  package var missing: [ResponsePath] { boxedDetails?.details.missing ?? [] }
  package var errors: [FieldError] { boxedDetails?.details.errors ?? [] }
  /// The error that reading the data throws; see ``Details/failure``.
  @usableFromInline package var failure: FieldError? { boxedDetails?.details.failure }
  package var cause: FieldError? { boxedDetails?.details.cause }
  package var lacksData: Bool { boxedDetails?.details.lacksData ?? false }
  var partial: Set<RowHistory.Key> { boxedDetails?.details.partial ?? [] }
  package var holes: [Hole] { boxedDetails?.details.holes ?? [] }
  /// The locations of the fields that are missing only because of optimistic updates.
  var optimisticHoles: [Hole] { boxedDetails?.details.optimisticHoles ?? [] }
  /// Whether rows of the previous snapshot are shown instead of rows with holes.
  package var keepsRows: Bool { boxedDetails?.details.keepsRows ?? false }
  package var hidden: [Record] { boxedDetails?.details.hidden ?? [] }
  package var pending: [PendingPart] { boxedDetails?.details.pending ?? [] }
  var companionRow: RowBox? { boxedDetails?.details.companionRow }
  package var isNotLoaded: Bool { boxedDetails?.details.isNotLoaded ?? false }

  /// Whether no data is missing except elements deleted on the client.
  package var isWhole: Bool {
    guard let details = boxedDetails?.details else { return row != nil }
    return row != nil && details.missing.count == details.omittedCount && !details.isNotLoaded
  }

  /// Returns whether an observer that has received one snapshot must be notified of the other.
  package func isDifferent(from other: RowSnapshot) -> Bool {
    if row.map(Row.init) != other.row.map(Row.init) || isDeleted != other.isDeleted { return true }
    if boxedDetails == nil, other.boxedDetails == nil { return false }
    return missing != other.missing || errors != other.errors || pending != other.pending
      || isNotLoaded != other.isNotLoaded
      || companionRow.map(Row.init) != other.companionRow.map(Row.init)
  }
}
