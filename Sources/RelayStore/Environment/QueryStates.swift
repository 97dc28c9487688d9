/// The states of a query that is being loaded: the current one first, then one whenever something
/// of it has changed.
///
/// Every iterator has its own place; one that is slow gets the newest and skips those between.
/// Ending the loop, cancelling its task or dropping the iterator ends its part; errors do not end it.
public struct QueryStates<Data: GraphQLView>: AsyncSequence, Sendable {
  public typealias Element = QueryState<Data>
  public typealias Failure = Never

  let load: @Sendable () -> QueryLoad

  public func makeAsyncIterator() -> Iterator { Iterator(place: Place(load())) }

  /// One consumer's place.
  public struct Iterator: AsyncIteratorProtocol {
    private var place: Place?

    fileprivate init(place: Place) { self.place = place }

    public mutating func next() async -> QueryState<Data>? { await next(isolation: nil) }

    /// The next state, on the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> QueryState<Data>? {
      let state = await place?.mailbox.take(isolation: actor)
      if state == nil { place = nil }
      return state.map(QueryState.init)
    }
  }

  /// Keeps the load going while the iterator is there.
  fileprivate final class Place: Sendable {
    private let load: QueryLoad
    let mailbox: Mailbox<LoadState>

    init(_ load: QueryLoad) {
      self.load = load
      mailbox = load.subscribe()
    }

    deinit { load.unsubscribe(mailbox) }
  }
}

/// A query that is loaded and kept while this is held; see ``RelayEnvironment/load(_:policy:options:)``.
public final class LoadedQuery<Query: GraphQLQuery>: Sendable {
  /// The query with its variables.
  public let query: Query
  private let load: QueryLoad

  init(_ query: Query, _ load: QueryLoad) {
    self.query = query
    self.load = load
  }

  /// What is known now.
  public var state: QueryState<Query.Data> { QueryState(load.current) }

  /// The states from now on, for any number of consumers, who keep the query loaded as this does.
  public var states: QueryStates<Query.Data> { QueryStates { [load] in load } }

  /// Calls a closure with every state, the current one at once; see ``QueryLoad/subscribe(_:)``.
  func subscribe(_ closure: @escaping @Sendable (LoadState) -> Void) -> UInt64 {
    load.subscribe(closure)
  }

  func unsubscribe(_ number: UInt64) { load.unsubscribe(number) }

  /// Asks the server again, unless a request is on its way; the data stays meanwhile.
  public func refetch() { load.fetch() }

  /// Lets go of the data, cancels the request and ends all ``states``; calling it again does nothing.
  public func release() { load.end() }
}

extension RelayEnvironment {
  /// Loads a query, and observes its data together with the loading.
  ///
  ///     for await state in environment.observe(FeedQuery(first: 10), policy: .storeAndNetwork) {
  ///       if let feed = state.data { show(feed) } else if let error = state.error { show(error) }
  ///     }
  ///
  /// Each iterator loads for itself; requests for the same are shared. The data is kept until the iterator ends, and
  /// the request cancelled then.
  public func observe<Query: GraphQLQuery>(
    _ query: Query, policy: FetchPolicy, options: LoadOptions = LoadOptions()
  ) -> QueryStates<Query.Data> {
    let request = OperationRequest(query, store: store, root: .root)
    return QueryStates { [self] in
      QueryLoad(request, in: self, policy: policy, options: options)
    }
  }

  /// Begins to load a query now, and keeps its data while the result is held.
  ///
  ///     let feed = environment.load(FeedQuery(first: 10))      // before the screen is there
  ///     …
  ///     for await state in feed.states { … }
  public func load<Query: GraphQLQuery>(
    _ query: Query, policy: FetchPolicy = .storeOrNetwork, options: LoadOptions = LoadOptions()
  ) -> LoadedQuery<Query> {
    let request = OperationRequest(query, store: store, root: .root)
    return LoadedQuery(query, QueryLoad(request, in: self, policy: policy, options: options))
  }

  /// Whether an operation with the same variables waits for its response.
  public func isActive(_ operation: some GraphQLOperation) -> Bool {
    executions.contains(RequestIdentity.of(operation))
  }

  /// The operations on their way that may bring what a fragment lacks: data that is missing while
  /// there is one is still loading.
  ///
  /// These are the queries that reach the fragment's record, as far as the store knows, and the mutations whose
  /// optimistic response or updater has written a record that the fragment reads.
  ///
  /// - Complexity: O(*n*) in the records that the operations on their way reach, and those that the fragment reads.
  public func pendingOperations<Fragment>(
    affecting fragment: FragmentRef<Fragment>
  ) -> [PendingOperation] {
    guard case .record(let id, let scope) = fragment.target else { return [] }
    return executions.executions.filter { execution in
      if execution.kind == .query { return store.reaches(id, execution.request.plan) }
      return execution.optimisticUpdate.map {
        store.isWritten(byUpdate: $0, id, Fragment.__plan, scope)
      } ?? false
    }.map(PendingOperation.init)
  }
}

/// An operation in flight.
public struct PendingOperation: Sendable, Hashable {
  /// The operation's name.
  public let name: String
  /// Whether it is a query or a mutation.
  public let kind: OperationKind
  /// Its variables, with their defaults.
  public let variables: JSONObject
}

extension PendingOperation {
  init(_ execution: OperationExecution) {
    self.init(
      name: execution.request.operation.name, kind: execution.kind,
      variables: execution.request.scope.operation)
  }
}

extension RequestIdentity {
  /// The identity of an operation with its variables.
  static func of(_ operation: some GraphQLOperation) -> RequestIdentity {
    let plan = Self.plan(of: operation)
    return RequestIdentity(
      plan.normalization, variables: operation.storedVariables, name: plan.name)
  }

  private static func plan<Operation: GraphQLOperation>(of operation: Operation) -> OperationPlan {
    Operation.__operation
  }
}
