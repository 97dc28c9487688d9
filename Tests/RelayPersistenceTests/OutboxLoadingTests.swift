import RelayPersistence
import RelayStore
import Testing

@Suite("Outbox: while the store is loaded", .timeLimit(.minutes(1)))
struct OutboxLoadingTests {
  private let cache = MemoryPersistence()
  private let database = MemoryPersistence()

  @Test("nothing is sent before the records are loaded, also when the network comes back meanwhile")
  func resumed() async throws {
    do {
      let first = try OutboxApp(cache, database)
      first.outbox.suspend()
      try await first.environment.add(.set("1", to: "a"))
    }
    let gated = GatedPersistence(cache)
    var persistence = gated.persistence
    persistence.makeOutboxEngine = { [database] in database.engine() }
    let server = ScriptedServer()
    let environment = RelayEnvironment(
      store: RecordStore(
        configuration: .init(garbageCollection: .manual, persistence: persistence)),
      transport: server, outbox: OutboxOptions(serverHonorsIdempotencyKeys: true))
    let outbox = try #require(environment.outbox)
    // On Apple's systems, a network change has the same effect.
    outbox.resume()
    await outbox.untilIdle()
    #expect(outbox.entries.map(\.state) == [.queued])
    gated.open()
    try await server.next().succeed(todo("setText", "1", "a"))
    for await entries in outbox.observe() where entries.isEmpty { break }
  }
}
