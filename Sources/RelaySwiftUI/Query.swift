#if canImport(SwiftUI)
  public import RelayStore
  public import SwiftUI

  /// A query that a view loads when it is first shown, and keeps as long as it is there.
  ///
  ///     @Query(FeedQuery(first: 10)) private var feed
  ///
  /// The value is a ``RelayStore/QueryModel``: `feed.data`, `feed.isLoading`, `feed.error`, `feed.refetch()`. When the view is made with
  /// other variables, they are loaded, and the data from before is shown until theirs is there.
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

    /// The query's data and state.
    @MainActor public var wrappedValue: QueryModel<Operation> {
      let environment = environment.given
      let model = holder.model(in: environment) {
        QueryModel(query, in: environment, policy: policy, options: options)
      }
      if !(model.query == query) { model.load(query) }
      return model
    }
  }
#endif
