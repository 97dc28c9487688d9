public import Observation

/// A list that grows page by page, for a view.
///
///     let friends = PaginationModel(user.fragments.friends_user, in: environment)
///     friends.data?.friends.nodes                          // a row each
///     if friends.hasNext { friends.loadNext(10) }          // when the last row is shown
///
/// The list is available at once. The model has the changes of a commit on the main actor when the
/// commit returns; other changes follow soon after. It observes until it is dropped, which cancels
/// its requests.
@MainActor @Observable
public final class PaginationModel<Fragment: GraphQLRefetchable & GraphQLPaginated> {
  /// The list, its loading state and its error.
  public private(set) var state: PaginationState<Fragment>
  /// The underlying list, for `async` calls.
  @ObservationIgnored public let list: Pagination<Fragment>
  @ObservationIgnored private var subscription: UInt64?
  @ObservationIgnored private var revision: UInt64 = 0
  @ObservationIgnored private var tasks: [UInt64: Task<Void, Never>] = [:]
  @ObservationIgnored private var lastTaskID: UInt64 = 0

  public init(_ fragment: FragmentRef<Fragment>, in environment: RelayEnvironment) {
    list = environment.paginate(fragment)
    state = list.state
    let deliveries = environment.store.deliveries
    subscription = list.load.subscribe { [weak self] state in
      deliveries.onMainActor { self?.apply(state) }
    }
  }

  deinit {
    for task in tasks.values { task.cancel() }
    if let subscription { list.load.unsubscribe(subscription) }
  }

  /// The fragment with the whole list.
  public var data: Fragment? { state.data }
  /// Whether the server has more after the list's end.
  public var hasNext: Bool { state.hasNext }
  /// Whether the server has more before the list's start.
  public var hasPrevious: Bool { state.hasPrevious }
  /// Whether a page at the end of the list is being loaded.
  public var isLoadingNext: Bool { state.isLoadingNext }
  /// Whether a page at the start of the list is being loaded.
  public var isLoadingPrevious: Bool { state.isLoadingPrevious }
  /// Whether the list is being refetched.
  public var isRefetching: Bool { state.isRefetching }
  /// The error of the last page or refetch; the previous list stays available.
  public var error: RelayError? { state.error }

  /// Loads the page after the list's end, unless one is in flight or there is no more.
  public func loadNext(_ count: Int) {
    if hasNext, !isLoadingNext { start { try await $0.loadNext(count) } }
  }

  /// Loads the page before the list's start, unless one is in flight or there is no more.
  public func loadPrevious(_ count: Int) {
    if hasPrevious, !isLoadingPrevious { start { try await $0.loadPrevious(count) } }
  }

  /// Refetches the list; see ``Pagination/refetch(changing:)``.
  public func refetch(changing changes: Variables = [:]) {
    start { try await $0.refetch(changing: changes) }
  }

  /// Starts a task that the model cancels when it is dropped. Its errors are part of ``state``.
  private func start(_ body: @escaping @Sendable (Pagination<Fragment>) async throws -> Void) {
    let list = list
    lastTaskID += 1
    let id = lastTaskID
    tasks[id] = Task { [weak self] in
      try? await body(list)
      self?.tasks[id] = nil
    }
  }

  private func apply(_ new: PageState) {
    guard new.revision > revision else { return }
    revision = new.revision
    state = PaginationState(new)
  }
}

extension FragmentModel where Fragment: GraphQLRefetchable {
  /// Refetches the fragment, with changed variables if there are any, and shows the result. The
  /// previous data is shown meanwhile.
  ///
  /// - Throws: As ``RelayEnvironment/refetch(_:changing:timeout:)``.
  public func refetch(changing changes: Variables = [:]) async throws {
    let before = reference
    let new = try await environment.refetch(before, changing: changes)
    // A reference that was set meanwhile takes precedence.
    if reference == before { show(new) }
  }
}
