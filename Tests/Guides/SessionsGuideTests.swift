import RelayNetwork
import RelayStore
import RelayStoreTesting
import Testing

/// A server whose tokens expire when the test says so.
private actor TokenServer: Transport {
  /// The number of tokens issued; only the last one is valid.
  private var issued = 0
  private var isValid = false
  private(set) var operations: [String] = []
  private var server: SchemaServer?

  func expireToken() { isValid = false }

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    operations.append(request.operationName)
    if request.kind == .query,
      !isValid || request.headers["Authorization"] != "token \(issued)"
    {
      var response = GraphQLResponse(json: ["errors": [["message": "Who are you?"]]])
      response.status = 401
      return response
    }
    let server = try server ?? makeServer()
    self.server = server
    return try await server.execute(request)
  }

  private func makeServer() throws -> SchemaServer {
    try SchemaServer(
      schema: guideSchema(),
      resolvers: [
        "Mutation.logIn": { [self] in try await logIn(password: $0.argument("password")) },
        "Mutation.refresh": { [self] in try await refresh($0.argument("token")) },
        "Query.feed": { _ in [["id": "1", "text": "Wash", "isComplete": false, "likes": 0]] },
      ])
  }

  private func logIn(password: String) throws -> JSONValue {
    guard password == "secret" else { throw GraphQLError(message: "Wrong password.") }
    return issueTokens()
  }

  private func refresh(_ token: String) throws -> JSONValue {
    guard token == "refresh \(issued)" else { throw GraphQLError(message: "It has expired.") }
    return issueTokens()
  }

  private func issueTokens() -> JSONValue {
    issued += 1
    isValid = true
    return ["token": .string("token \(issued)"), "refreshToken": .string("refresh \(issued)")]
  }

  /// Ends the session: the refresh token has expired too.
  func endSession() {
    issued += 1
    isValid = false
  }
}

@Suite("The program of the guide to sessions", .timeLimit(.minutes(1)))
@MainActor
struct SessionsGuideTests {
  @Test("a user logs in, gets new tokens, logs in again, and logs out")
  func session() async throws {
    let server = TokenServer()
    let account = AccountModel(over: server)
    let refused = await #expect(throws: RelayError.self) {
      try await account.logIn("ada", password: "wrong")
    }
    #expect(refused?.errors.map(\.message) == ["Wrong password."])
    #expect(account.environment == nil)

    try await account.logIn("ada", password: "secret")
    let environment = try #require(account.environment)
    let feed = QueryModel(FeedQuery(first: 1), in: environment)
    try await eventually(["1"]) { feed.data?.feed.map(\.id) }

    // The token expires while two requests are sent.
    await server.expireToken()
    async let one = environment.fetch(FeedQuery(first: 1))
    async let other = environment.fetch(FeedQuery(first: 2))
    _ = try await (one, other)
    let refreshes = await server.operations.filter { $0 == "RefreshMutation" }
    #expect(refreshes.count == 1)

    // The session ends, and the user logs in again.
    await server.endSession()
    let ended = await #expect(throws: RelayError.self) {
      try await environment.fetch(FeedQuery(first: 1))
    }
    #expect(ended?.isUnauthenticated == true)
    #expect(ended?.errors.map(\.message) == ["It has expired."])
    #expect(feed.data?.feed.count == 1)
    try await account.logIn("ada", password: "secret")
    #expect(account.environment === environment)
    try await feed.refetch()
    #expect(feed.error == nil)

    // The next user sees no data of the first.
    try await account.logOut()
    #expect(account.environment == nil)
    try await environment.settle()
    #expect(feed.data == nil)
    try await account.logIn("eve", password: "secret")
    let next = try #require(account.environment)
    #expect(next !== environment)
  }
}
