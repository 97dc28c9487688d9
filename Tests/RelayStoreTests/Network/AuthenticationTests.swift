import Foundation
import RelayNetwork
import RelayStore
import RelayStoreTesting
import Testing

@Suite("Authentication", .timeLimit(.minutes(1)))
struct AuthenticationTests {
  /// A session whose token is the number of its successful refreshes.
  private actor Session {
    private(set) var token = 0
    private(set) var refreshes = 0
    let gate = Gate()
    var failure: RelayError?

    func fail(_ failure: RelayError?) { self.failure = failure }

    func refresh() async throws {
      refreshes += 1
      try await gate.wait()
      if let failure { throw failure }
      token += 1
    }
  }

  private let session = Session()
  /// A server that accepts only the first refreshed token.
  private let server = StubTransport { request, _ in
    guard request.headers["Authorization"] == "1" else { throw RelayError.status(401) }
    return .empty
  }

  private var transport: some Transport {
    server.authenticated(
      by: { [session] in ["Authorization": "\(await session.token)"] },
      refresh: { [session] in try await session.refresh() })
  }

  @Test("requests rejected together share one refresh, and each is sent once more")
  func shared() async throws {
    let transport = transport
    let tasks = (0..<5).map { _ in Task { try await transport.execute(.query) } }
    try await session.gate.arrivals(1)
    session.gate.open()
    for task in tasks { _ = try await task.value }
    #expect(await session.refreshes == 1)
    #expect(server.requests.count { $0.headers["Authorization"] == "1" } == 5)
    _ = try await transport.execute(.mutation)
    #expect(await session.refreshes == 1)
  }

  @Test("a response with status 401 is a rejection, whichever transport returns it")
  func status() async throws {
    session.gate.open()
    let server = StubTransport { request, _ in
      var response = GraphQLResponse(json: ["errors": [["message": "no"]]])
      if request.headers["Authorization"] == "1" {
        response = .empty
      } else {
        response.status = 401
      }
      return response
    }
    let transport = server.authenticated(
      by: { [session] in ["Authorization": "\(await session.token)"] },
      refresh: { [session] in try await session.refresh() })
    #expect(try await transport.execute(.query).errors.isEmpty)
    #expect(await session.refreshes == 1 && server.requests.count == 2)
    let received = Locked<[Int?]>([])
    let stream = server.authenticated(
      by: { [session] in ["Authorization": await session.refreshes == 2 ? "1" : "0"] },
      refresh: { [session] in try await session.refresh() })
    try await stream.stream(.query) { event in
      if case .response(let response) = event { received.withLock { $0.append(response.status) } }
    }
    #expect(received.withLock { $0 } == [nil])
    #expect(await session.refreshes == 2)
  }

  @Test("a request that is rejected again is not sent a third time")
  func rejectedAgain() async throws {
    let server = StubTransport { _, _ in throw RelayError.status(401) }
    session.gate.open()
    let transport = server.authenticated(
      by: { [:] }, refresh: { [session] in try await session.refresh() })
    let error = await #expect(throws: RelayError.self) { try await transport.execute(.query) }
    #expect(error?.status == 401 && server.requests.count == 2)
  }

  @Test(
    "an error of refresh is thrown, and says that there are no credentials",
    arguments: [
      RelayError(.graphQL, "sign in") as any Error, URLError(.notConnectedToInternet),
    ])
  func failedRefresh(error: any Error) async throws {
    let server = StubTransport { _, _ in throw RelayError.status(401) }
    let transport = server.authenticated(by: { [:] }, refresh: { throw error })
    for isStream in [false, true] {
      let thrown = await #expect(throws: RelayError.self) {
        if isStream {
          try await transport.stream(.query) { _ in }
        } else {
          _ = try await transport.execute(.query)
        }
      }
      #expect(thrown?.isUnauthenticated == true && thrown?.operationName == "FeedQuery")
      #expect(
        thrown.map { Result<GraphQLResponse, any Error>.failure($0).isUnauthenticated } == true)
      if let error = error as? RelayError {
        #expect(thrown?.code == error.code && thrown?.message == error.message)
      } else {
        #expect(thrown?.code == .transport && thrown?.underlying is URLError)
      }
    }
    #expect(server.requests.count == 2)
  }

  @Test("a late rejection of old credentials does not trigger another refresh")
  func lateRejection() async throws {
    let server = MockTransport()
    let transport = server.authenticated(
      by: { [session] in ["Authorization": "\(await session.token)"] },
      refresh: { [session] in try await session.refresh() })
    session.gate.open()
    let early = Task { try await transport.execute(.query) }
    let first = try await server.next()
    let late = Task { try await transport.execute(.mutation) }
    let second = try await server.next()
    first.reject(RelayError.status(401))
    let again = try await server.next()
    #expect(again.request.headers["Authorization"] == "1")
    again.resolve(data: [:])
    _ = try await early.value
    second.reject(RelayError.status(401))
    let last = try await server.next()
    #expect(last.request.operationName == "LikeMutation")
    #expect(last.request.headers["Authorization"] == "1")
    last.resolve(data: [:])
    _ = try await late.value
    #expect(await session.refreshes == 1)
  }

  @Test("a failed refresh throws to every waiting request, and the next request refreshes again")
  func failure() async throws {
    await session.fail(RelayError(.transport, "no network"))
    let transport = transport
    let task = Task { try await transport.execute(.query) }
    try await session.gate.arrivals(1)
    session.gate.open()
    let error = await #expect(throws: RelayError.self) { try await task.value }
    #expect(error?.message == "no network")
    await session.fail(nil)
    _ = try await transport.execute(.query)
    #expect(await session.refreshes == 2)
  }

  @Test("a request cancelled during a refresh throws at once, and the refresh continues")
  func cancelled() async throws {
    let transport = transport
    let impatient = Task { try await transport.execute(.query) }
    try await session.gate.arrivals(1)
    impatient.cancel()
    await #expect(throws: CancellationError.self) { try await impatient.value }
    let patient = Task { try await transport.execute(.query) }
    session.gate.open()
    _ = try await patient.value
    #expect(await session.refreshes == 1)
  }

  @Test("an error with the code UNAUTHENTICATED rejects the credentials; other errors do not")
  func byCode() {
    func response(_ code: JSONValue) -> Result<GraphQLResponse, any Error> {
      .success(
        GraphQLResponse(json: ["errors": [["message": "no", "extensions": ["code": code]]]]))
    }
    #expect(response("UNAUTHENTICATED").isUnauthenticated)
    #expect(!response("FORBIDDEN").isUnauthenticated)
    #expect(!Result.success(GraphQLResponse.empty).isUnauthenticated)
    #expect(!Result.failure(RelayError.status(403)).isUnauthenticated)
  }
}
