import Foundation
import Testing

@testable @_spi(GeneratedCode) import RelayStore

/// A query for a user, in the form that relay-compiler generates.
private struct UserQuery: GraphQLQuery {
  static let __operation = OperationPlan(
    text: "query UserQuery { user { id name } }",
    reader: "UserQuery Query{user User{id ID! name String}}",
    normalization: "Query{user User{__typename String! id ID! name String}}")

  struct Data: GraphQLView {
    static let __plan = UserQuery.__operation.reader
    let __row: Row
    var user: User? { __row.object(0) }

    struct User: GraphQLView {
      static var __plan: SelectionPlan { Data.__plan[0] }
      let __row: Row
      var id: String { __row[0] }
      var name: String? { __row[1] }
    }
  }
}

/// A server with one user.
private final class UserServer: Transport {
  private let count = Locked(0)

  var requestCount: Int { count.withLock { $0 } }

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    count.withLock { $0 += 1 }
    let body: JSONValue = [
      "data": ["user": ["__typename": "User", "id": "1", "name": "from the server"]]
    ]
    return GraphQLResponse(body: body.jsonBytes)
  }
}

@Suite("Storage: while the records are loaded", .timeLimit(.minutes(1)))
struct LoadingTests {
  private let memory = MemoryPersistence()
  private let server = UserServer()
  private let plan = SelectionPlan("User{name String age Int}")

  private func environment(_ persistence: Persistence) -> RelayEnvironment {
    RelayEnvironment(
      store: RecordStore(
        configuration: .init(garbageCollection: .manual, persistence: persistence)),
      transport: server)
  }

  /// Persists a user, like an earlier run of the program.
  private func storeUser() async throws {
    let environment = environment(memory.persistence)
    try environment.commitPayload(
      UserQuery(), data: ["user": ["__typename": "User", "id": "1", "name": "from the disk"]])
    try environment.commitUpdate { try $0["1"]?.setValue(7, for: "age") }
    try await environment.store.suspend()
  }

  @Test("what is not loaded is not missing, and a snapshot follows when it is loaded")
  func snapshots() async throws {
    try await storeUser()
    let gate = GatedPersistence(memory)
    let environment = environment(gate.persistence)
    let reference = FragmentRef<UserQuery.Data.User.Fragment>(id: "1")
    let known = environment.observe(reference).makeAsyncIterator()
    let unknown = environment.observe(
      FragmentRef<UserQuery.Data.User.Fragment>(id: "2")
    ).makeAsyncIterator()
    var (first, second) = (known, unknown)
    for snapshot in [await first.next(), await second.next()] {
      #expect(snapshot?.isNotLoaded == true)
      #expect(snapshot?.missing == [])
      #expect(snapshot?.data == nil)
    }
    let list = environment.read([reference])
    #expect(list.isNotLoaded && list.missing == [])
    #expect(environment.check(UserQuery()) == .notLoaded)
    #expect(environment.store.isLoading)
    gate.open()
    let loaded = try #require(await first.next())
    #expect(!loaded.isNotLoaded)
    #expect(loaded.data?.name == "from the disk")
    let missing = try #require(await second.next())
    #expect(!missing.isNotLoaded)
    #expect(missing.isMissingData)
    #expect(environment.check(UserQuery()).isAvailable)
  }

  @Test("a load waits for the records before it decides to fetch", arguments: [true, false])
  func load(isStored: Bool) async throws {
    if isStored { try await storeUser() }
    let gate = GatedPersistence(memory)
    let environment = environment(gate.persistence)
    let load = environment.load(UserQuery(), policy: .storeOrNetwork)
    #expect(load.state.isLoading)
    #expect(load.state.data == nil)
    #expect(load.state.error == nil)
    #expect(server.requestCount == 0)
    gate.open()
    for await state in load.states where state.data != nil && !state.isLoading { break }
    #expect(load.state.data?.user?.name == (isStored ? "from the disk" : "from the server"))
    #expect(server.requestCount == (isStored ? 0 : 1))
  }

  @Test(
    "no state of a load is settled without data and error",
    arguments: [FetchPolicy.storeOrNetwork, .storeOnly],
    [true, false])
  func settled(policy: FetchPolicy, isStored: Bool) async throws {
    if isStored { try await storeUser() }
    let gate = GatedPersistence(memory)
    let environment = environment(gate.persistence)
    let load = environment.load(UserQuery(), policy: policy)
    let states = Locked<[LoadState]>([])
    _ = load.subscribe { state in states.withLock { if let state { $0.append(state) } } }
    gate.open()
    for await state in load.states where !state.isLoading { break }
    let isFetched = isStored || policy == .storeOrNetwork
    for state in states.withLock({ $0 }) {
      #expect((state.error != nil) == (!state.isLoading && !isFetched))
      if !state.isLoading { #expect((state.row?.row != nil) == isFetched) }
    }
  }

  @Test("data that has expired while the program did not run is stale, however it is loaded")
  func expired() async throws {
    var configuration = RecordStore.Configuration(
      queryExpiration: nil, garbageCollection: .manual, persistence: memory.persistence)
    configuration.date = { Date(timeIntervalSince1970: 1_000_000) }
    let first = RelayEnvironment(
      store: RecordStore(configuration: configuration), transport: server)
    try await first.fetch(UserQuery())
    try await first.store.suspend()
    let gate = GatedPersistence(memory)
    configuration.persistence = gate.persistence
    configuration.maxAges = ["UserQuery": .seconds(60)]
    configuration.date = { Date(timeIntervalSince1970: 1_000_100) }
    let second = RelayEnvironment(
      store: RecordStore(configuration: configuration), transport: server)
    var strict = LoadOptions()
    strict.showsStaleData = false
    let shown = second.load(UserQuery(), policy: .storeOnly)
    let withheld = second.load(UserQuery(), policy: .storeOnly, options: strict)
    gate.open()
    for await state in shown.states where !state.isLoading {
      #expect(state.data != nil)
      #expect(state.isStale)
      break
    }
    for await state in withheld.states where !state.isLoading {
      #expect(state.data == nil)
      #expect(state.error?.message == "The data of \"UserQuery\" is stale.")
      break
    }
  }

  @Test("a fetch waits for the records before it decides to fetch", arguments: [true, false])
  func fetch(isStored: Bool) async throws {
    if isStored { try await storeUser() }
    let gate = GatedPersistence(memory)
    let environment = environment(gate.persistence)
    async let fetched = environment.fetch(UserQuery(), policy: .storeOrNetwork).data?.user?.name
    async let stored = environment.fetch(UserQuery(), policy: .storeOnly).data?.user?.name
    gate.open()
    #expect(try await fetched == (isStored ? "from the disk" : "from the server"))
    #expect(server.requestCount == (isStored ? 0 : 1))
    if isStored { #expect(try await stored == "from the disk") } else { _ = try await stored }
  }

  @Test("networkOnly does not wait")
  func networkOnly() async throws {
    try await storeUser()
    let gate = GatedPersistence(memory)
    let environment = environment(gate.persistence)
    #expect(try await environment.fetch(UserQuery()).data?.user?.name == "from the server")
    #expect(environment.store.isLoading)
    gate.open()
    await environment.store.loaded()
    // The newer write wins, and the field that was only on disk is present.
    let row = environment.store.read(.record("1", plan, in: .empty)).row
    #expect(row?.json == ["name": "from the server", "age": 7])
  }

  @Test("a record that is deleted or created meanwhile has nothing of what was stored")
  func replaced() async throws {
    try await storeUser()
    for isCreated in [false, true] {
      let gate = GatedPersistence(memory)
      let environment = environment(gate.persistence)
      try environment.commitPayload(
        UserQuery(), data: ["user": ["__typename": "User", "id": "1", "name": "new"]])
      try environment.commitUpdate { try $0.delete("1") }
      if isCreated { try environment.commitUpdate { _ = try $0.create("1", type: "User") } }
      gate.open()
      await environment.store.loaded()
      let row = environment.store.read(.record("1", plan, in: .empty))
      #expect(row.isDeleted == !isCreated)
      #expect(row.row?.json["age"] ?? .null == .null)
      #expect(row.row?.json["name"] ?? .null == .null)
    }
  }

  @Test("an optimistic update that was applied meanwhile is above what is loaded")
  func optimistic() async throws {
    try await storeUser()
    let gate = GatedPersistence(memory)
    let environment = environment(gate.persistence)
    let update = try environment.applyUpdate { store in
      let user = try store["1"] ?? store.create("1", type: "User")
      try user.setValue("optimistic", for: "name")
    }
    gate.open()
    await environment.store.loaded()
    #expect(
      environment.store.read(.record("1", plan, in: .empty)).row?.json == [
        "name": "optimistic", "age": 7,
      ])
    update.revert()
    #expect(
      environment.store.read(.record("1", plan, in: .empty)).row?.json
        == ["name": "from the disk", "age": 7])
  }
}

extension UserQuery.Data.User {
  /// A fragment with the name of a user.
  fileprivate struct Fragment: GraphQLFragment {
    static let __plan = SelectionPlan("Fragment User{name String}")
    let __row: Row
    var name: String? { __row[0] }
  }
}
