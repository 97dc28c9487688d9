public import Observation

/// A query for a view: its data, its loading state and its error.
///
///     let feed = QueryModel(FeedQuery(first: 10), in: environment)
///     if let data = feed.data { … } else if let error = feed.error { … } else { … }
///
/// The model loads the query when it is created, and retains the data until it is dropped, which
/// also cancels the request.
///
/// Views track each property apart: a view that reads ``data`` only is not notified of a refetch
/// that brings equal data. ``state`` is tracked as a whole. The model has the changes of a commit
/// on the main actor when the commit returns, as all models have; other changes follow soon after.
@MainActor
public final class QueryModel<Query: GraphQLQuery>: Observable {
  private let environment: RelayEnvironment
  private let policy: FetchPolicy
  private let options: LoadOptions
  private let tracked = TrackedProperties()
  private var currentQuery: Query
  private var loaded: LoadedQuery<Query>
  private var subscription: UInt64 = 0
  /// The number of queries loaded so far.
  private var loads = 0
  /// The state to show: that of the current load, with the previous data while that is shown.
  private var shown = LoadState()
  /// The number of the load whose state is shown.
  private var shownLoad = 0
  /// The state of the previous query, whose data is shown until the current one has data or has
  /// stopped loading.
  private var previous: LoadState?

  public convenience init(
    _ query: Query, in environment: RelayEnvironment, policy: FetchPolicy = .storeOrNetwork,
    options: LoadOptions = LoadOptions()
  ) {
    self.init(query, in: environment, policy: policy, options: options, showing: nil)
  }

  /// Creates a model that shows the data of another model while its query is loading and has none.
  ///
  /// Safe while a view is drawn: no other model changes before this returns.
  package init(
    _ query: Query, in environment: RelayEnvironment, policy: FetchPolicy, options: LoadOptions,
    showing previous: QueryModel?
  ) {
    currentQuery = query
    self.environment = environment
    self.policy = policy
    self.options = options
    loaded = environment.store.models.deferring {
      environment.load(query, policy: policy, options: options, isForModel: true)
    }
    (shown, self.previous) = follow().shown(after: previous?.shown.withRow)
    shownLoad = loads
  }

  deinit {
    // Read here, because the closure is not isolated to the main actor.
    let (loaded, subscription) = (loaded, subscription)
    environment.store.models.deferring {
      loaded.unsubscribe(subscription)
      loaded.release()
    }
  }

  /// The current query.
  public var query: Query {
    tracked.access(.query)
    return currentQuery
  }

  /// The data, the loading state and the error.
  public var state: QueryState<Query.Data> {
    tracked.access(.state)
    return QueryState(shown)
  }

  /// The data to show.
  public var data: Query.Data? {
    tracked.access(.data)
    return shown.row?.row.map { Query.Data(__row: Row($0)) }
  }

  /// Whether ``data`` is that of the previous query, while ``query`` is loading and has none.
  public var isPreviousData: Bool {
    tracked.access(.isPreviousData)
    return previous != nil
  }

  /// Whether a request is in flight.
  public var isLoading: Bool {
    tracked.access(.isLoading)
    return shown.isLoading
  }

  /// The error of the last request, or the reason why there is no data.
  public var error: RelayError? {
    tracked.access(.error)
    return shown.error
  }

  /// Fetches the query again; the data is shown meanwhile. The model is loading when this returns.
  public func refetch() { loaded.refetch() }

  /// Loads another value of the query. If that needs a request, the model is loading when this
  /// returns.
  ///
  /// The previous data is shown while the new query is loading and has none, as ``isPreviousData``
  /// indicates. If the new query fails, the model has its error and no data.
  public func load(_ query: Query) {
    let before = loaded
    before.unsubscribe(subscription)
    loaded = environment.load(query, policy: policy, options: options, isForModel: true)
    show(follow(), after: shown.withRow)
    before.release()
  }

  /// Subscribes to the current load, and returns its state.
  private func follow() -> LoadState {
    loads += 1
    let (load, models) = (loads, environment.store.models)
    let (id, state) = loaded.subscribe { [weak self] state in
      models.onMainActor { self?.apply(state, of: load) }
    }
    subscription = id
    return state
  }

  private func apply(_ new: LoadState, of load: Int) {
    guard load == loads else { return }
    if load != shownLoad {
      // A view that is being notified of the load has caused a change.
      show(new, after: shown.withRow)
    } else if new.revision > shown.revision {
      show(new, after: previous)
    }
  }

  /// Shows a state of the current load.
  private func show(_ new: LoadState, after previous: LoadState?) {
    let query = loaded.query
    let (shown, previous) = new.shown(after: previous)
    var changes = shown.changes(since: self.shown)
    changes.insert(.isPreviousData, ifDifferent: self.previous == nil, previous == nil)
    if !(query == currentQuery) { changes.insert(.query) }
    let load = loads
    tracked.change(changes) {
      // A view that was notified may have changed the model at once.
      if load < loads || load == shownLoad && shown.revision < self.shown.revision { return }
      (currentQuery, self.shown, self.previous, shownLoad) = (query, shown, previous, load)
    }
  }
}

extension LoadState {
  /// The state if it has a row, otherwise `nil`.
  fileprivate var withRow: LoadState? { row == nil ? nil : self }

  /// Returns the state to show after that of the previous query, and that state while its data is
  /// shown.
  fileprivate func shown(after previous: LoadState?) -> (shown: LoadState, previous: LoadState?) {
    var shown = self
    if isReset { shown.error = nil }
    guard row == nil, isLoading, let previous else { return (shown, nil) }
    shown.row = previous.row
    shown.responseErrors = previous.responseErrors
    shown.responseExtensions = previous.responseExtensions
    return (shown, previous)
  }
}
