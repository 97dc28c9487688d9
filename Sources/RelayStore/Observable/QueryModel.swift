public import Observation

/// A query for a view: its data, its loading state and its error.
///
///     let feed = QueryModel(FeedQuery(first: 10), in: environment)
///     if let data = feed.data { … } else if let error = feed.error { … } else { … }
///
/// The model loads the query when its data, state or error is first read, and retains the data
/// until the model is dropped. Dropping it also cancels the request. A model that is created but
/// never read has no cost.
///
/// Views track each property separately: a view that only reads ``data`` is not notified of a
/// refetch with an equal result. ``state`` is tracked as one property. Like all models, it has the
/// changes of a main-actor commit when the commit returns; other changes follow soon after.
@MainActor
public final class QueryModel<Query: GraphQLQuery>: Observable {
  /// A loaded query and its newest state. The query is released only when this value is dropped,
  /// because a model that replaces this one may still show its data.
  private struct Load {
    let token: LatestRequest.Token
    let loaded: LoadedQuery<Query>
    let subscription: UInt64
    var state: LoadState
  }

  private struct State: ModelState {
    var query: Query
    /// The state of the current load, with the previous data while that is shown.
    var load: LoadState
    var showsPrevious = false

    func changes(since old: Self) -> ModelProperties {
      var changes = load.changes(since: old.load)
      changes.insert(.isPreviousData, ifDifferent: old.showsPrevious, showsPrevious)
      if !(query == old.query) { changes.insert(.query) }
      return changes
    }
  }

  private let environment: RelayEnvironment
  private let policy: FetchPolicy
  private let options: LoadOptions
  private let observed: ObservedState<State>
  /// The current load; `nil` until the model is used.
  private var current: Load?
  /// The load of the previous query, whose data is shown until the current load has data or stops
  /// loading.
  private var previous: Load?
  private var loads = LatestRequest()

  /// Creates a model; the query is loaded when its data, state or error is first read.
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

  /// Creates a model that shows another model's data while its own query is loading and has no
  /// data.
  ///
  /// Safe while a view is being drawn: no other model changes before this returns.
  package init(
    _ query: Query, in environment: RelayEnvironment, policy: FetchPolicy, options: LoadOptions,
    showing replaced: QueryModel?
  ) {
    self.environment = environment
    self.policy = policy
    self.options = options
    let load = LoadState(isLoading: policy != .storeOnly)
    observed = ObservedState(State(query: query, load: load))
    guard let replaced,
      let load = replaced.observed.newest.showsPrevious ? replaced.previous : replaced.current
    else { return }
    let models = environment.store.models
    previous = models.deferring { follow(load.loaded) }
  }

  deinit {
    // Read here because the closure is not isolated to the main actor.
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
    observed[.query].query
  }

  /// The data, the loading state and the error.
  public var state: QueryState<Query.Data> {
    useWhileDrawing()
    return QueryState(observed[.state].load)
  }

  /// The data of the query, or of the previous one; see ``isPreviousData``. `nil` until there is
  /// some.
  public var data: Query.Data? {
    useWhileDrawing()
    return observed[.data].load.row?.row.map { Query.Data(__row: Row($0)) }
  }

  /// Whether ``data`` belongs to the previous query, because ``query`` is loading and has no data.
  public var isPreviousData: Bool {
    useWhileDrawing()
    return observed[.isPreviousData].showsPrevious
  }

  /// Whether a request is in flight. For a model that has not been used yet, whether its policy may
  /// send one; the query is then loaded soon after.
  public var isLoading: Bool {
    let isLoading = observed[.isLoading].load.isLoading
    if current == nil {
      let models = environment.store.models
      models.deferring { models.onMainActor { [weak self] in self?.use() } }
    }
    return isLoading
  }

  /// The error of the last request, or the reason for missing data.
  public var error: RelayError? {
    useWhileDrawing()
    return observed[.error].load.error
  }

  // MARK: Loading

  /// Loads the query if the model has not been used yet.
  private func use() { if current == nil { begin(observed.newest.query) } }

  /// Loads the query if the model has not been used yet. Safe while a view is being drawn: no model
  /// changes before this returns, and views of ``isLoading`` are notified later.
  private func useWhileDrawing() {
    guard current == nil else { return }
    let (models, before) = (environment.store.models, observed.newest)
    models.deferring {
      let loaded = environment.load(before.query, policy: policy, options: options, as: .model)
      let load = follow(loaded)
      current = load
      let new = state(of: load)
      observed.replace(by: new)
      if !new.showsPrevious { endPrevious() }
      guard new.load.isLoading != before.load.isLoading else { return }
      models.onMainActor { [weak self] in self?.observed.change(.isLoading) {} }
    }
  }

  /// Fetches the query again, unless a request is in flight; the data is shown in the meantime. The
  /// model is loading when this returns.
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

  /// Loads the query with other variables. If that needs a request, the model is loading when this
  /// returns.
  ///
  /// The previous data is shown while the new query is loading and has no data, as
  /// ``isPreviousData`` indicates. If the new query fails, the model has its error and no data.
  public func load(_ query: Query) { begin(query) }

  /// Loads the query with other variables, and waits for the response if that needs a request.
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
      // If the previous query has no data yet, the data of the query before it is still shown.
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
    let (token, models) = (loads.begin(), environment.store.models)
    let (subscription, state) = loaded.subscribe { [weak self] state in
      if let state { models.onMainActor { self?.apply(state, of: token) } }
    }
    return Load(token: token, loaded: loaded, subscription: subscription, state: state)
  }

  // MARK: Changes

  private func apply(_ new: LoadState, of token: LatestRequest.Token) {
    if current?.token == token, new.revision > current?.state.revision ?? 0 {
      current?.state = new
    } else if previous?.token == token, new.revision > previous?.state.revision ?? 0 {
      previous?.state = new
    } else {
      return
    }
    show()
  }

  private func show() {
    guard let current else { return }
    let new = state(of: current)
    observed.change { $0 = new }
    if !observed.newest.showsPrevious { endPrevious() }
  }

  /// Returns the state of a load, with the previous load's data while it is loading and has none.
  private func state(of current: Load) -> State {
    var state = State(query: current.loaded.query, load: current.state)
    if current.state.isReset { state.load.error = nil }
    guard current.state.row == nil, current.state.isLoading, let previous = previous?.state,
      previous.row != nil
    else { return state }
    state.load.row = previous.row
    state.load.responseErrors = previous.responseErrors
    state.load.responseExtensions = previous.responseExtensions
    state.showsPrevious = true
    return state
  }

  private func endPrevious() {
    if let previous { previous.loaded.unsubscribe(previous.subscription) }
    previous = nil
  }
}
