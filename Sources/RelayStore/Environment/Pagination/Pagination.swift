/// A list that grows page by page: a refetchable fragment with a connection, and its pages on their way.
///
///     let list = environment.paginate(user.fragments.friends_user)
///     while list.hasNext { try await list.loadNext(10) }
///     for friend in list.data?.friends.nodes ?? .init() { print(friend.name) }
///
/// Of each end one page at most is on its way, whoever has asked for it. Pages are merged in the store: everyone who observes the
/// fragment sees them. What a ``refetch(changing:)`` has brought is kept while this is held; the rest is kept by
/// what has fetched the fragment.
public final class Pagination<Fragment: GraphQLRefetchable & GraphQLPaginated>: Sendable {
  let load: PaginationLoad

  init(_ load: PaginationLoad) { self.load = load }

  /// All that is known now.
  public var state: PaginationState<Fragment> { PaginationState(load.current) }

  /// The states from now on, for any number of consumers.
  public var states: PaginationStates<Fragment> { PaginationStates(load: load) }

  /// The fragment with the whole list.
  public var data: Fragment? { state.data }

  /// What the list is read from; a refetch with other variables changes it.
  public var reference: FragmentRef<Fragment> { FragmentRef(load.target) }

  /// The connection's own record, as `connections:` of `@appendEdge` and its like takes it; `nil` until a page of it is there.
  public var connectionID: DataID? { load.connection }

  /// Whether the server has more behind the list's end.
  public var hasNext: Bool { load.current.hasNext }

  /// Whether the server has more before the list's start.
  public var hasPrevious: Bool { load.current.hasPrevious }

  /// Whether a page is on its way to the end of the list.
  public var isLoadingNext: Bool { load.current.isLoadingNext }

  /// Whether a page is on its way to the start of the list.
  public var isLoadingPrevious: Bool { load.current.isLoadingPrevious }

  /// Loads the page behind the list's end; waits for the one that is on its way where there is one, and does nothing where
  /// there is no more.
  ///
  /// A page whose cursor does not continue the list, because the list was fetched anew meanwhile, is left out and
  /// logged as ``StoreEvent/pageNotMerged(key:)``.
  ///
  /// - Parameter count: How many elements to ask for, one at least; of no effect where the fragment says a number.
  /// - Throws: ``RelayError`` as `fetch` does; with code `graphQL` and the server's errors, if it sent any, where the
  ///   page is null; with code `request` for a count below one. The list is as before.
  public func loadNext(_ count: Int) async throws { try await load.load(.next, count) }

  /// Loads the page before the list's start, as ``loadNext(_:)`` does the one behind its end.
  public func loadPrevious(_ count: Int) async throws { try await load.load(.previous, count) }

  /// Fetches the list anew, from its first page.
  ///
  ///     try await list.refetch(changing: ["order": Order.age])
  ///
  /// The old list is shown meanwhile. With other values for the arguments that are filters it is another list, and the old one
  /// stays in the store. Of several at the same time the one that began last decides what is shown.
  ///
  /// - Parameter changes: Values for variables of the fragment in place of those that it was read with; `.null` is null.
  /// - Throws: ``RelayError`` as `fetch` does; with code `graphQL` where the object is null because of an error; with
  ///   code `request` where the fragment has no record, as one of `.value(…)`. The list is as before.
  public func refetch(changing changes: Variables = [:]) async throws {
    try await load.refetch(changing: changes)
  }

  /// Fetches the list that a query of the fragment's own says, of this or another object.
  ///
  /// - Throws: As ``refetch(changing:)``.
  public func refetch(_ query: Fragment.RefetchQuery) async throws {
    try await load.refetch(load.request(query))
  }
}

extension PaginationLoad {
  /// A request of the fragment's query.
  func request(_ query: some GraphQLQuery) -> OperationRequest {
    OperationRequest(query, store: environment.store, root: .root)
  }
}
