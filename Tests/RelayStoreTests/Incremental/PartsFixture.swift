import RelayStoreTesting

@testable import RelayStore

/// An operation with deferred parts, an environment that executes it, and a transport whose
/// payloads the test sends.
struct PartsFixture {
  let store: RecordStore
  let environment: RelayEnvironment
  let transport = PayloadTransport()
  let selection: TestSelection
  let request: OperationRequest

  init(
    _ document: String, variables: Variables = [:], store: RecordStore? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.init(
      TestSelection(document), text: document, variables: variables, store: store, clock: clock)
  }

  init(
    _ selection: TestSelection, text: String, variables: Variables = [:],
    store: RecordStore? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) {
    let store =
      store ?? RecordStore(configuration: .init(clock: clock, garbageCollection: .manual))
    self.store = store
    environment = RelayEnvironment(store: store, transport: transport)
    self.selection = selection
    let plan = OperationPlan(
      name: "TestQuery", text: text, reader: selection.reader,
      normalization: selection.normalization)
    request = OperationRequest(plan, variables: variables, store: store, root: .root)
  }

  /// Starts fetching the operation.
  func fetch(timeout: Duration? = nil) -> Task<FetchedData, any Error> {
    Task { [environment, request] in
      try await environment.fetched(request, timeout: timeout, context: nil)
    }
  }

  /// Fetches the operation with payloads that arrive one after the other.
  func fetch(_ payloads: [JSONValue]) async throws -> FetchedData {
    let task = fetch()
    for payload in payloads { await transport.send(payload) }
    transport.finish()
    return try await task.value
  }

  /// Reads a fragment, as its observer would.
  func read(_ fragment: String, of id: DataID) -> RowSnapshot {
    store.read(.record(id, TestSelection(fragment).reader, in: request.scope))
  }
}

/// A transport that passes on the payloads of one request as the test sends them.
final class PayloadTransport: Transport {
  private let events: AsyncStream<(TransportEvent, Promise<Void>)>
  private let input: AsyncStream<(TransportEvent, Promise<Void>)>.Continuation
  private let failure = Locked<RelayError?>(nil)
  /// The events that the receiver has not handled yet; `nil` once the request has ended.
  private let waiting = Locked<[Promise<Void>]?>([])
  /// The sent requests.
  let requests = Locked<[GraphQLRequest]>([])

  init() { (events, input) = AsyncStream.makeStream() }

  /// Whether the request has ended.
  var isEnded: Bool { waiting.withLock { $0 == nil } }

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    throw RelayError(.transport, "The request was not streamed.")
  }

  func stream(_ request: GraphQLRequest, _ receive: @escaping TransportReceiver) async throws {
    requests.withLock { $0.append(request) }
    defer { end() }
    for await (event, isTaken) in events {
      defer { isTaken.fulfill(.success(())) }
      try await receive(event)
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    try Task.checkCancellation()
  }

  private func end() {
    let rest = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting ?? []
    }
    for isTaken in rest { isTaken.fulfill(.success(())) }
  }

  /// Sends a payload. Returns when the receiver has handled it or the request has ended.
  func send(_ payload: JSONValue) async { await report(.response(GraphQLResponse(json: payload))) }

  /// Passes on an event. Returns when the receiver has handled it or the request has ended.
  func report(_ event: TransportEvent) async {
    let isTaken = Promise<Void>()
    let isOpen = waiting.withLock { waiting in
      waiting?.append(isTaken)
      return waiting != nil
    }
    guard isOpen else { return }
    input.yield((event, isTaken))
    try? await isTaken.value
  }

  /// Ends the response, with an optional error.
  func finish(_ error: RelayError? = nil) {
    failure.withLock { $0 = error }
    input.finish()
  }
}
