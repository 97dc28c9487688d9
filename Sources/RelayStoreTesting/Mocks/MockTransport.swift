public import RelayStore

/// A transport whose requests wait until the test answers them by hand.
///
///     let server = MockTransport()
///     let environment = RelayEnvironment(transport: server)
///     let feed = environment.load(FeedQuery())
///     let request = await server.next()                       // waits for the request
///     request.resolve(data: ["feed": ["id": "1"]])            // or reject(…)
///
/// A request whose caller is cancelled is answered with `CancellationError`.
public final class MockTransport: Transport {
  /// One request that waits for its answer.
  public struct Pending: Sendable {
    /// What was sent.
    public let request: GraphQLRequest
    fileprivate let id: Int
    fileprivate let transport: MockTransport

    /// Answers with data, and errors beside it; does nothing when it was answered before.
    public func resolve(
      data: JSONValue, errors: [JSONValue] = [], extensions: JSONObject = [:]
    ) {
      var response: JSONObject = ["data": data]
      if !errors.isEmpty { response["errors"] = .array(errors) }
      if !extensions.isEmpty { response["extensions"] = .object(extensions) }
      resolve(GraphQLResponse(json: .object(response)))
    }

    /// Answers with a response.
    public func resolve(_ response: GraphQLResponse) {
      transport.end(id, .success(response))
    }

    /// Answers as a broken connection does.
    public func reject(_ error: any Error) { transport.end(id, .failure(error)) }
  }

  private struct Waiting {
    let continuation: CheckedContinuation<GraphQLResponse, any Error>
    let hold = RequestHold.current
  }

  private struct State {
    var lastID = 0
    var waiting: [Int: Waiting] = [:]
    var requests: [(id: Int, request: GraphQLRequest)] = []
    /// How many were given out by `next()`.
    var taken = 0
    var takers: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  public init() {}

  /// Every request so far, answered or not.
  public var requests: [GraphQLRequest] { state.withLock { $0.requests.map(\.request) } }

  /// Those that wait for an answer, the oldest first.
  public var pending: [Pending] {
    state.withLock { state in
      state.requests.filter { state.waiting[$0.id] != nil }
        .map { Pending(request: $0.request, id: $0.id, transport: self) }
    }
  }

  /// The next request that was not given out yet, as soon as there is one.
  public func next() async -> Pending {
    while true {
      let found = state.withLock { state -> Pending? in
        guard state.taken < state.requests.count else { return nil }
        let (id, request) = state.requests[state.taken]
        state.taken += 1
        return Pending(request: request, id: id, transport: self)
      }
      if let found { return found }
      await arrival()
    }
  }

  private func arrival() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.taken < state.requests.count { return true }
        state.takers.append(continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  public func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { enter(id, request, $0) }
    } onCancel: {
      end(id, .failure(CancellationError()))
    }
  }

  private func enter(
    _ id: Int, _ request: GraphQLRequest,
    _ continuation: CheckedContinuation<GraphQLResponse, any Error>
  ) {
    let takers = state.withLock { state in
      state.requests.append((id, request))
      let waiting = Waiting(continuation: continuation)
      waiting.hold?.begin()
      state.waiting[id] = waiting
      defer { state.takers = [] }
      return state.takers
    }
    for taker in takers { taker.resume() }
    // The cancellation handler may have run before there was anything to end.
    if Task.isCancelled { end(id, .failure(CancellationError())) }
  }

  private func end(_ id: Int, _ result: Result<GraphQLResponse, any Error>) {
    guard let waiting = state.withLock({ $0.waiting.removeValue(forKey: id) }) else { return }
    waiting.hold?.end()
    waiting.continuation.resume(with: result)
  }
}
