public import RelayStore

/// A source of events that the test sends to any number of subscriptions.
///
///     let comments = SubscriptionSource()
///     let server = try SchemaServer(
///       schema: sdl,
///       subscriptions: ["Subscription.commentAdded": { _ in comments.stream() }])
///     …                                             // the app subscribes
///     try await comments.arrivals(1)
///     comments.send(["id": "1", "text": "Nice"])
///     try await comments.delivered()                // the app has processed it
///     comments.finish()
public final class SubscriptionSource: Sendable {
  private struct State {
    var arrived = 0
    var inboxes: [EventInbox<JSONValue>] = []
  }

  /// The subscriptions, and the tests that wait for a number of them.
  private let state = Watched(State())

  /// Creates a source without subscriptions.
  public init() {}

  /// The number of subscriptions that have not ended.
  public var subscriberCount: Int { open().count }

  /// Starts the source stream of one subscription. It contains the values sent from now on.
  ///
  /// Call this method in a ``SubscriptionResolver``, so that the subscription counts as waiting for
  /// the test until a value is sent; see ``RelayStore/RelayEnvironment/settle(limit:)``.
  public func stream() -> SourceStream {
    let inbox = EventInbox<JSONValue>()
    // An inbox is never locked while this source's lock is held.
    let ended = state.value.inboxes.filter(\.isOver)
    state.change { state in
      state.inboxes.removeAll { inbox in ended.contains { $0 === inbox } }
      state.inboxes.append(inbox)
      state.arrived += 1
    }
    return SourceStream(inbox)
  }

  /// Waits until `count` subscriptions in total have started, including those that have ended.
  ///
  /// - Throws: ``CancelledWaitError`` if the task is cancelled first.
  public func arrivals(_ count: Int) async throws {
    try await state.wait(
      for: "\(count.counted("subscription")) of a source", arrived: { "\($0.arrived)" }
    ) { $0.arrived >= count }
  }

  /// Sends a value to every subscription. Does not wait for them; see ``delivered()``.
  public func send(_ value: JSONValue) {
    for inbox in open() { inbox.add(value) }
  }

  /// Ends every subscription after the values that were sent. Later subscriptions are not affected.
  ///
  /// - Parameter error: The error that ends the subscriptions, as if a ``SourceStream`` threw it;
  ///   `nil` for none.
  public func finish(throwing error: (any Error)? = nil) {
    for inbox in open() { inbox.end(error.map { .failure($0) } ?? .success(())) }
  }

  /// Waits until every subscription has processed the values that were sent, or has ended.
  ///
  /// - Throws: ``CancelledWaitError`` if the test's task is cancelled first.
  public func delivered() async throws {
    for inbox in open() { try await inbox.delivery(to: "a subscription") }
  }

  /// Waits until every subscription has ended, because its caller ended it or the source finished.
  ///
  /// - Throws: ``CancelledWaitError`` if the test's task is cancelled first.
  public func ended() async throws {
    for inbox in open() { try await inbox.ending(of: "a subscription") }
  }

  /// Returns the subscriptions that have not ended, oldest first.
  private func open() -> [EventInbox<JSONValue>] {
    state.value.inboxes.filter { !$0.isOver }
  }
}
