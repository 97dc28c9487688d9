import RelayPersistence
import RelayStore
import Testing

@Suite("Outbox: a suspended store", .timeLimit(.minutes(1)))
struct SuspendedOutboxTests {
  private struct Server: Transport {
    func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse { request.incremented }
  }

  @Test("an answer that comes while the store is suspended stays in its entry until it is stored")
  func suspended() async throws {
    let directory = TemporaryDirectory()
    let persistence = Persistence.sqlite(directory: directory.path, library: testedLibrary)
    let environment = RelayEnvironment(
      store: RecordStore(
        configuration: .init(garbageCollection: .manual, persistence: persistence)),
      transport: Server(), outbox: OutboxOptions(serverHonorsIdempotencyKeys: true))
    await environment.store.loaded()
    try await environment.store.suspend()
    let outbox = try #require(environment.outbox)
    try await environment.add(.increment("counter", to: 7))
    for await entries in outbox.observe() where entries.map(\.state) == [.acknowledged] { break }
    // The entry has time to be removed.
    for _ in 0..<200 {
      await Task.yield()
      await outbox.untilIdle()
    }
    #expect(outbox.entries.map(\.state) == [.acknowledged])
    try await environment.store.resume()
    for await entries in outbox.observe() where entries.isEmpty { break }
    #expect(environment.count(of: "counter") == 7)
  }
}
