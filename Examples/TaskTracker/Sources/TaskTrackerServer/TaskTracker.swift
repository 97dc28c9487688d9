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

  /// The prefix of the gates that hold the parts of the current request.
  @TaskLocal private static var gate: String?

  private let server: SchemaServer

  /// Creates a server with the seed data.
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
      subscriptions: Resolvers.subscriptions(database), beforeExecuting: beforeExecuting,
      beforePart: { part in
        guard let gate = Self.gate else { return }
        try await database.gate("\(gate)-\(part.gateIndex)").wait()
      })
  }

  public func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    try await server.execute(request)
  }

  /// Executes a request and passes on each of its responses.
  ///
  /// If the request has the header field `X-Gate: name`, each part waits at a gate that the
  /// mutation `openGate` opens. A list item waits at the gate of its index, such as `name-1`; a
  /// fragment waits at `name-0`.
  public func stream(
    _ request: GraphQLRequest, _ receive: @escaping TransportReceiver
  ) async throws {
    try await Self.$gate.withValue(request.headers["X-Gate"]) {
      try await server.stream(request, receive)
    }
  }
}

extension IncrementalPart {
  /// The index of an item; 0 for a fragment.
  fileprivate var gateIndex: Int {
    if isStreamItem, case .index(let index)? = path.components.last { index } else { 0 }
  }
}

/// A namespace for the resolvers; extensions add them by topic.
enum Resolvers {}
