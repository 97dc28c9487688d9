/// The snapshots of a fragment or of an operation's data: the current one first, then one for each
/// change of its value.
///
/// Iterators are independent of each other. A slow consumer receives the newest snapshot and skips
/// earlier ones. Ending the loop, cancelling its task or dropping the iterator unsubscribes. The
/// sequence never ends by itself.
///
///     for await snapshot in environment.observe(todo.fragments.todoRow_todo) {
///       print(snapshot.data?.text ?? "gone")
///     }
public struct Snapshots<Value: Sendable>: AsyncSequence, Sendable {
  public typealias Element = Snapshot<Value>
  public typealias Failure = Never

  private let subscribe: @Sendable () -> SnapshotSubscription
  private let make: @Sendable (RowSnapshot) -> Snapshot<Value>

  package init(
    _ make: @escaping @Sendable (RowSnapshot) -> Snapshot<Value>,
    subscribe: @escaping @Sendable () -> SnapshotSubscription
  ) {
    self.make = make
    self.subscribe = subscribe
  }

  /// Subscribes; the iterator's first snapshot is the current one.
  public func makeAsyncIterator() -> Iterator {
    Iterator(subscription: subscribe(), make: make)
  }

  /// The subscription of one consumer.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let subscription: SnapshotSubscription
    fileprivate let make: @Sendable (RowSnapshot) -> Snapshot<Value>

    /// Returns the next element, for code that is generic over iterators. Other calls of `next()`
    /// call ``next(isolation:)``.
    @_disfavoredOverload
    public mutating func next() async -> Snapshot<Value>? { await next(isolation: nil) }

    /// Returns the next snapshot. The call does not leave the caller's actor, and does not suspend
    /// if a snapshot is pending.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async
      -> Snapshot<Value>?
    {
      await subscription.next(isolation: actor).map(make)
    }
  }
}

extension Snapshots where Value: GraphQLView {
  package init(subscribe: @escaping @Sendable () -> SnapshotSubscription) {
    self.init({ Snapshot($0) }, subscribe: subscribe)
  }
}
