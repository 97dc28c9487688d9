@testable import RelayStore

/// A transport that responds to requests with a closure and logs them.
final class StubTransport: Transport {
  private let respond: @Sendable (GraphQLRequest, Int) async throws -> GraphQLResponse
  private let received = Locked<[GraphQLRequest]>([])

  /// Creates a transport.
  ///
  /// - Parameter respond: Returns the response to a request; its second argument is the number of
  ///   earlier requests.
  init(_ respond: @escaping @Sendable (GraphQLRequest, Int) async throws -> GraphQLResponse) {
    self.respond = respond
  }

  var requests: [GraphQLRequest] { received.withLock { $0 } }

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    let count = received.withLock { received in
      received.append(request)
      return received.count - 1
    }
    return try await respond(request, count)
  }
}

extension GraphQLRequest {
  static let query = GraphQLRequest(
    operationName: "FeedQuery", kind: .query, text: "query FeedQuery { feed }",
    variables: ["first": 10])
  static let mutation = GraphQLRequest(
    operationName: "LikeMutation", kind: .mutation, text: "mutation LikeMutation { like }")
}

extension GraphQLResponse {
  static let empty = GraphQLResponse(json: ["data": [:]])
}

extension RelayError {
  /// Returns the error for a response with an HTTP status; the response is empty by default.
  static func status(
    _ status: Int, retryAfter: String? = nil,
    of response: GraphQLResponse = GraphQLResponse(body: [])
  ) -> RelayError {
    var response = response
    response.status = status
    response.headers["retry-after"] = retryAfter
    return RelayError(rejectedBy: response, operationName: "FeedQuery")
  }
}
