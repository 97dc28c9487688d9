/// The snapshots of a fragment or of an operation's data: the current one first, then one whenever
/// its value has changed.
///
/// Every iterator has its own place and gets all values; one that is slow gets the newest and skips
/// those between. Ending the loop, cancelling its task or dropping the iterator unsubscribes. The
/// sequence does not end by itself.
///
///     for await snapshot in environment.observe(todo.fragments.todoRow_todo) {
///       print(snapshot.data?.text ?? "gone")
///     }
public struct Snapshots<Value: GraphQLView>: AsyncSequence, Sendable {
  public typealias Element = Snapshot<Value>
  public typealias Failure = Never

  let subscribe: @Sendable () -> Subscription

  package init(subscribe: @escaping @Sendable () -> Subscription) { self.subscribe = subscribe }

  /// A new place; its first snapshot is the one of now.
  public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscribe()) }

  /// One consumer's place.
  public struct Iterator: AsyncIteratorProtocol {
    let subscription: Subscription

    public mutating func next() async -> Snapshot<Value>? { await next(isolation: nil) }

    /// The next snapshot, on the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Snapshot<Value>? {
      await subscription.next(isolation: actor).map(Snapshot.init)
    }
  }
}
