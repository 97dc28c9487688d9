import RelayStore

/// The rows of a local query in a model: the state shared by ``LocalQueryModel`` and
/// ``SectionedQueryModel``.
@MainActor
final class FollowedRows<Fragment: GraphQLFragment> {
  /// The tracked properties of the model: `data` for its rows, `isLoading` for ``isNotLoaded``.
  private let tracked = TrackedProperties.make()
  private var result: LocalResult<Fragment>
  private var currentList = RowList()
  private var currentIsNotLoaded = false

  init(_ query: LocalQuery<Fragment>) { result = LocalResult(query) }

  /// Sets the initial rows.
  ///
  /// - Returns: The edits that produced them, and their list.
  func begin(with changes: ReplicaChanges) -> (edits: [RowEdit], list: RowList) {
    let edits = result.apply(changes)
    (currentList, currentIsNotLoaded) = (result.list, changes.isNotLoaded)
    return (edits, currentList)
  }

  /// The rows that the model shows.
  var list: RowList {
    tracked.access(.data)
    return currentList
  }

  /// Whether more rows may still be on the disk.
  var isNotLoaded: Bool {
    tracked.access(.isLoading)
    return currentIsNotLoaded
  }

  /// Applies changes and notifies the views.
  ///
  /// - Parameters:
  ///   - prepare: Called with the edits and the new list, before views are notified.
  ///   - change: Changes the rest of the model's shown state, together with the rows.
  /// - Returns: A closure that computes the difference from the previous rows, in O(*m* log *n*)
  ///   for *m* edits of *n* rows; `nil` if the rows are unchanged.
  func apply(
    _ changes: ReplicaChanges, prepare: ([RowEdit], RowList) -> Void = { _, _ in },
    change: () -> Void = {}
  ) -> (() -> ListChanges)? {
    let edits = result.apply(changes)
    var properties: ModelProperties = edits.isEmpty ? [] : .data
    properties.insert(.isLoading, ifDifferent: currentIsNotLoaded, changes.isNotLoaded)
    let (previous, list, query) = (currentList, result.list, result.query)
    prepare(edits, list)
    tracked.change(properties) {
      (currentList, currentIsNotLoaded) = (list, changes.isNotLoaded)
      change()
    }
    if edits.isEmpty { return nil }
    return { ListChanges(edits, from: previous, to: list, by: query.areInOrder) }
  }
}
