/// The states of a loaded query: the current one first, then one for each change.
///
/// Each iterator buffers one state. A slow consumer receives the newest state and skips the earlier
/// ones. Ending the loop, cancelling its task or dropping the iterator unsubscribes; errors do not.
public struct QueryStates<Data: GraphQLView>: AsyncSequence, Sendable {
  public typealias Element = QueryState<Data>
  public typealias Failure = Never

  let load: @Sendable () -> QueryLoad

  public func makeAsyncIterator() -> Iterator { Iterator(subscription: StateSubscription(load())) }

  /// The subscription of one consumer.
  public struct Iterator: AsyncIteratorProtocol {
    private var subscription: StateSubscription<LoadState>?

    fileprivate init(subscription: StateSubscription<LoadState>) {
      self.subscription = subscription
    }

    /// Returns the next element, for code that is generic over iterators. All other calls of
    /// `next()` resolve to ``next(isolation:)``.
    @_disfavoredOverload
    public mutating func next() async -> QueryState<Data>? { await next(isolation: nil) }

    /// Returns the next state. The call does not leave the caller's actor, and does not suspend if
    /// a state is already available.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async
      -> QueryState<Data>?
    {
      let state = await subscription?.mailbox.next(isolation: actor)
      if state == nil { subscription = nil }
      return state.map(QueryState.init)
    }
  }
}
