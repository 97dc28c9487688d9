public import RelayStore

/// A source of subscription events that the test sends, to any number of subscriptions.
///
///     let comments = SubscriptionSource()
///     let server = try SchemaServer(
///       schema: sdl,
///       subscriptions: ["Subscription.commentAdded": { _ in comments.stream() }])
///     …                                             // the app subscribes
///     await comments.arrivals(1)
///     comments.send(["id": "1", "text": "Nice"])
///     await comments.delivered()                    // the app has processed it
///     comments.finish()
public final class SubscriptionSource: Sendable {
  private struct State {
    var arrived = 0
    var inboxes: [EventInbox<JSONValue>] = []
    var countWaiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  /// Guards the subscriptions and the waiters. Continuations are resumed after the lock is released.
  private let state = Locked(State())

  /// Creates a source without subscriptions.
  public init() {}

  /// The number of subscriptions that have not ended.
  public var subscriberCount: Int { open().count }

  /// Begins the source stream of one subscription. The stream has the values that are sent from now
  /// on.
  ///
  /// Call this method in a ``SubscriptionResolver``. The subscription then counts as waiting for
  /// the test until a value is sent; see ``RelayStore/RelayEnvironment/settle(limit:)``.
  public func stream() -> SourceStream {
    let inbox = EventInbox<JSONValue>()
    // The lock of an inbox is not taken under the lock of this source.
    let ended = state.withLock { $0.inboxes }.filter(\.isOver)
    let waiters = state.withLock { state in
      state.inboxes.removeAll { inbox in ended.contains { $0 === inbox } }
      state.inboxes.append(inbox)
      state.arrived += 1
      let arrived = state.arrived
      defer { state.countWaiters.removeAll { $0.count <= arrived } }
      return state.countWaiters.filter { $0.count <= arrived }
    }
    for waiter in waiters { waiter.continuation.resume() }
    return SourceStream(inbox)
  }

  /// Waits until `count` subscriptions in total have begun, whether they have ended or not.
  public func arrivals(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.arrived < count { state.countWaiters.append((count, continuation)) }
        return state.arrived >= count
      }
      if isReached { continuation.resume() }
    }
  }

  /// Sends a value to every subscription. The method does not wait for them; see ``delivered()``.
  public func send(_ value: JSONValue) {
    for inbox in open() { inbox.add(value) }
  }

  /// Ends every subscription after the values that were sent. Later subscriptions are not affected.
  ///
  /// - Parameter error: The error that ends them, as an error of a ``SourceStream`` does; `nil` for
  ///   none.
  public func finish(throwing error: (any Error)? = nil) {
    for inbox in open() { inbox.end(error.map { .failure($0) } ?? .success(())) }
  }

  /// Waits until every subscription has processed the values that were sent, or has ended.
  public func delivered() async {
    for inbox in open() { await inbox.delivery() }
  }

  /// Waits until every subscription has ended, by its caller or because the source was finished.
  public func ended() async {
    for inbox in open() { await inbox.ending() }
  }

  /// Returns the subscriptions that have not ended, in the order in which they began.
  private func open() -> [EventInbox<JSONValue>] {
    state.withLock { $0.inboxes }.filter { !$0.isOver }
  }
}
