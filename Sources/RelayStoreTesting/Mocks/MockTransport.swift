public import RelayStore

/// A transport whose requests wait until the test resolves or rejects them.
///
///     let server = MockTransport()
///     let environment = RelayEnvironment(transport: server)
///     let feed = environment.load(FeedQuery())
///     let request = await server.next()                       // waits for the request
///     request.resolve(data: ["feed": ["id": "1"]])            // or reject(…)
///
/// A request whose caller is cancelled throws `CancellationError`.
public final class MockTransport: Transport {
  /// A request that waits for its response.
  public struct Pending: Sendable {
    /// The request that was sent.
    public let request: GraphQLRequest
    fileprivate let id: Int
    fileprivate let transport: MockTransport

    /// Resolves the request with data and optional errors; a no-op when it was resolved or rejected
    /// before.
    public func resolve(
      data: JSONValue, errors: [JSONValue] = [], extensions: JSONObject = [:]
    ) {
      var response: JSONObject = ["data": data]
      if !errors.isEmpty { response["errors"] = .array(errors) }
      if !extensions.isEmpty { response["extensions"] = .object(extensions) }
      resolve(GraphQLResponse(json: .object(response)))
    }

    /// Resolves the request with a response; a no-op when it was resolved or rejected before.
    public func resolve(_ response: GraphQLResponse) {
      transport.complete(id, with: .success(response))
    }

    /// Rejects the request with an error, as a broken connection does.
    ///
    /// `retrying()` sends the request again only if `error` is a `RelayError` whose `isRetryable`
    /// is set, which it is not by default.
    public func reject(_ error: any Error) { transport.complete(id, with: .failure(error)) }
  }

  private struct Waiting {
    let continuation: CheckedContinuation<GraphQLResponse, any Error>
    let hold = RequestHold.current
  }

  private struct State {
    var lastID = 0
    var waiting: [Int: Waiting] = [:]
    var requests: [(id: Int, request: GraphQLRequest)] = []
    /// The number of requests that `next()` has returned.
    var deliveredCount = 0
    var arrivalWaiters: [CheckedContinuation<Void, Never>] = []
  }

  /// Guards the requests and their waiters. Continuations are resumed after the lock is released.
  private let state = Locked(State())

  public init() {}

  /// The requests received so far, whether they are pending or not.
  public var requests: [GraphQLRequest] { state.withLock { $0.requests.map(\.request) } }

  /// The requests that wait for a response, oldest first.
  public var pending: [Pending] {
    state.withLock { state in
      state.requests.filter { state.waiting[$0.id] != nil }
        .map { Pending(request: $0.request, id: $0.id, transport: self) }
    }
  }

  /// Returns the next request that this method has not returned yet, waiting for it if necessary.
  public func next() async -> Pending {
    while true {
      let found = state.withLock { state -> Pending? in
        guard state.deliveredCount < state.requests.count else { return nil }
        let (id, request) = state.requests[state.deliveredCount]
        state.deliveredCount += 1
        return Pending(request: request, id: id, transport: self)
      }
      if let found { return found }
      await arrival()
    }
  }

  private func arrival() async {
    await withCheckedContinuation { continuation in
      let hasArrived = state.withLock { state in
        if state.deliveredCount < state.requests.count { return true }
        state.arrivalWaiters.append(continuation)
        return false
      }
      if hasArrived { continuation.resume() }
    }
  }

  public func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { register(request, id: id, continuation: $0) }
    } onCancel: {
      complete(id, with: .failure(CancellationError()))
    }
  }

  private func register(
    _ request: GraphQLRequest, id: Int,
    continuation: CheckedContinuation<GraphQLResponse, any Error>
  ) {
    let arrivalWaiters = state.withLock { state in
      state.requests.append((id, request))
      let waiting = Waiting(continuation: continuation)
      waiting.hold?.begin()
      state.waiting[id] = waiting
      defer { state.arrivalWaiters = [] }
      return state.arrivalWaiters
    }
    for waiter in arrivalWaiters { waiter.resume() }
    // The cancellation handler may have run before the request was registered.
    if Task.isCancelled { complete(id, with: .failure(CancellationError())) }
  }

  private func complete(_ id: Int, with result: Result<GraphQLResponse, any Error>) {
    guard let waiting = state.withLock({ $0.waiting.removeValue(forKey: id) }) else { return }
    waiting.hold?.end()
    waiting.continuation.resume(with: result)
  }
}
