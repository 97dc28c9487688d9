import RelayStoreTesting
import Testing

@testable import RelayStore

@MainActor
@Suite("Observable models at run time", .timeLimit(.minutes(1)))
struct ModelTests {
  private let server = MockTransport()
  private let environment: RelayEnvironment

  init() {
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: server)
  }

  private func person(_ id: String, followers: JSONValue = ["edges": []]) -> JSONValue {
    ["person": ["id": .string(id), "name": .string("n" + id), "followers": followers]]
  }

  // MARK: Reset

  @Test("a reset on the main actor clears every model before it returns")
  func reset() async throws {
    let query = used(QueryModel(FollowersQuery(id: "1"), in: environment))
    let page: JSONValue = [
      "edges": [["cursor": "c", "node": ["__typename": "Person", "id": "2", "name": "Bob"]]],
      "pageInfo": ["endCursor": "c", "hasNextPage": true],
    ]
    try await server.next().resolve(
      data: person("1", followers: page), errors: [["message": "Ann's secret", "path": ["other"]]])
    try await environment.settle()
    let fragment = FragmentModel(
      try #require(query.data?.person).fragments.followers_person, in: environment)
    let list = PaginationModel(
      try #require(query.data?.person).fragments.followers_person, in: environment)
    #expect(fragment.data != nil && list.data != nil && list.hasNext)
    environment.reset()
    #expect(query.data == nil && query.state.snapshot == nil)
    #expect(query.error == nil && !query.isLoading)
    #expect(fragment.data == nil && list.data == nil && !list.hasNext)
    begin { query.refetch() }
    try await server.next().resolve(data: person("1"))
    try await environment.settle()
    #expect(query.data?.person?.name == "n1")
  }

  @Test("a reset clears the errors of models and streams")
  func resetErrors() async throws {
    let query = used(QueryModel(FollowersQuery(id: "1"), in: environment))
    let states = StreamRecorder(environment.observe(FollowersQuery(id: "9"), policy: .networkOnly))
    for _ in 0..<2 { try await server.next().reject(RelayError(.transport, "Ann's proxy is down")) }
    let mutation = MutationModel<RenameMutation>(in: environment)
    let renaming = Task { try await mutation.commit(RenameMutation(id: "1", name: "x")) }
    try await server.next().reject(RelayError(.transport, "Ann may not"))
    await #expect(throws: RelayError.self) { try await renaming.value }
    try environment.commitPayload(
      FollowersQuery(id: "1"),
      data: person(
        "1", followers: ["edges": [], "pageInfo": ["endCursor": "c", "hasNextPage": true]]))
    let reference = try #require(environment.read(FollowersQuery(id: "1")).data?.person)
    let list = PaginationModel(reference.fragments.followers_person, in: environment)
    begin { list.loadNext(1) }
    try await server.next().reject(RelayError(.transport, "Ann's page"))
    try await environment.settle()
    #expect(query.error != nil && mutation.error != nil && list.error != nil)
    #expect(states.elements.last?.error != nil)
    environment.reset()
    #expect(query.error == nil && mutation.error == nil && list.error == nil)
    try await environment.settle()
    #expect(states.elements.last?.error == nil && states.elements.last?.data == nil)
  }

  // MARK: Another query

  @Test(
    "the previous query's data stays visible while another one loads, and is marked as previous")
  func previousData() async throws {
    let model = used(QueryModel(FollowersQuery(id: "1"), in: environment))
    try await server.next().resolve(data: person("1"))
    try await environment.settle()
    #expect(model.data?.person?.name == "n1" && !model.isPreviousData)
    begin { model.load(FollowersQuery(id: "2")) }
    #expect(model.data?.person?.name == "n1" && model.isPreviousData && model.isLoading)
    try await server.next().resolve(data: person("2"))
    try await environment.settle()
    #expect(model.data?.person?.name == "n2" && !model.isPreviousData)
  }

  @Test("if another query fails, its error replaces the previous query's data")
  func failedQuery() async throws {
    let model = used(QueryModel(FollowersQuery(id: "1"), in: environment))
    try await server.next().resolve(data: person("1"))
    try await environment.settle()
    begin { model.load(FollowersQuery(id: "2")) }
    try await server.next().reject(RelayError(.transport, "lost"))
    try await environment.settle()
    #expect(model.error?.code == .transport && model.data == nil && !model.isPreviousData)
    #expect(model.query.id == "2")
  }

  // MARK: Mutations

  @Test("a mutation whose root field is null with a server error is an error of the model")
  func refusal() async throws {
    let model = MutationModel<RenameMutation>(in: environment)
    async let renamed = model.commit(RenameMutation(id: "1", name: "x"))
    try await server.next().resolve(
      data: ["rename": nil], errors: [["message": "Names have two letters.", "path": ["rename"]]])
    #expect(try await renamed.data?.rename == nil)
    #expect(model.error?.code == .graphQL && model.error?.errors.count == 1)
    #expect(model.error?.message == "\"Rename\" failed: Names have two letters.")
    async let again = model.commit(RenameMutation(id: "1", name: "xy"))
    try await server.next().resolve(
      data: ["rename": ["person": ["id": "1", "name": "xy"], "ok": true]],
      errors: [["message": "by the way", "path": ["other"]]])
    #expect(try await again.data?.rename?.person?.name == "xy" && model.error == nil)
  }

  @Test("an error without a path explains a null root field, and no other one")
  func refusalWithoutPath() async throws {
    let model = MutationModel<RenameMutation>(in: environment)
    async let refused = model.commit(RenameMutation(id: "1", name: "x"))
    try await server.next().resolve(data: ["rename": nil], errors: [["message": "Sign in first."]])
    #expect(try await refused.data?.rename == nil)
    #expect(model.error?.code == .graphQL)
    #expect(model.error?.message == "\"Rename\" failed: Sign in first.")
    async let renamed = model.commit(RenameMutation(id: "1", name: "xy"))
    try await server.next().resolve(
      data: ["rename": ["person": ["id": "1", "name": "xy"], "ok": true]],
      errors: [["message": "by the way"]])
    #expect(try await renamed.data?.rename?.person?.name == "xy" && model.error == nil)
    async let unexplained = model.commit(RenameMutation(id: "1", name: "y"))
    try await server.next().resolve(data: ["rename": nil])
    #expect(try await unexplained.data?.rename == nil && model.error == nil)
  }

  @Test("the optimistic update is applied before the call leaves the caller's actor")
  func optimisticIsolation() async throws {
    let model = MutationModel<RenameMutation>(in: environment)
    let updates = Locked<[Bool]>([])
    for usesModel in [false, true] {
      let commit = Task { [environment] in
        // Without a suspension, the actor remains on the same thread.
        let thread = ThreadIdentity.current
        let updater: StoreUpdater = { _ in
          updates.withLock { $0.append(thread == .current) }
        }
        let rename = RenameMutation(id: "1", name: "x")
        if usesModel {
          try await model.commit(rename, optimisticUpdater: updater)
        } else {
          try await environment.commit(rename, optimisticUpdater: updater)
        }
      }
      try await server.next().resolve(data: ["rename": nil])
      try await commit.value
    }
    #expect(updates.withLock { $0 } == [true, true])
  }

  @Test("a mutation of a model has a request context")
  func mutationContext() async throws {
    enum Trace: RequestContextKey { typealias Value = String }
    let context = RequestContext()
    context[Trace.self] = "t"
    let model = MutationModel<RenameMutation>(in: environment)
    async let renamed = model.commit(RenameMutation(id: "1", name: "x"), context: context)
    let request = try await server.next()
    #expect(request.request.context[Trace.self] == "t")
    request.resolve(data: ["rename": nil])
    _ = try await renamed
  }

  // MARK: Lists

  @Test("a first page that has more but no end cursor has no next page")
  func noCursor() async throws {
    let page: JSONValue = ["edges": [], "pageInfo": ["endCursor": nil, "hasNextPage": true]]
    try environment.commitPayload(FollowersQuery(id: "1"), data: person("1", followers: page))
    let reference = try #require(environment.read(FollowersQuery(id: "1")).data?.person)
    let list = PaginationModel(reference.fragments.followers_person, in: environment)
    #expect(list.data != nil && !list.hasNext)
    begin { list.loadNext(1) }
    try await environment.settle()
    #expect(server.requests.isEmpty)
  }
}
