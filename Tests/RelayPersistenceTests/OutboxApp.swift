import Foundation
import RelayPersistence
import RelayStore
import Testing

func todo(_ field: String, _ id: String, _ text: String) -> JSONValue {
  [field: ["__typename": "Todo", "id": .string(id), "text": .string(text)]]
}

/// A server whose responses the test supplies, request by request.
final class ScriptedServer: Transport {
  /// A request. Without a response, it is cancelled when the test ends.
  final class Request: Sendable {
    let request: GraphQLRequest
    private let continuation: Locked<CheckedContinuation<JSONValue, any Error>?>

    init(_ request: GraphQLRequest, _ continuation: CheckedContinuation<JSONValue, any Error>) {
      self.request = request
      self.continuation = Locked(continuation)
    }

    deinit { answer(.failure(CancellationError())) }

    private func answer(_ result: Result<JSONValue, any Error>) {
      let continuation = continuation.withLock { continuation in
        defer { continuation = nil }
        return continuation
      }
      continuation?.resume(with: result)
    }

    var key: String? { request.headers["Idempotency-Key"] }
    func succeed(_ data: JSONValue) { answer(.success(["data": data])) }
    func refuse(_ message: String) {
      answer(.success(["data": nil, "errors": [["message": .string(message)]]]))
    }
    /// Responds with data, although there is an error.
    func succeedPartly(_ data: JSONValue, _ message: String) {
      answer(.success(["data": data, "errors": [["message": .string(message)]]]))
    }
    func fail(_ error: any Error) { answer(.failure(error)) }
    func fail(_ status: Int) { answer(.success(["status": .number(JSONNumber(status))])) }
  }

  private let requests: AsyncStream<Request>
  private let continuation: AsyncStream<Request>.Continuation
  private let sent = Locked(0)

  init() { (requests, continuation) = AsyncStream.makeStream() }

  var count: Int { sent.withLock { $0 } }

  /// The next request.
  func next() async throws -> Request {
    for await request in requests { return request }
    throw CancellationError()
  }

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    sent.withLock { $0 += 1 }
    let body = try await withCheckedThrowingContinuation { continuation in
      self.continuation.yield(Request(request, continuation))
    }
    // An error page that is a GraphQL response.
    guard let status = body.object?["status"]?.int else {
      return GraphQLResponse(body: body.jsonBytes)
    }
    var response = GraphQLResponse(json: ["errors": [["message": "not now"]]])
    response.status = status
    return response
  }
}

/// The connection could not be established, so the request was not sent.
func offline() -> RelayError {
  var error = RelayError(.transport, "offline", underlying: URLError(.cannotConnectToHost))
  error.isRetryable = true
  return error
}

/// The connection was lost after the request was sent.
func lost() -> RelayError {
  var error = RelayError(.transport, "lost", underlying: URLError(.networkConnectionLost))
  error.isRetryable = true
  return error
}

/// An environment over two databases, as opened by a new process.
struct OutboxApp {
  let environment: RelayEnvironment
  let outbox: Outbox
  let server = ScriptedServer()
  let events: PersistedStore.Events

  init(
    _ cache: MemoryPersistence, _ database: MemoryPersistence,
    serverHonorsIdempotencyKeys: Bool = true,
    clock: any Clock<Duration> = ContinuousClock(), user: String = "",
    transport: (any Transport)? = nil,
    change: (inout OutboxOptions) -> Void = { _ in },
    engine: (@Sendable () -> any PersistenceEngine)? = nil
  ) throws {
    var persistence = cache.persistence
    persistence.user = user
    persistence.makeOutboxEngine = engine ?? { database.engine() }
    let events = PersistedStore.Events()
    self.events = events
    let store = RecordStore(
      configuration: .init(
        clock: clock, garbageCollection: .manual, persistence: persistence,
        log: { events.append($0) }))
    var options = OutboxOptions(serverHonorsIdempotencyKeys: serverHonorsIdempotencyKeys)
    options.backOff.jitter = 0
    change(&options)
    environment = RelayEnvironment(store: store, transport: transport ?? server, outbox: options)
    outbox = try #require(environment.outbox)
  }

  func text(_ id: String) -> String? {
    let plan = SelectionPlan("Todo{text String}")
    return environment.store.read(.record(DataID(id), plan, in: .empty)).row?.json["text"]?.string
  }

  /// Waits until the entries satisfy a condition.
  func until(_ condition: @Sendable ([OutboxEntry]) -> Bool) async {
    for await entries in outbox.observe() where condition(entries) { return }
  }

  func until(_ states: [OutboxEntry.State]) async { await until { $0.map(\.state) == states } }
}
