public import RelayStore
import RelayStoreTesting

/// A task tracker's server inside this process: the schema of `schema.graphql`, and the data of
/// `seed.json` to begin with.
///
///     let environment = RelayEnvironment(transport: try TaskTracker())
///
/// The Python server of the integration tests answers the same schema from the same data; what this
/// one answers is compared with it. Every server has its own data.
public struct TaskTracker: Transport {
  /// The schema in GraphQL's own language.
  public static var schema: String {
    String(decoding: PackageResources.schema_graphql, as: UTF8.self)
  }

  private let server: SchemaServer

  /// A server with the data of the seed.
  ///
  /// - Parameter beforeExecuting: Called with each request before it is executed.
  /// - Throws: When the schema and the resolvers do not fit together.
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
      beforeExecuting: beforeExecuting)
  }

  public func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    try await server.execute(request)
  }
}

/// The resolvers, by topic.
enum Resolvers {}
