import Foundation
import RelayStore
import RelayStoreTesting
import Testing

/// A detail screen of an object that a list has loaded, without a network.
@Suite("A detail screen offline", .timeLimit(.minutes(1)))
struct OfflineDetailTests {
  /// A transport without a network.
  private struct Offline: Transport {
    func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
      throw RelayError(
        .transport, "No network.", underlying: URLError(.notConnectedToInternet))
    }
  }

  /// A server that responds with an error.
  private struct Refusing: Transport {
    func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
      GraphQLResponse(json: ["errors": [["message": "no"]]])
    }
  }

  private func environment(
    _ handlers: [MissingFieldHandler] = [], transport: any Transport = Offline()
  ) throws -> RelayEnvironment {
    let environment = RelayEnvironment(
      store: RecordStore(
        configuration: .init(
          releaseBufferSize: 0, garbageCollection: .manual, missingFieldHandlers: handlers)),
      transport: transport)
    try environment.commitPayload(
      ListedQuery(), data: ["me": ["__typename": "Person", "id": "1", "name": "Ann"]])
    return environment
  }

  /// Waits until a load has ended, and returns its state.
  private func ended<Query: GraphQLQuery>(_ load: LoadedQuery<Query>) async -> QueryState<
    Query.Data
  > {
    for await state in load.states where !state.isLoading { return state }
    return load.state
  }

  @Test("node(id:) shows what a list has loaded; the rest is nil, and missing")
  func node() async throws {
    let environment = try environment()
    let load = environment.load(DetailQuery(id: "1"))
    let state = await ended(load)
    let person = state.data?.node?.asPerson
    #expect(person?.name == "Ann" && person?.age == nil)
    #expect(state.snapshot?.missing == [["node", "age"]])
    #expect(state.error?.code == .transport && state.error?.path == ["node", "age"])
    #expect(state.error?.message.contains("node.age") == true, "\(state)")
    // What another response brings is shown.
    try environment.commitPayload(
      LookupQuery(id: "1"),
      data: ["person": ["__typename": "Person", "id": "1", "name": "Ann", "age": 7]])
    let filled = load.state
    #expect(filled.data?.node?.asPerson?.age == 7 && filled.error?.path == [])
  }

  @Test("data that is complete sends no request")
  func complete() async throws {
    let environment = try environment()
    try environment.commitPayload(
      LookupQuery(id: "1"),
      data: ["person": ["__typename": "Person", "id": "1", "name": "Ann", "age": 7]])
    let load = environment.load(DetailQuery(id: "1"))
    #expect(!load.state.isLoading && load.state.data?.node?.asPerson?.age == 7)
  }

  @Test("where a non-null field is missing the parent is nil, and the error names the field")
  func nonNull() async throws {
    let environment = RelayEnvironment(transport: Offline())
    try environment.commitPayload(
      UnnamedQuery(), data: ["me": ["__typename": "Person", "id": "1"]])
    for showsPartialData in [false, true] {
      let options = LoadOptions(showsPartialData: showsPartialData)
      let state = await ended(environment.load(DetailQuery(id: "1"), options: options))
      #expect((state.data == nil) != showsPartialData && state.data?.node == nil)
      #expect(state.error?.code == .transport && state.error?.path == ["node", "name"])
    }
  }

  @Test("another field needs one line of the configuration")
  func lookup() async throws {
    let plain = await ended(try environment().load(LookupQuery(id: "1")))
    #expect(plain.data == nil && plain.error?.code == .transport)
    let environment = try environment([.lookup("person")])
    let state = await ended(environment.load(LookupQuery(id: "1")))
    #expect(state.data?.person?.name == "Ann" && state.data?.person?.age == nil)
    #expect(await ended(environment.load(LookupQuery(id: "2"))).data == nil)
  }

  @Test("an object made offline has a detail screen, too")
  func made() async throws {
    let environment = try environment()
    let id: String = ClientID.unique()
    let update = try environment.applyUpdate { store in
      let person = try store.create(DataID(id), type: "Person")
      try person.setValue(.string(id), for: "id")
      try person.setValue("Bob", for: "name")
    }
    let state = await ended(environment.load(DetailQuery(id: id)))
    #expect(state.data?.node?.asPerson?.name == "Bob")
    update.revert()
  }

  @Test("an observer of node(id:) that finds nothing shows the object once the store has it")
  func appearing() async throws {
    let environment = try environment()
    let query = DetailQuery(id: "2")
    let load = environment.load(query, policy: .storeOnly)
    let model = await environment.model(query, policy: .storeOnly)
    #expect(load.state.data?.node?.asPerson == nil)
    #expect(await model.data?.node?.asPerson == nil)
    environment.store.collectGarbage()
    try environment.commitUpdate { store in
      for number in 10..<20 { _ = try store.create(DataID("\(number)"), type: "Person") }
      let person = try store.create("2", type: "Person")
      try person.setValue("2", for: "id")
      try person.setValue("Eve", for: "name")
      try person.setValue(7, for: "age")
    }
    #expect(load.state.data?.node?.asPerson?.name == "Eve")
    #expect(await model.data?.node?.asPerson?.name == "Eve")
    // Deleted, it is null for everyone.
    try environment.commitUpdate { try $0.delete("2") }
    #expect(load.state.data.map { $0.node == nil } == true)
    #expect(await model.data.map { $0.node == nil } == true)
    let read = environment.read(query)
    #expect(read.data.map { $0.node == nil } == true && read.missing.isEmpty)
  }

  @Test("a handler that supplies another id each time does not keep an observer waiting")
  func changingHandler() throws {
    let count = Locked(0)
    let environment = try environment([
      .linked { _ in
        .some(
          DataID(
            "\(count.withLock { count in count += 1; return count }) of a handler"))
      }
    ])
    let load = environment.load(LookupQuery(id: "9"), policy: .storeOnly)
    #expect(load.state.data?.person == nil && count.withLock { $0 } > 0)
  }

  @Test("a response with errors is no missing network")
  func refused() async throws {
    let environment = try environment(transport: Refusing())
    let state = await ended(environment.load(DetailQuery(id: "1")))
    #expect(
      state.data == nil && state.error?.code == .graphQL
        && state.error?.message.contains("no") == true)
  }

  @Test("what node(id:) finds is retained with its query")
  func retained() throws {
    let environment = try environment()
    let retention = environment.retain(DetailQuery(id: "1"))
    environment.store.collectGarbage()
    #expect(environment.read(DetailQuery(id: "1")).data?.node?.asPerson?.name == "Ann")
    retention.release()
    environment.store.collectGarbage()
    #expect(environment.read(DetailQuery(id: "1")).data?.node == nil)
  }
}
