#if canImport(SwiftUI)
  public import RelayStore
  public import SwiftUI

  /// A property wrapper for a query that a view loads when it first appears, and retains as long as
  /// the view exists.
  ///
  ///     @Query(FeedQuery(first: 10)) private var feed
  ///
  /// The value is a ``RelayStore/QueryModel``: `feed.data`, `feed.isLoading`, `feed.error`,
  /// `feed.refetch()`. When the view is created with other variables, the query is loaded with
  /// them. The previous data is shown until the new data is available.
  @propertyWrapper
  public struct Query<Operation: GraphQLQuery>: DynamicProperty {
    @Environment(\.relayEnvironment) private var environment
    @State private var holder = ModelHolder<QueryModel<Operation>>()
    private let query: Operation
    private let policy: FetchPolicy
    private let options: LoadOptions

    public init(
      _ query: Operation, policy: FetchPolicy = .storeOrNetwork,
      options: LoadOptions = LoadOptions()
    ) {
      self.query = query
      self.policy = policy
      self.options = options
    }

    /// The model with the query's data and state.
    @MainActor public var wrappedValue: QueryModel<Operation> {
      let environment = environment.required
      let model = holder.model(in: environment) {
        QueryModel(query, in: environment, policy: policy, options: options)
      }
      if !(model.query == query) { model.load(query) }
      return model
    }
  }
#endif
