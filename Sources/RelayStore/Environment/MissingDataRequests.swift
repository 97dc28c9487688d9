/// The rule for when a query, a paged list or a refetchable fragment requests fields that other
/// requests left out.
///
/// Each set of missing fields is requested once. A field that is still missing afterwards is not
/// requested again until it has been present.
struct MissingDataRequests: Sendable {
  /// The missing fields for which a request was sent.
  private var requested: Set<Hole> = []

  /// Returns whether a request is due, and if so marks it as sent.
  ///
  /// - Parameters:
  ///   - row: The current data. Its holes do not include fields that only optimistic updates are
  ///     missing.
  ///   - isIdle: Whether the owner may send a request and has none in flight.
  mutating func isDue(for row: RowSnapshot, isIdle: Bool) -> Bool {
    let holes = Set(row.holes)
    requested.formIntersection(holes)
    // The pending parts of the response may bring the fields.
    guard isIdle, row.pending.isEmpty, !row.isNotLoaded, !holes.isSubset(of: requested) else {
      return false
    }
    requested = holes
    return true
  }

  /// Marks a row's missing fields as requested, because a request for them starts or its response
  /// did not have them.
  mutating func didRequest(_ row: RowSnapshot) { requested.formUnion(row.holes) }
}
