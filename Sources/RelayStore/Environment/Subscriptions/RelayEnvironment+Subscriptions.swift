extension RelayEnvironment {
  /// Subscribes to events that the server pushes.
  ///
  ///     for try await event in environment.subscribe(to: CommentAddedSubscription(post: id)) {
  ///       if let comment = event.data?.commentAdded { print(comment.text) }
  ///     }
  ///
  /// Every event is written to the store, in order, even if the consumer is slow: observers of the
  /// records receive it like any other change, and `@appendEdge` and the other mutation directives
  /// apply to it. The sequence delivers the data of each event, the states of the connection, and
  /// gaps: after the connection was lost, events may be missing.
  ///
  /// No request is sent before the first iterator is created. Equal subscriptions are not shared:
  /// each iterator is a separate subscription on the server.
  ///
  /// - Parameters:
  ///   - subscription: The subscription with its variables.
  ///   - buffering: The events that are buffered while the consumer is busy.
  ///   - queries: The queries whose data the events update. After a gap they are stale, and
  ///     retained ones are fetched again.
  ///   - updater: Makes further changes after each event is written. If it throws, its own writes
  ///     are rolled back, and the subscription ends with its error.
  ///   - context: A value for the transports.
  public func subscribe<Subscription: GraphQLSubscription>(
    to subscription: Subscription, buffering: SubscriptionBuffering = .all(limit: 1_000),
    refetching queries: [any GraphQLQuery] = [], updater: StoreUpdater? = nil,
    context: RequestContext? = nil
  ) -> SubscriptionEvents<Subscription.Data> {
    let feed = SubscriptionFeed(
      subscription, refetching: queries, updater: updater, context: context, store: store)
    return SubscriptionEvents { [self] in
      let queue = LiveEventQueue(
        buffering, name: feed.request.operation.name, deliveries: store.deliveries)
      return subscribe(to: feed, queue: queue)
    }
  }

  /// Starts a subscription.
  ///
  /// - Parameters:
  ///   - queue: The consumer's buffer.
  ///   - isResumed: Whether the consumer had this subscription before and may have missed events.
  ///     If so, a gap is reported once the server accepts the subscription or sends an event.
  func subscribe(
    to feed: SubscriptionFeed, queue: LiveEventQueue, isResumed: Bool = false
  ) -> LiveSubscription {
    let request = feed.request
    let gapIsDue = Locked(isResumed, rank: .leaf)
    let reportGap: @Sendable () -> Void = { [weak self] in
      self?.refetch(feed.refetched)
      queue.push(.gap)
    }
    let reportGapIfDue: @Sendable () -> Void = {
      let isDue = gapIsDue.withLock { isDue in
        defer { isDue = false }
        return isDue
      }
      if isDue { reportGap() }
    }
    let execution = executions.subscriptionExecution(of: request) {
      [store, transport, executions] id, running in
      let commit = ResponseCommit(
        id: id, request: request, store: store, executions: executions, trace: running.trace)
      try await request.stream(
        over: transport, kind: .subscription, context: feed.context, running: running
      ) { event in
        switch event {
        case .connection(let state):
          queue.push(.connection(state))
          if state == .connected { reportGapIfDue() }
        case .gap:
          gapIsDue.withLock { $0 = false }
          reportGap()
        case .response(let received):
          reportGapIfDue()
          running.trace?.responded(received.body)
          executions.endCommit(id, with: try commit(received, updater: feed.updater))
        }
      }
      return FetchedData(row: RowSnapshot())
    }
    return LiveSubscription(execution, queue: queue, clock: clock)
  }

  /// Marks queries as stale, and fetches the retained ones again.
  private func refetch(_ requests: [OperationRequest]) {
    if requests.isEmpty { return }
    // The server may have responded to their requests before the missed events.
    executions.outdate(Set(requests.map(\.identity)))
    let retained = store.markStale(requests.map(\.identity))
    executions.refetch(retained)
    // Loads fetch their query themselves, so that their state is loading. This is for other
    // retentions.
    for request in requests
    where retained.contains(request.identity) && !executions.isFetching(request.identity) {
      let delivery = OutcomeDelivery(in: store.deliveries, isInFlight: true)
      Task { [self] in
        _ = try? await fetched(request, timeout: nil, context: nil, delivery: delivery)
      }
    }
  }
}

extension ResponseCommit {
  /// Writes an event to the store, below its own root.
  fileprivate func callAsFunction(
    _ received: GraphQLResponse, updater: StoreUpdater?
  ) throws -> FetchedData {
    let root = DataID.responseRoot(store.makeID())
    let response = try request.read(received, root: root, trace)
    var fetched = FetchedData(row: RowSnapshot(), response: response)
    let changes = response.payload.map {
      [RecordStore.Change.commit($0, root: root, updater: updater)]
    }
    let reading: Reading = changes == nil ? .never : .withWrite
    try self(&fetched, root: root, reading: reading, isLast: false) { _ in (changes ?? [], nil) }
    if let error = fetched.updaterError {
      if error is RelayError { throw error }
      throw RelayError(
        .update, "The updater of \"\(request.operation.name)\" failed: \(error)",
        operationName: request.operation.name, underlying: error)
    }
    return fetched
  }
}

/// A subscription without the type of its data, and the further effects of its events.
struct SubscriptionFeed: Sendable {
  let request: OperationRequest
  /// The queries that are stale after a gap; retained ones are fetched again.
  let refetched: [OperationRequest]
  let updater: StoreUpdater?
  let context: RequestContext?

  init(
    _ subscription: some GraphQLSubscription, refetching queries: [any GraphQLQuery],
    updater: StoreUpdater?, context: RequestContext?, store: RecordStore
  ) {
    request = OperationRequest(subscription, store: store, root: .root)
    refetched = queries.map { OperationRequest($0, store: store, root: .root) }
    self.updater = updater
    self.context = context
  }
}
