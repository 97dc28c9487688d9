public import RelayStore
import RelayStoreTesting

/// An in-process server of a task tracker, with the schema of `schema.graphql` and the initial data
/// of `seed.json`.
///
///     let environment = RelayEnvironment(transport: try TaskTracker())
///
/// The Python server of the integration tests has the same schema and data; tests compare the
/// responses of the two. Each instance has its own copy of the data.
public struct TaskTracker: Transport {
  /// The schema in GraphQL's schema definition language.
  public static var schema: String {
    String(decoding: PackageResources.schema_graphql, as: UTF8.self)
  }

  private let server: SchemaServer

  /// Creates a server with the data of the seed.
  ///
  /// - Parameter beforeExecuting: Called with each request before it is executed.
  /// - Throws: An error if the resolvers do not match the schema.
  public init(
    beforeExecuting: @escaping @Sendable (GraphQLRequest) async throws -> Void = { _ in }
  ) throws {
    let database = Database(seed: try JSONValue(parsing: PackageResources.seed_json))
    let resolvers = [
      Resolvers.queries(database), Resolvers.nodes(database), Resolvers.mutations(database),
      Resolvers.faults,
    ]
    server = try SchemaServer(
      schema: Self.schema,
      resolvers: resolvers.reduce(into: [:]) { all, some in all.merge(some) { first, _ in first } },
      subscriptions: Resolvers.subscriptions(database), beforeExecuting: beforeExecuting)
  }

  public func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    try await server.execute(request)
  }

  public func stream(
    _ request: GraphQLRequest, _ receive: @escaping TransportReceiver
  ) async throws {
    try await server.stream(request, receive)
  }
}

/// A namespace of the resolvers, which extensions add by topic.
enum Resolvers {}
