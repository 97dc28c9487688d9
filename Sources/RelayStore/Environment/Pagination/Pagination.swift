/// A list that grows page by page: a refetchable fragment with a connection.
///
///     let list = environment.paginate(user.fragments.friends_user)
///     while list.hasNext { try await list.loadNext(10) }
///     for friend in list.data?.friends.nodes ?? .init() { print(friend.name) }
///
/// At most one page is in flight at each end, shared by all callers. Pages are merged in the store,
/// so every observer of the fragment receives them. This object retains the data of the last
/// ``refetch(isolation:changing:)``; the operation that fetched the fragment retains the rest.
public final class Pagination<Fragment: GraphQLRefetchable & GraphQLPaginated>: Sendable {
  let load: PaginationLoad

  init(_ load: PaginationLoad) { self.load = load }

  /// The current state.
  public var state: PaginationState<Fragment> { PaginationState(load.current) }

  /// The states from now on, for any number of consumers.
  public var states: PaginationStates<Fragment> { PaginationStates(load: load) }

  /// The fragment with all loaded edges.
  public var data: Fragment? { state.data }

  /// The reference that the list is read from; a refetch with other variables changes it.
  public var reference: FragmentRef<Fragment> { FragmentRef(load.target) }

  /// The connection's record, for the `connections:` argument of `@appendEdge` and similar
  /// directives; `nil` until a page of the connection is in the store.
  public var connectionID: DataID? { load.connection }

  /// Whether the server has more edges after the list's end.
  public var hasNext: Bool { load.current.hasNext }

  /// Whether the server has more edges before the list's start.
  public var hasPrevious: Bool { load.current.hasPrevious }

  /// Whether a page is being loaded at the end of the list.
  public var isLoadingNext: Bool { load.current.isLoadingNext }

  /// Whether a page is being loaded at the start of the list.
  public var isLoadingPrevious: Bool { load.current.isLoadingPrevious }

  /// Loads the page after the list's end, or waits for the page in flight there. Returns at once if
  /// the server has no more edges.
  ///
  /// If the list was refetched in the meantime, so that the page's cursor no longer continues it,
  /// the page is not merged; it is logged as ``StoreEvent/pageNotMerged(key:)``.
  ///
  /// - Parameter count: The number of edges to request, at least one; ignored if the fragment has a
  ///   fixed number.
  /// - Throws: ``RelayError`` as `fetch` does; with code `graphQL` and any errors of the server if
  ///   the page is null; with code `request` if the count is below one. The list is then unchanged.
  public func loadNext(_ count: Int) async throws { try await load.load(.next, count) }

  /// Loads the page before the list's start, as ``loadNext(_:)`` loads the page after its end.
  public func loadPrevious(_ count: Int) async throws { try await load.load(.previous, count) }

  /// Fetches the list again, from its first page.
  ///
  ///     try await list.refetch { $0.order = .some(.age) }
  ///
  /// The previous list is shown until then. Other values for the filter arguments select another
  /// list; the previous one remains in the store. If several refetches run concurrently, the last
  /// one started decides the reference.
  ///
  /// - Parameters:
  ///   - actor: The actor that the call runs on; the caller's by default.
  ///   - change: Overrides variables that the fragment was read with.
  /// - Throws: ``RelayError`` as `fetch` does; with code `graphQL` if the object is null because of
  ///   an error; with code `request` if the fragment has no record, as with `.value(…)`. The list
  ///   is then unchanged.
  public func refetch(
    isolation actor: isolated (any Actor)? = #isolation,
    changing change: (inout RefetchVariables<Fragment.RefetchQuery>) -> Void = { _ in }
  ) async throws {
    try await load.refetch(changing: RefetchVariables.changes(change))
  }

  /// Fetches the list with a query for the fragment, on this or another object.
  public func refetch(_ query: Fragment.RefetchQuery) async throws {
    try await load.refetch(load.request(query))
  }
}

extension PaginationLoad {
  /// Returns a request of the fragment's query.
  func request(_ query: some GraphQLQuery) -> OperationRequest {
    OperationRequest(query, store: environment.store, root: .root)
  }
}
