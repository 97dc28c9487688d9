public import RelayStore

/// A transport whose requests wait until the test resolves or rejects them.
///
///     let server = MockTransport()
///     let environment = RelayEnvironment(transport: server)
///     let feed = environment.load(FeedQuery())
///     let request = await server.next()                       // waits for the request
///     request.resolve(data: ["feed": ["id": "1"]])            // or reject(…)
///
/// A request whose caller is cancelled throws `CancellationError`, and ``next()`` skips it.
public final class MockTransport: Transport {
  /// A request that waits for its response.
  public struct Pending: Sendable {
    /// The request as it was sent: `request.operationName`, `request.variables`, `request.headers`,
    /// `request.uploads`, `request.context`.
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
    let request: GraphQLRequest
    let continuation: CheckedContinuation<GraphQLResponse, any Error>
    let hold = RequestHold.current
  }

  private struct State {
    var lastID = 0
    var waiting: [Int: Waiting] = [:]
    var requests: [(id: Int, request: GraphQLRequest)] = []
    /// The waiting requests that `next()` has not returned, oldest first.
    var undelivered: [Int] = []
    var arrivalWaiters: [CheckedContinuation<Void, Never>] = []
  }

  /// Guards the requests and their waiters. Continuations are resumed after the lock is released.
  private let state = Locked(State())

  /// Creates a transport that has received no request.
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

  /// Returns the next request that waits for its response and that no call of `next` has returned
  /// yet, waiting for it if necessary.
  ///
  /// Requests that were resolved through ``pending`` or cancelled meanwhile are skipped.
  public func next() async -> Pending { await next { _ in true } }

  /// Returns the next request of an operation, as ``next()`` does; requests of other operations are
  /// left to later calls.
  ///
  ///     let request = await server.next(FeedQuery.self)
  public func next<Operation: GraphQLOperation>(_ operation: Operation.Type) async -> Pending {
    await next(named: Operation.__operation.name)
  }

  /// Returns the next request of the operation with a name, as ``next()`` does; requests of other
  /// operations are left to later calls.
  public func next(named name: String) async -> Pending {
    await next { $0.operationName == name }
  }

  private func next(where isWanted: (GraphQLRequest) -> Bool) async -> Pending {
    while true {
      let (found, count) = state.withLock { state -> (Pending?, Int) in
        for (index, id) in state.undelivered.enumerated() {
          guard let request = state.waiting[id]?.request, isWanted(request) else { continue }
          state.undelivered.remove(at: index)
          return (Pending(request: request, id: id, transport: self), 0)
        }
        return (nil, state.requests.count)
      }
      if let found { return found }
      await arrival(after: count)
    }
  }

  /// Waits until there have been more than `count` requests.
  private func arrival(after count: Int) async {
    await withCheckedContinuation { continuation in
      let hasArrived = state.withLock { state in
        if state.requests.count > count { return true }
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
      let waiting = Waiting(request: request, continuation: continuation)
      waiting.hold?.begin()
      state.waiting[id] = waiting
      state.undelivered.append(id)
      defer { state.arrivalWaiters = [] }
      return state.arrivalWaiters
    }
    for waiter in arrivalWaiters { waiter.resume() }
    // The cancellation handler may have run before the request was registered.
    if Task.isCancelled { complete(id, with: .failure(CancellationError())) }
  }

  private func complete(_ id: Int, with result: Result<GraphQLResponse, any Error>) {
    let waiting = state.withLock { state in
      state.undelivered.removeAll { $0 == id }
      return state.waiting.removeValue(forKey: id)
    }
    guard let waiting else { return }
    waiting.hold?.end()
    waiting.continuation.resume(with: result)
  }
}
