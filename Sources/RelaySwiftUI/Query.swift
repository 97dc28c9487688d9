#if canImport(SwiftUI)
  public import RelayStore
  public import SwiftUI

  /// A property wrapper for a query that a view loads when it first appears, and retains for its
  /// lifetime.
  ///
  ///     @Query(FeedQuery(first: 10)) private var feed
  ///
  /// The value is a ``/RelayStore/QueryModel``: `feed.data`, `feed.isLoading`, `feed.error`,
  /// `feed.refetch()`. When the view is created with other variables, another model loads the query
  /// with them. It shows the previous data until the new data is available.
  @propertyWrapper
  public struct Query<Operation: GraphQLQuery>: DynamicProperty {
    @Environment(\.relayEnvironment) private var environment
    @State private var holder = ModelHolder<QueryModel<Operation>>()
    private let query: Operation
    private let policy: FetchPolicy
    private let options: LoadOptions

    /// Creates a wrapper that loads a query in the view's environment.
    ///
    /// - Parameters:
    ///   - query: The query with its variables.
    ///   - policy: The sources of the data.
    ///   - options: The time limit, the polling interval and the handling of missing fields.
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
      return holder.model(in: environment, for: query.__variables) { previous in
        QueryModel(
          query, in: environment, policy: policy, options: options, showing: previous)
      }
    }
  }
#endif
