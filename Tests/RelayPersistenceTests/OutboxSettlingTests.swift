import RelayPersistence
import RelayStore
import RelayStoreTesting
import Testing

@Suite("Settling with an outbox", .timeLimit(.minutes(1)))
struct OutboxSettlingTests {
  /// A server that the testing kit cannot inspect.
  private struct Server: Transport {
    func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
      for _ in 0..<20 { await Task.yield() }
      return GraphQLResponse(json: ["data": todo("setText", "1", "answered")])
    }
  }

  private let cache = MemoryPersistence()
  private let database = MemoryPersistence()
  private let server = MockTransport()
  private let clock = VirtualClock()

  private func environment(
    _ transport: (any Transport)? = nil, clock: (any Clock<Duration>)? = nil
  ) -> RelayEnvironment {
    var persistence = cache.persistence
    persistence.makeOutboxEngine = { [database] in database.engine() }
    return RelayEnvironment(
      store: RecordStore(
        configuration: .init(
          clock: clock ?? self.clock, garbageCollection: .manual, persistence: persistence)),
      transport: transport ?? server, outbox: OutboxOptions(serverHonorsIdempotencyKeys: true))
  }

  private func text(in environment: RelayEnvironment) -> String? {
    let plan = SelectionPlan("Todo{text String}")
    return environment.store.read(.record(DataID("1"), plan, in: .empty)).row?.json["text"]?.string
  }

  private func unsettled(_ environment: RelayEnvironment) async throws -> UnsettledError {
    let error = await #expect(throws: UnsettledError.self) { try await environment.settle() }
    return try #require(error)
  }

  @Test("settle() waits until an entry is sent and its response is in the store")
  func proceeds() async throws {
    for _ in 0..<20 {
      let environment = environment(Server())
      let outbox = try #require(environment.outbox)
      try await environment.add(.set("1", to: "a"))
      try await environment.settle()
      #expect(outbox.entries.isEmpty)
      #expect(text(in: environment) == "answered")
      #expect(environment.liveResources.isEmpty, "\(environment.liveResources)")
    }
  }

  @Test("settle() waits for the entries of the last run")
  func lastRun() async throws {
    let first = environment()
    try await first.add(.set("1", to: "a"))
    _ = try await server.next()
    let second = environment(Server())
    try await second.settle()
    #expect(second.outbox?.isLoaded == true && second.outbox?.entries == [])
  }

  @Test("settle() names an entry that waits in a mock transport, and those behind it")
  func held() async throws {
    let environment = environment()
    let outbox = try #require(environment.outbox)
    try await environment.add(.set("1", to: "a"))
    try await environment.add(.set("1", to: "b"))
    let request = try await server.next(named: "SetText")
    let error = try await unsettled(environment)
    #expect(error.isHeld && error.outboxEntries.map(\.state) == [.sending, .queued])
    #expect(
      error.description.hasPrefix(
        "\"SetText (sending)\" in the outbox, \"SetText (queued)\" in the outbox wait in a mock transport, a closed gate "
          + "or for a virtual clock, or for its next attempt, or for the outbox or the storage to "
          + "be resumed. Respond, open the gate or advance the clock before the environment can "
          + "settle."))
    #expect(
      environment.liveResources.outboxEntryNames == ["SetText (sending)", "SetText (queued)"])
    request.resolve(data: todo("setText", "1", "a"))
    try await server.next().resolve(data: todo("setText", "1", "b"))
    try await environment.settle()
    #expect(outbox.entries.isEmpty && text(in: environment) == "b")
  }

  @Test("settle() names an entry whose next attempt waits for a virtual clock")
  func clockHeld() async throws {
    let environment = environment()
    let outbox = try #require(environment.outbox)
    try await environment.add(.set("1", to: "a"))
    try await server.next().reject(offline())
    try await clock.sleepers(1)
    let error = try await unsettled(environment)
    #expect(error.isHeld && error.description.contains("SetText (waits for its next attempt)"))
    clock.advance(by: .seconds(60))
    try await server.next().resolve(data: todo("setText", "1", "a"))
    try await environment.settle()
    #expect(outbox.entries.isEmpty)
  }

  @Test("settle() names an entry that is tried again by the system's clock, without a network")
  func noNetwork() async throws {
    let environment = environment(clock: ContinuousClock())
    let outbox = try #require(environment.outbox)
    try await environment.add(.set("1", to: "a"))
    try await server.next().reject(offline())
    let error = try await unsettled(environment)
    #expect(error.isHeld && error.description.contains("SetText (waits for its next attempt)"))
    #expect(outbox.entries.map(\.state) == [.queued])
  }

  @Test("settle() names an entry that a suspended outbox does not send")
  func suspended() async throws {
    let environment = environment(Server())
    let outbox = try #require(environment.outbox)
    outbox.suspend()
    try await environment.add(.set("1", to: "a"))
    let error = try await unsettled(environment)
    #expect(error.isHeld && error.outboxEntries.map(\.state) == [.queued])
    outbox.resume()
    try await environment.settle()
    #expect(outbox.entries.isEmpty)
  }

  @Test("settle() names an entry whose response a suspended storage does not take")
  func suspendedStorage() async throws {
    let environment = environment(Server())
    let outbox = try #require(environment.outbox)
    try await outbox.loaded()
    try await environment.store.suspend()
    try await environment.add(.set("1", to: "a"))
    let error = try await unsettled(environment)
    #expect(error.isHeld && error.outboxEntries.map(\.state) == [.acknowledged])
    try await environment.store.resume()
    try await environment.settle()
    #expect(outbox.entries.isEmpty)
  }

  @Test("settle() names an entry that the server does not authenticate")
  func unauthenticated() async throws {
    let environment = environment()
    try await environment.add(.set("1", to: "a"))
    var refusal = GraphQLResponse(json: ["errors": [["message": "Sign in."]]])
    refusal.status = 401
    try await server.next().resolve(refusal)
    let error = try await unsettled(environment)
    #expect(error.isHeld && error.outboxEntries.map(\.state) == [.blockedOnAuthentication])
  }

  @Test("entries that have failed, or are blocked by such a one, are settled and in use")
  func failed() async throws {
    let environment = environment()
    try await environment.add(.set("1", to: "a"))
    try await environment.add(.set("1", to: "b"))
    try await server.next().resolve(data: nil, errors: [["message": "No."]])
    try await environment.settle()
    #expect(
      environment.liveResources.outboxEntryNames
        == ["SetText (failed)", "SetText (blocked on another entry)"])
    #expect("\(environment.liveResources)".contains("outbox entries: SetText (failed)"))
  }
}
