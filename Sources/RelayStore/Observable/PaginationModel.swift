public import Observation

/// A list that grows page by page, for a view.
///
///     let friends = PaginationModel(user.fragments.friends_user, in: environment)
///     friends.data?.friends.nodes                          // a row each
///     if friends.hasNext { friends.loadNext(10) }          // when the last row is shown
///
/// The list is available at once. The model observes until it is dropped; dropping it also cancels
/// its requests.
///
/// Views track each property separately, and ``state`` as one property. Like all models, it has the
/// changes of a main-actor commit when the commit returns; other changes follow soon after.
@MainActor
public final class PaginationModel<Fragment: GraphQLRefetchable & GraphQLPaginated>: Observable {
  /// The underlying list, for `async` calls. Its states change together with the model's, in
  /// main-actor turns.
  public let list: Pagination<Fragment>
  private let page: ObservedState<PageState>
  private var subscription: UInt64 = 0
  private var tasks: [UInt64: Task<Void, Never>] = [:]
  private var lastTaskID: UInt64 = 0
  /// This model's last task that waits for a page, for each end of the list.
  private var pageTasks: [PageDirection: UInt64] = [:]

  /// Creates a model with the list's current data and observes it; no request is sent.
  public init(_ fragment: FragmentRef<Fragment>, in environment: RelayEnvironment) {
    list = environment.paginate(fragment, as: .model)
    page = ObservedState(PageState())
    let models = environment.store.models
    let (id, current) = list.load.subscribe { [weak self] state in
      if let state { models.onMainActor { self?.apply(state) } }
    }
    subscription = id
    page.replace(by: current)
  }

  deinit {
    // Read here because the closure is not isolated to the main actor.
    let (load, tasks, subscription) = (list.load, tasks, subscription)
    load.environment.store.models.deferring {
      for task in tasks.values { task.cancel() }
      load.unsubscribe(subscription)
    }
  }

  /// The list, its loading state and its error.
  public var state: PaginationState<Fragment> {
    PaginationState(page[.state])
  }

  /// The reference that the list is read from; a refetch with other variables changes it.
  public var reference: FragmentRef<Fragment> {
    FragmentRef(page[.reference].target)
  }

  /// The fragment with all loaded edges.
  public var data: Fragment? {
    page[.data].row.row.map { Fragment(__row: Row($0)) }
  }

  /// Whether the server has more after the list's end.
  public var hasNext: Bool {
    page[.hasNext].hasNext
  }

  /// Whether the server has more before the list's start.
  public var hasPrevious: Bool {
    page[.hasPrevious].hasPrevious
  }

  /// Whether a page is being loaded at the end of the list.
  public var isLoadingNext: Bool {
    page[.isLoadingNext].isLoadingNext
  }

  /// Whether a page is being loaded at the start of the list.
  public var isLoadingPrevious: Bool {
    page[.isLoadingPrevious].isLoadingPrevious
  }

  /// Whether the list is being refetched.
  public var isRefetching: Bool {
    page[.isRefetching].isRefetching
  }

  /// The error of the last page or refetch; the previous list is still available.
  public var error: RelayError? {
    page[.error].error
  }

  /// Loads the page after the list's end, if there is one. ``isLoadingNext`` is true when this
  /// returns, provided that a request started. If another model of the list is already loading that
  /// page, this model waits for the same page; the request is cancelled only if both models are
  /// dropped.
  public func loadNext(_ count: Int) {
    if page.shown.hasNext { load(.next, count, isLoading: page.shown.isLoadingNext) }
  }

  /// Loads the page after the list's end and waits for it, or for the page in flight; see
  /// ``Pagination/loadNext(_:)``.
  public func loadNext(_ count: Int) async throws { try await loadPage(.next, count) }

  /// Loads the page before the list's start, if there is one. ``isLoadingPrevious`` is true when
  /// this returns, provided that a request started; see `loadNext(_:)`.
  public func loadPrevious(_ count: Int) {
    if page.shown.hasPrevious { load(.previous, count, isLoading: page.shown.isLoadingPrevious) }
  }

  /// Loads the page before the list's start and waits for it, or for the page in flight; see
  /// ``Pagination/loadPrevious(_:)``.
  public func loadPrevious(_ count: Int) async throws { try await loadPage(.previous, count) }

  private func loadPage(_ direction: PageDirection, _ count: Int) async throws {
    if let page = try list.load.begin(direction, count) { return try await page() }
    // The model shows the end of the list in a later main-actor turn, so a loop over ``hasNext``
    // must yield the main actor.
    await Task.yield()
  }

  private func load(_ direction: PageDirection, _ count: Int, isLoading: Bool) {
    if isLoading, pageTasks[direction] != nil { return }
    pageTasks[direction] = start { try $0.begin(direction, count) }
  }

  /// Refetches the list; see ``Pagination/refetch(isolation:changing:)``. ``isRefetching`` is true
  /// when this returns, provided that a request started.
  public func refetch(
    changing change: (inout RefetchVariables<Fragment.RefetchQuery>) -> Void = { _ in }
  ) {
    let changes = RefetchVariables.changes(change)
    start { try $0.beginRefetch(changing: changes) }
  }

  /// Refetches the list and waits for the response; see
  /// ``Pagination/refetch(isolation:changing:)``.
  public func refetch(
    changing change: (inout RefetchVariables<Fragment.RefetchQuery>) -> Void = { _ in }
  ) async throws {
    try await list.load.beginRefetch(changing: RefetchVariables.changes(change))()
  }

  /// Sets the reference whose list the model shows, for a view that is reused. Requests in flight
  /// no longer change the model.
  public func show(_ reference: FragmentRef<Fragment>) {
    if reference.target != page.newest.target { list.load.show(reference.target) }
  }

  /// Starts a request, and a task that waits for it; dropping the model cancels the task. Errors
  /// become part of ``state``.
  ///
  /// - Returns: The id of the task, if a request started.
  @discardableResult
  private func start(
    _ begin: (PaginationLoad) throws -> (@Sendable () async throws -> Void)?
  ) -> UInt64? {
    guard let wait = try? begin(list.load) else { return nil }
    lastTaskID += 1
    let id = lastTaskID
    tasks[id] = Task { [weak self] in
      try? await wait()
      self?.end(id)
    }
    return id
  }

  private func end(_ task: UInt64) {
    tasks[task] = nil
    if let direction = pageTasks.first(where: { $0.value == task })?.key {
      pageTasks[direction] = nil
    }
  }

  private func apply(_ new: PageState) {
    if new.revision > page.newest.revision { page.change { $0 = new } }
  }
}
