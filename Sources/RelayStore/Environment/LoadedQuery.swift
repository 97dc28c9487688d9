/// A loaded query, retained until this object is dropped or released; see
/// ``RelayEnvironment/load(_:policy:options:)``.
public final class LoadedQuery<Query: GraphQLQuery>: Sendable {
  /// The query with its variables.
  public let query: Query
  let load: QueryLoad

  init(_ query: Query, _ load: QueryLoad) {
    self.query = query
    self.load = load
  }

  /// The current state.
  public var state: QueryState<Query.Data> { QueryState(load.current) }

  /// The states from now on, for any number of consumers. Each consumer retains the query as this
  /// object does.
  public var states: QueryStates<Query.Data> { QueryStates { [load] in load } }

  /// Calls a closure with every later state; see ``QueryLoad/subscribe(_:)``.
  func subscribe(
    _ closure: @escaping StateReceivers<LoadState>.Receiver
  ) -> (id: UInt64, current: LoadState) {
    load.subscribe(closure)
  }

  func unsubscribe(_ id: UInt64) { load.unsubscribe(id) }

  /// Fetches the query again, unless a request is in flight. The previous data is shown until the
  /// response arrives.
  public func refetch() { load.fetch() }

  /// Waits for the request in flight, if any.
  ///
  /// - Throws: The error of that request, or of the last one.
  func outcome() async throws { try await load.outcome() }

  /// Cancels the request and ends polling. The data remains and follows the store.
  func stop() { load.stop() }

  /// Releases the data, cancels the request and ends all ``states``; idempotent.
  public func release() { load.end() }
}
