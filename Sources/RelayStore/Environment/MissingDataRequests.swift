/// Decides when the owner of data, which is a query, a list that is paged or a fragment that can be
/// refetched, sends a request for what other requests have left out.
///
/// One request is sent for a set of missing fields. Those that it does not bring are not requested again
/// until they were complete once.
struct MissingDataRequests: Sendable {
  /// The missing fields for which a request was sent.
  private var requested: Set<Hole> = []

  /// Returns whether a request is due, which then counts as sent.
  ///
  /// - Parameters:
  ///   - row: The current data. Fields that only optimistic updates lack are not among its holes.
  ///   - isIdle: Whether the owner may send a request, and has none in flight.
  mutating func isDue(for row: RowSnapshot, isIdle: Bool) -> Bool {
    let holes = Set(row.holes)
    requested.formIntersection(holes)
    // Parts of the response that remain may bring the fields.
    guard isIdle, row.pending.isEmpty, !row.isNotLoaded, !holes.isSubset(of: requested) else {
      return false
    }
    requested = holes
    return true
  }

  /// Takes the fields that are missing in a row for requested: a request for them begins, or its response
  /// did not have them.
  mutating func didRequest(_ row: RowSnapshot) { requested.formUnion(row.holes) }
}
