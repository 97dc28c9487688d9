/// Models of data for views: a view that reads a model's property is redrawn when it changes.
/// Reading data with ``RelayEnvironment/read(_:)-(FragmentRef<Fragment>)`` is not tracked.
extension RelayEnvironment {
  /// Returns a model of a fragment's data.
  @MainActor
  public func model<Fragment>(_ reference: FragmentRef<Fragment>) -> FragmentModel<Fragment> {
    FragmentModel(reference, in: self)
  }

  /// Returns a model of a list of fragments, with a model for each row.
  @MainActor
  public func model<Fragment>(
    _ references: some Sequence<FragmentRef<Fragment>>
  ) -> FragmentListModel<Fragment> {
    FragmentListModel(references, in: self)
  }

  /// Returns a model of a query; it loads the query when first read.
  @MainActor
  public func model<Query: GraphQLQuery>(
    _ query: Query, policy: FetchPolicy = .storeOrNetwork, options: LoadOptions = LoadOptions()
  ) -> QueryModel<Query> {
    QueryModel(query, in: self, policy: policy, options: options)
  }

  /// Returns a model of a subscription; it subscribes when first read.
  ///
  /// - Parameters:
  ///   - subscription: The subscription with its variables.
  ///   - onEvent: Called with each event, in order.
  @MainActor
  public func model<Subscription: GraphQLSubscription>(
    _ subscription: Subscription,
    onEvent: SubscriptionModel<Subscription>.EventHandler? = nil
  ) -> SubscriptionModel<Subscription> {
    SubscriptionModel(subscription, in: self, onEvent: onEvent)
  }
}
