public import Observation

/// A query for a view: its data, its loading state and its error.
///
///     let feed = QueryModel(FeedQuery(first: 10), in: environment)
///     if let data = feed.data { … } else if let error = feed.error { … } else { … }
///
/// The model loads the query when it is created, and retains the data until it is dropped, which
/// also cancels the request.
@MainActor @Observable
public final class QueryModel<Query: GraphQLQuery> {
  /// The current query.
  public private(set) var query: Query
  /// The data, the loading state and the error.
  public private(set) var state: QueryState<Query.Data>
  /// Whether ``data`` is that of the previous query, while ``query`` is loading and has none.
  public private(set) var isPreviousData = false
  @ObservationIgnored private let environment: RelayEnvironment
  @ObservationIgnored private let policy: FetchPolicy
  @ObservationIgnored private let options: LoadOptions
  @ObservationIgnored private var loaded: LoadedQuery<Query>
  @ObservationIgnored private var subscription: UInt64?
  /// The number of queries loaded so far.
  @ObservationIgnored private var loads = 0
  /// The revision of the state within the current load.
  @ObservationIgnored private var revision: UInt64 = 0
  /// The snapshot of the previous query, shown until the current one has data or has stopped
  /// loading.
  @ObservationIgnored private var previous: Snapshot<Query.Data>?

  public init(
    _ query: Query, in environment: RelayEnvironment, policy: FetchPolicy = .storeOrNetwork,
    options: LoadOptions = LoadOptions()
  ) {
    self.query = query
    self.environment = environment
    self.policy = policy
    self.options = options
    loaded = environment.load(query, policy: policy, options: options)
    state = loaded.state
    follow()
  }

  deinit {
    if let subscription { loaded.unsubscribe(subscription) }
    loaded.release()
  }

  /// The data to show.
  public var data: Query.Data? { state.data }
  /// Whether a request is in flight.
  public var isLoading: Bool { state.isLoading }
  /// The error of the last request, or the reason why there is no data.
  public var error: RelayError? { state.error }

  /// Fetches the query again; the data is shown meanwhile.
  public func refetch() { loaded.refetch() }

  /// Loads another value of the query.
  ///
  /// The previous data is shown while the new query is loading and has none, as ``isPreviousData``
  /// indicates. If the new query fails, the model has its error and no data.
  public func load(_ query: Query) {
    self.query = query
    if let subscription { loaded.unsubscribe(subscription) }
    let before = loaded
    previous = state.snapshot
    loaded = environment.load(query, policy: policy, options: options)
    follow()
    before.release()
  }

  private func follow() {
    loads += 1
    revision = 0
    let (load, deliveries) = (loads, environment.store.deliveries)
    subscription = loaded.subscribe { [weak self] state in
      deliveries.onMainActor { self?.apply(state, of: load) }
    }
  }

  private func apply(_ new: LoadState, of load: Int) {
    guard load == loads, new.revision > revision else { return }
    revision = new.revision
    var shown = QueryState<Query.Data>(new)
    if new.isReset { shown.error = nil }
    if shown.snapshot != nil || !shown.isLoading { previous = nil }
    shown.snapshot = shown.snapshot ?? previous
    state = shown
    if isPreviousData != (previous != nil) { isPreviousData.toggle() }
  }
}
