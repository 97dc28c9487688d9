/// The events of a subscription.
///
/// Each iterator is a separate subscription on the server. Ending the loop, cancelling its task or
/// dropping the iterator unsubscribes. The sequence ends when the server completes the
/// subscription, and throws when it fails.
public struct SubscriptionEvents<Data: GraphQLView>: AsyncSequence, Sendable {
  public typealias Element = SubscriptionEvent<Data>
  public typealias Failure = RelayError

  let subscribe: @Sendable () -> LiveSubscription

  /// Subscribes.
  public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscribe()) }

  /// The subscription of one consumer.
  public struct Iterator: AsyncIteratorProtocol {
    public typealias Failure = RelayError

    fileprivate let subscription: LiveSubscription

    /// Returns the next element, for code that is generic over iterators. All other calls of
    /// `next()` resolve to ``next(isolation:)``.
    @_disfavoredOverload
    public mutating func next() async throws -> SubscriptionEvent<Data>? {
      try await next(isolation: nil)
    }

    /// Returns the next event; `nil` after the last one. The call does not leave the caller's
    /// actor, and does not suspend if an event is already available.
    ///
    /// - Throws: ``RelayError`` if the subscription fails: with code `graphQL` if the server
    ///   rejects or ends it with errors, `transport` if the transport gives up, `response` for an
    ///   event that cannot be read, `overflow`, `update` if the updater throws, or `cancelled` by a
    ///   reset.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(RelayError) -> SubscriptionEvent<Data>? {
      try await subscription.queue.next(isolation: actor).map(SubscriptionEvent.init)
    }
  }
}

/// A consumer's subscription. Dropping it unsubscribes, as ``cancel()`` does.
final class LiveSubscription: Sendable {
  let queue: LiveEventQueue
  private let execution: OperationExecution
  private let caller: UInt64?

  init(_ execution: OperationExecution, queue: LiveEventQueue, clock: any Clock<Duration>) {
    self.execution = execution
    self.queue = queue
    let request = execution.request
    caller = execution.join(
      timeout: nil, clock: clock,
      onData: { [weak execution] in
        // A slow consumer has overflowed the queue, and no one else uses the execution.
        if !queue.push(.data($0)) { execution?.cancel() }
      }
    ) { outcome in
      switch outcome {
      case .success: queue.end(nil)
      case .failure(let error): queue.end(request.operationError(error))
      }
    }
  }

  deinit { cancel() }

  /// Unsubscribes, and empties the buffer; a no-op when the subscription has ended.
  func cancel() {
    queue.close()
    if let caller { execution.leave(caller) }
  }
}
