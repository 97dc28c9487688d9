@testable import RelayStore

/// A store that tests write with plans and JSON, and read with plans, below the level of generated
/// code.
struct TestStore {
  let store: RecordStore
  let environment: RelayEnvironment

  init(releaseBufferSize: Int = 10) {
    self.init(.init(releaseBufferSize: releaseBufferSize, garbageCollection: .manual))
  }

  init(_ configuration: RecordStore.Configuration) {
    self.init(RecordStore(configuration: configuration))
  }

  init(_ store: RecordStore) {
    self.store = store
    environment = RelayEnvironment(store: store, transport: NoTransport())
  }

  /// Writes the data of a response to the base.
  func write(
    _ selection: TestSelection, _ data: JSONValue, errors: JSONValue = [],
    variables: JSONObject = [:]
  ) throws {
    try write(selection.normalization, data, errors: errors, variables: variables)
  }

  /// Reads a record.
  func read(_ selection: TestSelection, id: DataID = .root, variables: JSONObject = [:])
    -> RowSnapshot
  {
    read(selection.reader, id: id, variables: variables)
  }

  /// Reads a record as JSON.
  func json(_ selection: TestSelection, id: DataID = .root, variables: JSONObject = [:])
    -> JSONValue?
  {
    json(selection.reader, id: id, variables: variables)
  }

  /// Writes the data of a response to the base.
  func write(
    _ plan: SelectionPlan, _ data: JSONValue, errors: JSONValue = [], variables: JSONObject = [:]
  )
    throws
  {
    let body: JSONValue = ["data": data, "errors": errors]
    try write(plan, body: body.jsonBytes, variables: variables)
  }

  /// Writes a response to the base.
  func write(_ plan: SelectionPlan, body: [UInt8], variables: JSONObject = [:]) throws {
    let reader = ResponseReader(
      plan: store.bind(plan, variables), root: .root, operationName: "TestQuery")
    try store.publish([.commit(reader.response(body).payload)])
  }

  /// Reads a record.
  func read(_ plan: SelectionPlan, id: DataID = .root, variables: JSONObject = [:]) -> RowSnapshot {
    store.read(id, plan, VariableScope(operation: variables))
  }

  /// Reads a record as JSON.
  func json(_ plan: SelectionPlan, id: DataID = .root, variables: JSONObject = [:]) -> JSONValue? {
    read(plan, id: id, variables: variables).row.map { .object($0.json) }
  }
}

/// A transport for tests that must not fetch.
struct NoTransport: Transport {
  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    throw RelayError(.transport, "This test fetches nothing.")
  }
}

/// A transport that keeps every request waiting until the test answers it.
final class HandTransport: Transport {
  private struct State {
    var waiting:
      [(request: GraphQLRequest, answer: CheckedContinuation<GraphQLResponse, any Error>)] =
        []
    var arrival: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { answer in
        let arrival = state.withLock { state in
          state.waiting.append((request, answer))
          defer { state.arrival = nil }
          return state.arrival
        }
        arrival?.resume()
      }
    } onCancel: {
      let all = state.withLock { state in
        defer { state.waiting = [] }
        return state.waiting
      }
      for waiting in all { waiting.answer.resume(throwing: CancellationError()) }
    }
  }

  /// Waits until a request has arrived.
  func arrival() async {
    await withCheckedContinuation { continuation in
      let hasArrived = state.withLock { state in
        if !state.waiting.isEmpty { return true }
        state.arrival = continuation
        return false
      }
      if hasArrived { continuation.resume() }
    }
  }

  /// Answers the oldest request.
  func answer(_ result: Result<JSONValue, any Error>) async {
    await arrival()
    let waiting = state.withLock { $0.waiting.removeFirst() }
    waiting.answer.resume(with: result.map(GraphQLResponse.init(json:)))
  }
}

/// A clock that advances only when a test advances it.
final class TestClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let time = Locked(Swift.Duration.seconds(1_000))

  var now: Instant { Instant(offset: time.withLock { $0 }) }
  let minimumResolution = Swift.Duration.zero

  func advance(by duration: Swift.Duration) { time.withLock { $0 += duration } }

  /// Throws at once: no test may wait for this clock.
  func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    throw CancellationError()
  }
}
