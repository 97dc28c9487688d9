import RelayStore

/// A server that executes a mutation only once, however often it receives the same key.
actor KeyedServer: Transport {
  /// A mutation that was received with a key.
  struct Mutation {
    let key: String
    let operationName: String
    var requestCount = 1
    /// The execution; every request with this key gets its response.
    let response: Task<GraphQLResponse, any Error>
  }

  private let next: any Transport
  /// The mutations with a key, in the order of their first arrival.
  private(set) var mutations: [Mutation] = []

  init(next: any Transport) { self.next = next }

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    guard let key = request.headers["idempotency-key"] else {
      return try await next.execute(request)
    }
    if let index = mutations.firstIndex(where: { $0.key == key }) {
      mutations[index].requestCount += 1
      return try await mutations[index].response.value
    }
    let response = Task { [next] in try await next.execute(request) }
    mutations.append(
      Mutation(key: key, operationName: request.operationName, response: response))
    return try await response.value
  }
}
