public import Observation

/// A subscription for a view: the last event, the state of the connection, and gaps.
///
///     let comments = SubscriptionModel(CommentAdded(post: id), in: environment)
///     comments.data?.commentAdded.text
///     if comments.hasGap { … }
///
/// The model subscribes when one of its properties other than ``subscription`` is first read, or
/// with ``start()``, and unsubscribes when it is dropped. A model that is created but never used
/// has no cost.
///
/// When the model receives an event, the store and every other model already have the event's
/// changes. ``data`` belongs to the event and does not follow the store; see ``FragmentModel`` for
/// data that does. Views track each property separately. If the server ends the subscription, that
/// is not an error; the last data is still available.
@MainActor
public final class SubscriptionModel<Subscription: GraphQLSubscription>: Observable {
  /// A closure that receives the events.
  public typealias EventHandler = @MainActor (SubscriptionEvent<Subscription.Data>) -> Void

  /// The values of the properties.
  private struct State: ModelState {
    var subscription: Subscription
    var snapshot: Snapshot<Subscription.Data>?
    /// The number of snapshots received.
    var eventCount = 0
    var connection: ConnectionState?
    var gapCount = 0
    var error: RelayError?
    var isActive = false

    var isConnected: Bool { connection == .connected }
    var hasGap: Bool { gapCount > 0 }

    mutating func receive(_ event: SubscriptionEvent<Subscription.Data>) {
      switch event {
      case .data(let snapshot):
        self.snapshot = snapshot
        eventCount += 1
      case .connection(let state): connection = state
      case .gap: gapCount += 1
      }
    }

    /// Returns the properties that have changed since another state.
    func changes(since old: Self) -> ModelProperties {
      var changes: ModelProperties = []
      if !(subscription == old.subscription) { changes.insert(.subscription) }
      changes.insert(.data, ifDifferent: old.snapshot?.data?.__row, snapshot?.data?.__row)
      changes.insert(.snapshot, ifDifferent: old.eventCount, eventCount)
      changes.insert(.connection, ifDifferent: old.connection, connection)
      changes.insert(.isConnected, ifDifferent: old.isConnected, isConnected)
      changes.insert(.gapCount, ifDifferent: old.gapCount, gapCount)
      changes.insert(.hasGap, ifDifferent: old.hasGap, hasGap)
      changes.insert(.error, ifDifferent: old.error?.contents, error?.contents)
      changes.insert(.isActive, ifDifferent: old.isActive, isActive)
      return changes
    }
  }

  private let environment: RelayEnvironment
  private let buffering: SubscriptionBuffering
  private let makeFeed: (Subscription) -> SubscriptionFeed
  private let observed: ObservedState<State>
  /// The closure that receives the events.
  package var onEvent: EventHandler?
  /// Whether the model has subscribed or was stopped.
  private var isUsed = false
  /// Whether the model has subscribed to the current subscription since the last reset, so that it
  /// misses events until it subscribes again.
  private var hasSubscribed = false
  /// The current subscription; `nil` without one, and after it has ended.
  private var live: LiveSubscription?
  private var subscriptions = LatestRequest()
  /// The observation of resets, once the model has been used.
  private var resetListening: ExecutionListening?

  /// Creates a model; no request is sent before the model is used.
  ///
  /// - Parameters:
  ///   - subscription: The subscription with its variables.
  ///   - environment: The environment that subscribes.
  ///   - buffering: The events that are buffered while the main actor is busy. When there are more,
  ///     the model has the error `overflow`. The default is up to 1,000 with an `onEvent`, and
  ///     otherwise the newest of each kind, because the properties show no more.
  ///   - queries: The queries whose data the events update. After a gap they are stale, and
  ///     retained ones are fetched again.
  ///   - onEvent: Called with each buffered event, in order, after the properties have changed. The
  ///     model retains the closure, so the closure should not retain the model.
  ///   - updater: Makes further changes after each event is written.
  ///   - context: A value for the transports.
  public init(
    _ subscription: Subscription, in environment: RelayEnvironment,
    buffering: SubscriptionBuffering? = nil, refetching queries: [any GraphQLQuery] = [],
    onEvent: EventHandler? = nil, updater: StoreUpdater? = nil, context: RequestContext? = nil
  ) {
    self.environment = environment
    self.buffering = buffering ?? (onEvent == nil ? .newest : .all(limit: 1_000))
    self.onEvent = onEvent
    makeFeed = { subscription in
      SubscriptionFeed(
        subscription, refetching: queries, updater: updater, context: context,
        store: environment.store)
    }
    observed = ObservedState(State(subscription: subscription))
  }

  deinit {
    // Read here because the closure is not isolated to the main actor.
    guard let live else { return }
    environment.store.models.deferring { live.cancel() }
  }

  // MARK: Properties

  /// The current subscription.
  public var subscription: Subscription {
    observed[.subscription].subscription
  }

  /// The data of the last event; `nil` before the first one, and if its data is null.
  ///
  /// A view that reads it is not notified of an event with equal data.
  public var data: Subscription.Data? {
    start()
    return observed[.data].snapshot?.data
  }

  /// The last event with its errors; it changes with each event and is `nil` before the first one.
  public var snapshot: Snapshot<Subscription.Data>? {
    start()
    return observed[.snapshot].snapshot
  }

  /// The last reported state of the connection; `nil` if the transport has not reported any since
  /// the model last subscribed, and while the model is not active.
  public var connection: ConnectionState? {
    start()
    return observed[.connection].connection
  }

  /// Whether the last reported state of the connection is ``ConnectionState/connected``.
  public var isConnected: Bool {
    start()
    return observed[.isConnected].isConnected
  }

  /// The number of gaps, in which events may have been missed, since the last ``acknowledgeGap()``.
  /// If only the newest events are buffered, gaps in quick succession count once.
  public var gapCount: Int {
    start()
    return observed[.gapCount].gapCount
  }

  /// Whether events may have been missed since the last ``acknowledgeGap()``.
  public var hasGap: Bool {
    start()
    return observed[.hasGap].hasGap
  }

  /// The error that ended the subscription; ``restart()`` subscribes again.
  public var error: RelayError? {
    start()
    return observed[.error].error
  }

  /// Whether the model is subscribed: it has been used, and the subscription has not failed, ended
  /// or been stopped.
  public var isActive: Bool {
    start()
    return observed[.isActive].isActive
  }

  // MARK: Subscribing

  /// Subscribes if the model has not been used yet, as reading a property does.
  ///
  /// Safe while a view is being drawn: no model changes before this returns.
  public func start() { if !isUsed { begin() } }

  /// Subscribes again: after an error, the end or ``stop()``, or instead of an active subscription.
  /// The last data is still available.
  ///
  /// If the model had subscribed before, it reports a gap as soon as the server accepts the
  /// subscription or sends an event.
  public func restart() { begin(isResumed: hasSubscribed) }

  /// Unsubscribes. The last data is still available, and reading a property does not subscribe
  /// again.
  public func stop() {
    isUsed = true
    end()
    observed.change {
      $0.isActive = false
      $0.connection = nil
    }
  }

  /// Subscribes with other variables instead of the previous ones; a no-op if the model is
  /// subscribed to an equal subscription. Clears the data, the gaps and the error of the previous
  /// subscription.
  public func subscribe(to subscription: Subscription) {
    if observed.newest.isActive, subscription == observed.newest.subscription { return }
    hasSubscribed = false
    begin(State(subscription: subscription))
  }

  /// Sets ``gapCount`` to 0, after the missed data was loaded or the user was informed.
  public func acknowledgeGap() { observed.change { $0.gapCount = 0 } }

  /// Subscribes instead of the previous subscription.
  ///
  /// - Parameter state: The values to start with instead of the current ones.
  private func begin(_ state: State? = nil, isResumed: Bool = false) {
    end()
    (isUsed, hasSubscribed) = (true, true)
    let models = environment.store.models
    var state = state ?? observed.newest
    state.connection = nil
    state.error = nil
    state.isActive = true
    // Deferred, so that events that an in-process transport reports at once are received after
    // this.
    models.deferring {
      listenToResets()
      let feed = makeFeed(state.subscription)
      let token = subscriptions.token
      let receiver = EventReceiver { [weak self] in self?.receive(upTo: $0, of: token) }
      let queue = LiveEventQueue(
        buffering, name: feed.request.operation.name, deliveries: environment.store.deliveries
      ) { models.addEvents(upTo: $0, to: receiver) }
      live = environment.subscribe(to: feed, queue: queue, isResumed: isResumed)
    }
    observed.change { $0 = state }
  }

  /// Unsubscribes without notifying views.
  private func end() {
    guard let live else { return }
    self.live = nil
    subscriptions.begin()
    environment.store.models.deferring { live.cancel() }
  }

  private func listenToResets() {
    if resetListening != nil { return }
    let models = environment.store.models
    resetListening = ExecutionListening(
      to: .resets, of: environment.executions, in: environment.store
    ) { [weak self] _ in
      models.onMainActor { self?.reset() }
    }
  }

  private func reset() {
    hasSubscribed = false
    end()
    observed.change { $0 = State(subscription: $0.subscription) }
  }

  // MARK: Events

  /// Receives the events of a subscription up to an ordinal, unless the subscription has ended.
  private func receive(upTo event: Int, of token: LatestRequest.Token) {
    guard subscriptions.isLatest(token), let live else { return }
    let (events, end) = live.queue.take(upTo: event)
    for event in events {
      let event = SubscriptionEvent<Subscription.Data>(event)
      observed.change { $0.receive(event) }
      // A view or the closure may have ended the subscription.
      guard subscriptions.isLatest(token) else { return }
      onEvent?(event)
      guard subscriptions.isLatest(token) else { return }
    }
    guard let error = end else { return }
    self.end()
    observed.change {
      $0.isActive = false
      $0.connection = nil
      $0.error = error
    }
  }
}
