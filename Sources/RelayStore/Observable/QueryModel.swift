public import Observation

/// A query for a view: its data, its loading state and its error.
///
///     let feed = QueryModel(FeedQuery(first: 10), in: environment)
///     if let data = feed.data { … } else if let error = feed.error { … } else { … }
///
/// The model loads the query when its data, state or error is first read, and retains the data until
/// it is dropped, which also cancels the request. A model that is created and never read costs
/// nothing.
///
/// Views track each property apart: a view that reads ``data`` only is not notified of a refetch
/// that brings equal data. ``state`` is tracked as a whole. The model has the changes of a commit
/// on the main actor when the commit returns, as all models have; other changes follow soon after.
@MainActor
public final class QueryModel<Query: GraphQLQuery>: Observable {
  /// A loaded query and its newest state. The query is released when it is dropped, because a model
  /// that replaces this one may show its data meanwhile.
  private struct Load {
    let ordinal: Int
    let loaded: LoadedQuery<Query>
    let subscription: UInt64
    var state: LoadState
  }

  private let environment: RelayEnvironment
  private let policy: FetchPolicy
  private let options: LoadOptions
  private let tracked = TrackedProperties()
  private var currentQuery: Query
  /// The current load; `nil` until the model is used.
  private var current: Load?
  /// The load of the previous query, whose data is shown until the current one has data or has
  /// stopped loading.
  private var previous: Load?
  /// The number of queries loaded or taken over so far.
  private var loadCount = 0
  /// The state to show: that of the current load, with the previous data while that is shown.
  private var shown: LoadState
  /// Whether the data of `shown` is that of the previous query.
  private var showsPrevious = false
  /// The number of changes of `shown`.
  private var changeCount = 0

  /// Creates a model; nothing is loaded before its data, state or error is first read.
  ///
  /// - Parameters:
  ///   - query: The query with its variables.
  ///   - environment: The environment that loads the query.
  ///   - policy: The sources of the data.
  ///   - options: The time limit, the polling interval and the handling of missing fields.
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
    showing replaced: QueryModel?
  ) {
    currentQuery = query
    self.environment = environment
    self.policy = policy
    self.options = options
    shown = LoadState()
    shown.isLoading = policy != .storeOnly
    guard let replaced, let load = replaced.showsPrevious ? replaced.previous : replaced.current
    else { return }
    let models = environment.store.models
    previous = models.deferring { follow(load.loaded) }
  }

  deinit {
    // Read here, because the closure is not isolated to the main actor.
    var loads = [current, previous].compactMap(\.self)
    environment.store.models.deferring {
      for load in loads {
        load.loaded.unsubscribe(load.subscription)
        load.loaded.stop()
      }
      loads = []
    }
  }

  // MARK: Properties

  /// The current query.
  public var query: Query {
    tracked.access(.query)
    return currentQuery
  }

  /// The data, the loading state and the error.
  public var state: QueryState<Query.Data> {
    useWhileDrawing()
    tracked.access(.state)
    return QueryState(shown)
  }

  /// The query's data, or that of the previous query; see ``isPreviousData``. `nil` until there is
  /// some.
  public var data: Query.Data? {
    useWhileDrawing()
    tracked.access(.data)
    return shown.row?.row.map { Query.Data(__row: Row($0)) }
  }

  /// Whether ``data`` is that of the previous query, while ``query`` is loading and has none.
  public var isPreviousData: Bool {
    useWhileDrawing()
    tracked.access(.isPreviousData)
    return showsPrevious
  }

  /// Whether a request is in flight. Of a model that was not used yet, this is whether its policy
  /// may send one; the query is loaded soon after.
  public var isLoading: Bool {
    tracked.access(.isLoading)
    if current == nil {
      let models = environment.store.models
      models.deferring { models.onMainActor { [weak self] in self?.use() } }
    }
    return shown.isLoading
  }

  /// The error of the last request, or the reason why there is no data.
  public var error: RelayError? {
    useWhileDrawing()
    tracked.access(.error)
    return shown.error
  }

  // MARK: Loading

  /// Loads the query if the model was not used yet.
  private func use() { if current == nil { begin(currentQuery) } }

  /// Loads the query if the model was not used yet. A view may be drawn, so that no model changes
  /// before this returns, and views of ``isLoading`` are notified later.
  private func useWhileDrawing() {
    guard current == nil else { return }
    let (models, wasLoading) = (environment.store.models, shown.isLoading)
    models.deferring {
      let loaded = environment.load(
        currentQuery, policy: policy, options: options, as: .model)
      let load = follow(loaded)
      current = load
      (shown, showsPrevious) = load.state.shown(after: previous?.state)
      if !showsPrevious { endPrevious() }
      guard shown.isLoading != wasLoading else { return }
      models.onMainActor { [weak self] in self?.tracked.change(.isLoading) {} }
    }
  }

  /// Fetches the query again, unless a request is in flight; the data is shown meanwhile. The model
  /// is loading when this returns.
  public func refetch() { beginRefetch() }

  /// Fetches the query again, unless a request is in flight, and waits for the response.
  ///
  /// - Throws: ``RelayError`` when the request fails; `CancellationError` when the calling task is
  ///   cancelled, which does not end the request.
  public func refetch() async throws { try await beginRefetch()?.outcome() }

  @discardableResult
  private func beginRefetch() -> LoadedQuery<Query>? {
    use()
    let loaded = current?.loaded
    loaded?.refetch()
    return loaded
  }

  /// Loads another value of the query. If that needs a request, the model is loading when this
  /// returns.
  ///
  /// The previous data is shown while the new query is loading and has none, as ``isPreviousData``
  /// indicates. If the new query fails, the model has its error and no data.
  public func load(_ query: Query) { begin(query) }

  /// Loads another value of the query, and waits for the response if that needs a request.
  ///
  /// - Throws: ``RelayError`` when the request fails; `CancellationError` when the calling task is
  ///   cancelled, which does not end the request.
  public func load(_ query: Query) async throws { try await begin(query).outcome() }

  @discardableResult
  private func begin(_ query: Query) -> LoadedQuery<Query> {
    let loaded = environment.load(query, policy: policy, options: options, as: .model)
    let before = current
    current = follow(loaded)
    if let before {
      // The data of an earlier query stays if the previous one has none yet.
      if previous == nil, before.state.row != nil {
        previous = before
      } else {
        before.loaded.unsubscribe(before.subscription)
      }
      before.loaded.stop()
    }
    show()
    return loaded
  }

  /// Subscribes to a load.
  private func follow(_ loaded: LoadedQuery<Query>) -> Load {
    loadCount += 1
    let (ordinal, models) = (loadCount, environment.store.models)
    let (subscription, state) = loaded.subscribe { [weak self] state in
      models.onMainActor { self?.apply(state, of: ordinal) }
    }
    return Load(ordinal: ordinal, loaded: loaded, subscription: subscription, state: state)
  }

  // MARK: Changes

  private func apply(_ new: LoadState, of ordinal: Int) {
    if current?.ordinal == ordinal, new.revision > current?.state.revision ?? 0 {
      current?.state = new
    } else if previous?.ordinal == ordinal, new.revision > previous?.state.revision ?? 0 {
      previous?.state = new
    } else {
      return
    }
    show()
  }

  /// Shows the state of the current load, with the data of the previous one while it has none.
  private func show() {
    guard let current else { return }
    let query = current.loaded.query
    let (new, newShowsPrevious) = current.state.shown(after: previous?.state)
    var changes = new.changes(since: shown)
    changes.insert(.isPreviousData, ifDifferent: showsPrevious, newShowsPrevious)
    if !(query == currentQuery) { changes.insert(.query) }
    changeCount += 1
    let change = changeCount
    tracked.change(changes) {
      // A view that was notified may have changed the model at once, which then has a newer state.
      if change < changeCount { return }
      (currentQuery, shown, showsPrevious) = (query, new, newShowsPrevious)
    }
    if change == changeCount, !newShowsPrevious { endPrevious() }
  }

  private func endPrevious() {
    if let previous { previous.loaded.unsubscribe(previous.subscription) }
    previous = nil
  }
}

extension LoadState {
  /// Returns the state to show after that of the previous query, and whether that query's data is
  /// shown.
  fileprivate func shown(after previous: LoadState?) -> (shown: LoadState, showsPrevious: Bool) {
    var shown = self
    if isReset { shown.error = nil }
    guard row == nil, isLoading, let previous, previous.row != nil else { return (shown, false) }
    shown.row = previous.row
    shown.responseErrors = previous.responseErrors
    shown.responseExtensions = previous.responseExtensions
    return (shown, true)
  }
}
