#if canImport(SwiftUI)
  public import RelayStore
  public import SwiftUI

  /// A property wrapper for a subscription with the lifetime of a view.
  ///
  ///     @LiveSubscription(CommentAdded(post: "1")) private var comments
  ///
  /// The value is a ``/RelayStore/SubscriptionModel``: `comments.data`, `comments.isConnected`,
  /// `comments.hasGap`, `comments.restart()`. The view subscribes when its body reads one of these
  /// properties; a view that shows none of them calls `comments.start()`, for example in
  /// `onAppear`. When the view is created with other variables, another model subscribes with them.
  @propertyWrapper
  public struct LiveSubscription<Operation: GraphQLSubscription>: DynamicProperty {
    @Environment(\.relayEnvironment) private var environment
    @State private var holder = ModelHolder<SubscriptionModel<Operation>>()
    private let subscription: Operation
    private let buffering: SubscriptionBuffering?
    private let queries: [any GraphQLQuery]
    private let onEvent: SubscriptionModel<Operation>.EventHandler?
    private let updater: StoreUpdater?

    /// Creates a wrapper that subscribes in the view's environment.
    ///
    /// - Parameters:
    ///   - subscription: The subscription with its variables.
    ///   - buffering: The events that are buffered while the main actor is busy. The default is up
    ///     to 1,000 with an `onEvent`, and otherwise the newest of each kind.
    ///   - queries: The queries whose data the events update. After a gap they are stale, and
    ///     retained ones are fetched again.
    ///   - onEvent: Called with each event, in order. Always the closure of the newest view.
    ///   - updater: Makes further changes after each event is written.
    public init(
      _ subscription: Operation, buffering: SubscriptionBuffering? = nil,
      refetching queries: [any GraphQLQuery] = [],
      onEvent: SubscriptionModel<Operation>.EventHandler? = nil, updater: StoreUpdater? = nil
    ) {
      self.subscription = subscription
      self.buffering = buffering
      self.queries = queries
      self.onEvent = onEvent
      self.updater = updater
    }

    /// The model with the last event and the state of the connection.
    @MainActor public var wrappedValue: SubscriptionModel<Operation> {
      let environment = environment.required
      let model = holder.model(in: environment, for: subscription.__variables) { _ in
        SubscriptionModel(
          subscription, in: environment, buffering: buffering, refetching: queries,
          onEvent: onEvent, updater: updater)
      }
      model.onEvent = onEvent
      return model
    }
  }
#endif
