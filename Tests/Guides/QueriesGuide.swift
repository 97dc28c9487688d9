import RelayStore

// The Swift code of Docs/Queries.md; a test compares them.

private let todoDetail = graphql(
  """
  query TodoDetailQuery($id: ID!) {
    node(id: $id) { ... on Todo { id text isComplete dueAt assignee { name } } }
  }
  """)

/// The details of a row.
@MainActor
final class DetailScreen {
  private let query: QueryModel<TodoDetailQuery>

  init(of id: String, in environment: RelayEnvironment) {
    query = QueryModel(
      TodoDetailQuery(id: id), in: environment, policy: .storeOrNetwork,
      options: LoadOptions(showsPartialData: true))
  }

  /// At once what a list has loaded; other fields are nil until they arrive.
  var todo: TodoDetailQuery.Data.Node_node.AsTodo? { query.data?.node?.asTodo }

  /// A line below the data, or instead of it.
  var status: String? {
    let state = query.state
    if state.isLoading { return "Loading …" }
    if state.error != nil { return "Not up to date." }
    return state.data?.node == nil ? "It was deleted." : nil
  }

  /// For `.refreshable`, and for a button next to ``status``.
  func refresh() async { try? await query.refetch() }
}

/// The way from a row to its details.
struct DetailRouter {
  let environment: RelayEnvironment

  /// Call this before the tap. It sends a request if data is missing or stale.
  func prefetch(_ id: String) async throws {
    try await environment.prefetch(TodoDetailQuery(id: id))
  }

  /// Call this on the tap; a screen that is created later shares the request.
  func load(_ id: String) -> LoadedQuery<TodoDetailQuery> {
    environment.load(TodoDetailQuery(id: id))
  }

  /// Keeps the data in memory until the result is released or dropped.
  func retain(_ id: String) -> Retention { environment.retain(TodoDetailQuery(id: id)) }

  /// Keeps the data on the disk, for later runs without a network; see Offline.
  func keepOffline(_ id: String) async throws {
    environment.pin(TodoDetailQuery(id: id))
    try await environment.fetch(TodoDetailQuery(id: id))
  }
}

/// Creates a store that knows how long data is fresh.
func makeStore() -> RecordStore {
  var configuration = RecordStore.Configuration(queryExpiration: .seconds(3600))
  configuration.maxAges = ["TodoDetailQuery": .seconds(60), "Todo": .seconds(300)]
  configuration.serverMaxAge = .cacheControl
  return RecordStore(configuration: configuration)
}
