import RelayNetwork
import RelayStore
import RelayStoreTesting
import Testing

/// Cancellation of a mutation at every suspension point.
@Suite("Cancelling mutations", .timeLimit(.minutes(1)))
struct CancellationTests {
  /// The suspension point where the mutation is cancelled.
  enum Stage: CaseIterable {
    case beforeHeaders, sending, refreshing, resending, waitingToRetry, sendingText, body
    case responseArrived
  }

  /// Suspends a transport at one stage until the gate opens, or provides the task to cancel.
  private final class CancellationPoint: Sendable {
    let stage: Stage
    let gate = Gate()
    let task = Locked<Task<Void, any Error>?>(nil)

    init(_ stage: Stage) { self.stage = stage }

    func suspend(at stage: Stage) async throws {
      if stage == self.stage { try await gate.wait() }
    }
  }

  private static let confirmed: JSONValue = [
    "setComplete": ["todo": ["id": "1", "isComplete": true, "text": "b"]]
  ]

  private let clock = VirtualClock()

  /// Returns a chain of transports that reaches the stage of `point`.
  private func transport(_ point: CancellationPoint) -> some Transport {
    let server = StubTransport { request, count in
      try await point.suspend(at: .sending)
      if point.stage == .refreshing || point.stage == .resending, count == 0 {
        throw RelayError.status(401)
      }
      if point.stage == .resending { try await point.suspend(at: .resending) }
      if point.stage == .waitingToRetry { throw RelayError.status(503) }
      if point.stage == .sendingText, !request.includesText {
        return GraphQLResponse(json: ["errors": [["message": "PersistedQueryNotFound"]]])
      }
      if request.includesText { try await point.suspend(at: .sendingText) }
      return GraphQLResponse(json: ["data": Self.confirmed])
    }
    return server.intercepting { request, next in
      let response = try await next.execute(request)
      try await point.suspend(at: .body)
      return response
    }
    .persistingQueries()
    .addingHeaders {
      try await point.suspend(at: .beforeHeaders)
      return [:]
    }
    .authenticated(by: { [:] }, refresh: { try await point.suspend(at: .refreshing) })
    .retrying(RetryPolicy(includesMutations: true), clock: clock)
    .intercepting { request, next in
      let response = try await next.execute(request)
      if point.stage == .responseArrived {
        // The response has arrived before the caller is cancelled.
        try await eventually(false) { point.task.withLock { $0 == nil } }
        point.task.withLock { $0?.cancel() }
      }
      return response
    }
  }

  @Test(
    "cancelling at any stage restores the base and leaves nothing in flight",
    arguments: Stage.allCases)
  func everywhere(_ stage: Stage) async throws {
    let point = CancellationPoint(stage)
    let environment = RelayEnvironment(
      store: RecordStore(configuration: .init(clock: clock, garbageCollection: .manual)),
      transport: transport(point))
    try environment.commitPayload(
      TodoListQuery(),
      data: TodoListQuery.oneTodo("a"))
    let before = [environment.store.dump(.base), environment.store.dump(.visible)]
    let task = Task {
      _ = try await environment.commit(
        SetCompleteMutation(id: "1", isComplete: true),
        optimisticResponse: .init(id: "1", isComplete: true),
        updater: { try $0["1"]?.setValue("updated", for: "text") })
    }
    point.task.withLock { $0 = task }
    switch stage {
    case .waitingToRetry: try await clock.sleepers(1)
    case .responseArrived: break
    default: try await point.gate.arrivals(1)
    }
    if stage != .responseArrived {
      #expect(environment.store.dump(.visible) != before[1])
      #expect(environment.store.dump(.base) == before[0])
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    // The suspended transport continues without callers.
    point.gate.open()
    try await environment.settle()
    #expect([environment.store.dump(.base), environment.store.dump(.visible)] == before)
    #expect(
      environment.liveResources.operations == 0 && environment.liveResources.optimisticUpdates == 0)
  }
}
