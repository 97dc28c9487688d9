import Foundation
import RelayPersistence
import RelayStore
import RelayStoreTesting
import Testing

/// Queries for an object that was made offline.
@Suite("A detail screen of an object that the server does not know yet", .timeLimit(.minutes(1)))
struct OfflineIDTests {
  private let server = MockTransport()
  private let environment: RelayEnvironment
  private let id: String = ClientID.unique()
  private static let bob: JSONValue = ["__typename": "Person", "id": "7", "name": "Bob"]

  init() {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(persistence: .sqlite(directory: directory))),
      transport: server, outbox: OutboxOptions(serverHonorsIdempotencyKeys: true))
  }

  private func make() async throws -> OutboxEntry {
    try await environment.commit(
      MadeMutation(name: "Bob"),
      optimisticResponse: .init(rename: .init(ok: true, person: .init(id: id, name: "Bob"))),
      durability: .outbox())
  }

  /// Waits for a state of a load.
  private func until<Query: GraphQLQuery>(
    _ load: LoadedQuery<Query>, _ isWanted: (QueryState<Query.Data>) -> Bool
  ) async -> QueryState<Query.Data> {
    for await state in load.states where isWanted(state) { return state }
    return load.state
  }

  @Test("shows the store's data, and sends the query with the server's id once that is known")
  func query() async throws {
    let entry = try await make()
    let mutation = try await server.next()
    let load = environment.load(DetailQuery(id: id))
    let local = await until(load) { !$0.isLoading }
    #expect(local.data?.node?.asPerson?.name == "Bob" && local.error == nil)
    #expect(local.snapshot?.missing == [["node", "age"]])
    mutation.resolve(data: ["rename": ["person": Self.bob, "ok": true]])
    let query = try await server.next()
    #expect(query.request.variables == ["id": "7"])
    #expect(load.state.data?.node?.asPerson?.name == "Bob" && load.state.isLoading)
    var node = try #require(Self.bob.object)
    node["age"] = 30
    query.resolve(data: ["node": .object(node)])
    let loaded = await until(load) { !$0.isLoading }
    #expect(loaded.data?.node?.asPerson?.age == 30 && loaded.error == nil)
    #expect(loaded.snapshot?.missing == [])
    try await environment.outbox?.outcome(of: entry.id)
    // The data is complete under either id.
    for id in [id, "7"] {
      #expect(environment.read(DetailQuery(id: id)).data?.node?.asPerson?.age == 30)
      #expect(environment.check(DetailQuery(id: id)).isAvailable)
    }
  }

  @Test("a model, too")
  @MainActor
  func model() async throws {
    _ = try await make()
    let mutation = try await server.next()
    let model = environment.model(DetailQuery(id: id))
    try await eventually(true) { model.data?.node?.asPerson?.name == "Bob" && !model.isLoading }
    #expect(model.error == nil)
    mutation.resolve(data: ["rename": ["person": Self.bob, "ok": true]])
    let query = try await server.next()
    #expect(query.request.variables == ["id": "7"])
    query.resolve(data: ["node": Self.bob])
    try await eventually(false) { model.isLoading }
    #expect(model.data?.node?.asPerson?.id == "7")
  }

  @Test("a query that is fetched again meanwhile is sent once")
  func refetched() async throws {
    _ = try await make()
    let mutation = try await server.next()
    let load = environment.load(DetailQuery(id: id))
    for _ in 0..<3 {
      load.refetch()
      _ = await until(load) { !$0.isLoading }
    }
    mutation.resolve(data: ["rename": ["person": Self.bob, "ok": true]])
    try await server.next(DetailQuery.self).resolve(data: ["node": Self.bob])
    _ = await until(load) { !$0.isLoading }
    #expect(server.requests.count == 2)
  }

  @Test("a query that is fetched once is refused, without a request")
  func fetchedOnce() async throws {
    let entry = try await make()
    let mutation = try await server.next()
    let error = await #expect(throws: RelayError.self) {
      try await environment.fetch(DetailQuery(id: id))
    }
    #expect(error?.code == .request && error?.message.contains(id) == true)
    mutation.resolve(data: ["rename": ["person": Self.bob, "ok": true]])
    try await environment.outbox?.outcome(of: entry.id)
    async let fetched = environment.fetch(DetailQuery(id: id))
    try await server.next(DetailQuery.self).resolve(data: ["node": Self.bob])
    #expect(try await fetched.data?.node?.asPerson?.id == "7")
  }

  @Test("a load that ignores the store has the error")
  func networkOnly() async throws {
    _ = try await make()
    let load = environment.load(DetailQuery(id: id), policy: .networkOnly)
    let state = await until(load) { !$0.isLoading }
    #expect(state.data == nil && state.error?.code == .request)
  }

  @Test("without an outbox the query is sent as it is")
  func noOutbox() async throws {
    let environment = RelayEnvironment(transport: server)
    async let fetched = environment.fetch(DetailQuery(id: id))
    let query = try await server.next()
    #expect(query.request.variables == ["id": .string(id)])
    query.resolve(data: ["node": nil])
    #expect(try await fetched.data?.node == nil)
  }
}
