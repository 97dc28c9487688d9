public import Observation

/// A query for a view: its data, whether it is loading, and what went wrong.
///
///     let feed = QueryModel(FeedQuery(first: 10), in: environment)
///     if let data = feed.data { … } else if let error = feed.error { … } else { … }
///
/// It loads when it is made, and keeps the data until it is dropped, which cancels the request too.
@MainActor @Observable
public final class QueryModel<Query: GraphQLQuery> {
  /// The query that is loaded.
  public private(set) var query: Query
  /// All that is known.
  public private(set) var state: QueryState<Query.Data>
  /// Whether ``data`` is still that of the query before, while ``query`` is loading and has none.
  public private(set) var isPreviousData = false
  @ObservationIgnored private let environment: RelayEnvironment
  @ObservationIgnored private let policy: FetchPolicy
  @ObservationIgnored private let options: LoadOptions
  @ObservationIgnored private var loaded: LoadedQuery<Query>
  @ObservationIgnored private var subscription: UInt64?
  /// Counts the queries that were loaded.
  @ObservationIgnored private var loads = 0
  /// The revision of the state, among those of one load.
  @ObservationIgnored private var revision: UInt64 = 0
  /// What is shown until the query has data of its own or is not loading any more.
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
  /// Whether a request is on its way.
  public var isLoading: Bool { state.isLoading }
  /// Why the last request failed, or why there is no data.
  public var error: RelayError? { state.error }

  /// Asks the server again; the data stays meanwhile.
  public func refetch() { loaded.refetch() }

  /// Loads another query of the same kind.
  ///
  /// The data of the one before is shown while it is loading and has none, and ``isPreviousData`` says so; where it fails,
  /// there is its error and no data.
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
      deliveries.onMainActor { self?.take(state, of: load) }
    }
  }

  private func take(_ new: LoadState, of load: Int) {
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
