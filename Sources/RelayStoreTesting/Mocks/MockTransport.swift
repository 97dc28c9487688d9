public import RelayStore

/// A transport whose requests wait until the test resolves or rejects them.
///
///     let server = MockTransport()
///     let environment = RelayEnvironment(transport: server)
///     let feed = environment.load(FeedQuery())
///     let request = try await server.next()                   // waits for the request
///     request.resolve(data: ["feed": ["id": "1"]])            // or reject(…)
///
/// A subscription, or a request whose response arrives in parts, accepts any number of responses:
///
///     let comments = try await server.next(CommentAdded.self)
///     comments.report(.connection(.connected))
///     comments.send(data: ["commentAdded": ["id": "1"]])
///     try await comments.delivered()                          // the environment has processed it
///     comments.finish()                                       // or reject(…)
///
/// If the caller of a request is cancelled, the request throws `CancellationError`, and ``next()``
/// skips it.
public final class MockTransport: Transport {
  /// A request that waits for its response, or for its next response.
  public struct Pending: Sendable {
    /// The request as it was sent: `request.operationName`, `request.variables`, `request.headers`,
    /// `request.uploads`, `request.context`.
    public let request: GraphQLRequest
    fileprivate let id: Int
    /// Whether the request ends with its first response.
    let hasOneResponse: Bool
    fileprivate let inbox: EventInbox<TransportEvent>
    fileprivate let transport: MockTransport
  }

  fileprivate struct State {
    var lastID = 0
    /// The requests that accept events.
    var waiting: [Int: Pending] = [:]
    var requests: [(id: Int, request: GraphQLRequest)] = []
    /// The waiting requests that `next()` has not returned, oldest first.
    var undelivered: [Int] = []
  }

  /// The requests, and the tests that wait for one.
  private let state = Watched(State())

  /// Creates a transport without requests.
  public init() {}

  /// All received requests, pending or not.
  public var requests: [GraphQLRequest] { state.value.requests.map(\.request) }

  /// The requests that wait for a response, or for the next of several, oldest first.
  public var pending: [Pending] {
    let state = state.value
    return state.requests.compactMap { state.waiting[$0.id] }
  }

  /// Returns the next request that waits for its response and that no call of `next` has returned.
  /// Waits for one if necessary.
  ///
  /// Skips requests that were resolved through ``pending`` or cancelled in the meantime.
  ///
  /// - Throws: ``CancelledWaitError`` if the task is cancelled while it waits.
  public func next() async throws -> Pending { try await next("a request") { _ in true } }

  /// Returns the next request of an operation, as ``next()`` does. Leaves requests of other
  /// operations to later calls.
  ///
  ///     let request = try await server.next(FeedQuery.self)
  public func next<Operation: GraphQLOperation>(
    _ operation: Operation.Type
  ) async throws -> Pending {
    try await next(named: Operation.__operation.name)
  }

  /// Returns the next request of the operation named `name`, as ``next()`` does. Leaves requests of
  /// other operations to later calls.
  public func next(named name: String) async throws -> Pending {
    try await next("a request of \"\(name)\"") { $0.operationName == name }
  }

  private func next(
    _ awaited: String, where isWanted: @escaping @Sendable (GraphQLRequest) -> Bool
  ) async throws -> Pending {
    while true {
      if let found = state.change({ $0.takeNext(where: isWanted) }) { return found }
      // Another call may take the request that ends the wait.
      try await state.wait(for: awaited, arrived: \.requestList) {
        $0.indexOfNext(where: isWanted) != nil
      }
    }
  }

  public func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    let response = Locked<GraphQLResponse?>(nil)
    try await run(request, hasOneResponse: true) { event in
      if case .response(let value) = event { response.withLock { $0 = value } }
    }
    guard let response = response.withLock({ $0 }) else {
      throw RelayError(.transport, "The request to the mock transport ended without a response.")
    }
    return response
  }

  public func stream(
    _ request: GraphQLRequest, _ receive: @escaping TransportReceiver
  ) async throws {
    try await run(request, hasOneResponse: false, receive)
  }

  /// Registers a request, and passes on its events until the test ends it.
  private func run(
    _ request: GraphQLRequest, hasOneResponse: Bool, _ receive: TransportReceiver
  ) async throws {
    let pending = register(request, hasOneResponse: hasOneResponse)
    defer { remove(pending.id) }
    try await withTaskCancellationHandler {
      try await pending.inbox.forEach(receive)
    } onCancel: {
      remove(pending.id)
    }
  }

  private func register(_ request: GraphQLRequest, hasOneResponse: Bool) -> Pending {
    let inbox = EventInbox<TransportEvent>()
    return state.change { state in
      state.lastID += 1
      let pending = Pending(
        request: request, id: state.lastID, hasOneResponse: hasOneResponse, inbox: inbox,
        transport: self)
      state.requests.append((pending.id, request))
      state.waiting[pending.id] = pending
      state.undelivered.append(pending.id)
      return pending
    }
  }

  /// Removes a request, so that it no longer accepts events.
  fileprivate func remove(_ id: Int) {
    state.change { state in
      state.undelivered.removeAll { $0 == id }
      state.waiting[id] = nil
    }
  }
}

extension MockTransport.Pending {
  /// Resolves the request with data and optional errors, as its only or last response; a no-op
  /// after its end.
  public func resolve(
    data: JSONValue, errors: [JSONValue] = [], extensions: JSONObject = [:]
  ) {
    send(data: data, errors: errors, extensions: extensions)
    finish()
  }

  /// Resolves the request with its only or last response; a no-op after its end.
  public func resolve(_ response: GraphQLResponse) {
    send(response)
    finish()
  }

  /// Rejects the request with an error, like a broken connection; a no-op after its end. Responses
  /// that were already sent are received first.
  ///
  /// `retrying()` sends the request again only if `error` is a `RelayError` with `isRetryable` set;
  /// by default it is not set.
  public func reject(_ error: any Error) {
    transport.remove(id)
    inbox.end(.failure(error))
  }

  /// Sends one of several responses: an event of a subscription, or the first payload of a response
  /// in parts. Does not wait for the receiver; see ``delivered()``.
  ///
  /// A request with a single response ends with the first. After the end, this method is a no-op.
  public func send(
    data: JSONValue, errors: [JSONValue] = [], extensions: JSONObject = [:]
  ) {
    var response: JSONObject = ["data": data]
    if !errors.isEmpty { response["errors"] = .array(errors) }
    if !extensions.isEmpty { response["extensions"] = .object(extensions) }
    sendPart(.object(response))
  }

  /// Sends one of several responses, as ``send(data:errors:extensions:)`` does.
  public func send(_ response: GraphQLResponse) { report(.response(response)) }

  /// Sends a payload of a response in parts, in any format:
  ///
  ///     request.sendPart(["data": ["feed": []], "pending": [["id": "0", "path": []]], "hasNext": true])
  ///     request.sendPart(["completed": [["id": "0"]], "hasNext": false])
  public func sendPart(_ payload: JSONValue) { send(GraphQLResponse(json: payload)) }

  /// Reports an event: a state of the connection, a gap in a subscription, or a response. A request
  /// with a single response ignores the first two.
  public func report(_ event: TransportEvent) {
    guard hasOneResponse else { return inbox.add(event) }
    guard case .response = event else { return }
    transport.remove(id)
    inbox.add(event, isLast: true)
  }

  /// Ends the request after the responses that were sent; a no-op after its end. A request with a
  /// single response fails with code ``/RelayStore/RelayError/Code/transport`` if it has not
  /// received one.
  public func finish() {
    transport.remove(id)
    inbox.end(.success(()))
  }

  /// Waits until the receiver has processed all events that were sent, or the request has ended.
  ///
  /// - Throws: ``CancelledWaitError`` if the test's task is cancelled while it waits.
  public func delivered() async throws { try await inbox.delivery(to: "\"\(name)\"") }

  /// Whether the caller was cancelled, or its receiver has ended the request with an error.
  public var isCancelled: Bool { inbox.isCancelled }

  /// Waits until the caller is cancelled, or its receiver ends the request with an error.
  ///
  /// - Returns: `true`; `false` if the request ended in another way.
  /// - Throws: ``CancelledWaitError`` if the test's task is cancelled while it waits.
  @discardableResult
  public func cancelled() async throws -> Bool {
    try await inbox.cancellation(of: "\"\(name)\"")
    return isCancelled
  }

  private var name: String { request.operationName }
}

extension MockTransport.State {
  /// Returns the index in `undelivered` of the first waiting request that is wanted.
  func indexOfNext(where isWanted: (GraphQLRequest) -> Bool) -> Int? {
    undelivered.firstIndex { waiting[$0].map { isWanted($0.request) } ?? false }
  }

  /// Removes the first waiting request that is wanted from the undelivered ones.
  mutating func takeNext(where isWanted: (GraphQLRequest) -> Bool) -> MockTransport.Pending? {
    indexOfNext(where: isWanted).flatMap { waiting[undelivered.remove(at: $0)] }
  }

  /// The newest requests, oldest first, each with its state.
  var requestList: String {
    if requests.isEmpty { return "no request" }
    let newest = requests.suffix(10).map { id, request in
      let state =
        waiting[id] == nil ? "ended" : undelivered.contains(id) ? "waits" : "returned before"
      return "\"\(request.operationName)\" (\(state))"
    }
    let older = requests.count - newest.count
    return (older > 0 ? "\(older.counted("older request")), " : "")
      + newest.joined(separator: ", ")
  }
}
