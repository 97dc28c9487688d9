public import Observation

/// A list that grows page by page, for a view.
///
///     let friends = PaginationModel(user.fragments.friends_user, in: environment)
///     friends.data?.friends.nodes                          // a row each
///     if friends.hasNext { friends.loadNext(10) }          // when the last row is shown
///
/// The list is there at once. What a commit on the main actor changes, the model has when the commit returns; other changes
/// come soon after. It observes until it is dropped, which cancels what it has asked for.
@MainActor @Observable
public final class PaginationModel<Fragment: GraphQLRefetchable & GraphQLPaginated> {
  /// All that is known.
  public private(set) var state: PaginationState<Fragment>
  /// The list itself, for calls that wait.
  @ObservationIgnored public let list: Pagination<Fragment>
  @ObservationIgnored private var subscription: UInt64?
  @ObservationIgnored private var revision: UInt64 = 0
  @ObservationIgnored private var tasks: [UInt64: Task<Void, Never>] = [:]
  @ObservationIgnored private var lastTask: UInt64 = 0

  public init(_ fragment: FragmentRef<Fragment>, in environment: RelayEnvironment) {
    list = environment.paginate(fragment)
    state = list.state
    let deliveries = environment.store.deliveries
    subscription = list.load.subscribe { [weak self] state in
      deliveries.onMainActor { self?.take(state) }
    }
  }

  deinit {
    for task in tasks.values { task.cancel() }
    if let subscription { list.load.unsubscribe(subscription) }
  }

  /// The fragment with the whole list.
  public var data: Fragment? { state.data }
  /// Whether the server has more behind the list's end.
  public var hasNext: Bool { state.hasNext }
  /// Whether the server has more before the list's start.
  public var hasPrevious: Bool { state.hasPrevious }
  /// Whether a page is on its way to the end of the list.
  public var isLoadingNext: Bool { state.isLoadingNext }
  /// Whether a page is on its way to the start of the list.
  public var isLoadingPrevious: Bool { state.isLoadingPrevious }
  /// Whether the list is being fetched anew.
  public var isRefetching: Bool { state.isRefetching }
  /// Why the last page or refetch failed; the list from before is still there.
  public var error: RelayError? { state.error }

  /// Loads the page behind the list's end, unless one is on its way or there is no more.
  public func loadNext(_ count: Int) {
    if hasNext, !isLoadingNext { start { try await $0.loadNext(count) } }
  }

  /// Loads the page before the list's start, unless one is on its way or there is no more.
  public func loadPrevious(_ count: Int) {
    if hasPrevious, !isLoadingPrevious { start { try await $0.loadPrevious(count) } }
  }

  /// Fetches the list anew; see ``Pagination/refetch(changing:)``.
  public func refetch(changing changes: Variables = [:]) {
    start { try await $0.refetch(changing: changes) }
  }

  /// Errors are part of the state.
  private func start(_ body: @escaping @Sendable (Pagination<Fragment>) async throws -> Void) {
    let list = list
    lastTask += 1
    let number = lastTask
    tasks[number] = Task { [weak self] in
      try? await body(list)
      self?.tasks[number] = nil
    }
  }

  private func take(_ new: PageState) {
    guard new.revision > revision else { return }
    revision = new.revision
    state = PaginationState(new)
  }
}

extension FragmentModel where Fragment: GraphQLRefetchable {
  /// Fetches the fragment again, with other variables where there are any, and shows that; the data from before is shown
  /// meanwhile.
  ///
  /// - Throws: As ``RelayEnvironment/refetch(_:changing:timeout:)``.
  public func refetch(changing changes: Variables = [:]) async throws {
    let before = reference
    let new = try await environment.refetch(before, changing: changes)
    // Who has shown another one meanwhile wants to see that.
    if reference == before { show(new) }
  }
}
