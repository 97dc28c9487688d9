/// The states of a query that is loaded: the current one first, then one for each change.
///
/// Each iterator has a buffer of one state; a slow one gets the newest and skips those between.
/// Ending the loop, cancelling its task or dropping the iterator ends its part; errors do not end
/// it.
public struct QueryStates<Data: GraphQLView>: AsyncSequence, Sendable {
  public typealias Element = QueryState<Data>
  public typealias Failure = Never

  let load: @Sendable () -> QueryLoad

  public func makeAsyncIterator() -> Iterator { Iterator(subscription: Subscription(load())) }

  /// The states for one consumer.
  public struct Iterator: AsyncIteratorProtocol {
    private var subscription: Subscription?

    fileprivate init(subscription: Subscription) { self.subscription = subscription }

    public mutating func next() async -> QueryState<Data>? { await next(isolation: nil) }

    /// The next state, on the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> QueryState<Data>? {
      let state = await subscription?.mailbox.next(isolation: actor)
      if state == nil { subscription = nil }
      return state.map(QueryState.init)
    }
  }

  /// A consumer's subscription to the load, which it keeps alive.
  fileprivate final class Subscription: Sendable {
    private let load: QueryLoad
    let mailbox: Mailbox<LoadState>

    init(_ load: QueryLoad) {
      self.load = load
      mailbox = load.subscribe()
    }

    deinit { load.unsubscribe(mailbox) }
  }
}
