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
  @ObservationIgnored private let environment: RelayEnvironment
  @ObservationIgnored private let policy: FetchPolicy
  @ObservationIgnored private let options: LoadOptions
  @ObservationIgnored private var loaded: LoadedQuery<Query>
  @ObservationIgnored private var following: Task<Void, Never>?

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
    following?.cancel()
    loaded.release()
  }

  /// The data to show.
  public var data: Query.Data? { state.data }
  /// Whether a request is on its way.
  public var isLoading: Bool { state.isLoading }
  /// Why the last request failed.
  public var error: RelayError? { state.error }

  /// Asks the server again; the data stays meanwhile.
  public func refetch() { loaded.refetch() }

  /// Loads another query of the same kind; the data of the one before is shown until there is some.
  public func load(_ query: Query) {
    self.query = query
    following?.cancel()
    let before = loaded
    loaded = environment.load(query, policy: policy, options: options)
    take(loaded.state)
    before.release()
    follow()
  }

  private func follow() {
    let states = loaded.states
    following = Task { [weak self] in
      for await state in states {
        if Task.isCancelled { return }
        self?.take(state)
      }
    }
  }

  private func take(_ new: QueryState<Query.Data>) {
    var new = new
    new.snapshot = new.snapshot ?? state.snapshot
    state = new
  }
}
