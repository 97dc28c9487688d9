import RelayStore
import RelayStoreTesting
import Testing

@Suite("Errors of connection pages", .timeLimit(.minutes(1)))
struct PageErrorTests {
  private let server = MockTransport()
  private let environment: RelayEnvironment

  init() {
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: server)
  }

  private static let error: JSONValue = ["message": "no", "path": ["person", "followers"]]
  private static let nothing: JSONValue = ["person": ["id": "1", "followers": nil]]

  /// Commits the first page of a list.
  ///
  /// - Returns: The pagination of the list.
  private func list() throws -> Pagination<Friends_person> {
    let query = FriendsQuery(id: "1")
    try environment.commitPayload(query, data: ["person": ["id": "1", "followers": page("2")]])
    let person = try #require(environment.read(query).data?.person)
    return environment.paginate(person.fragments.friends_person)
  }

  private func page(_ id: String, next: Bool = true) -> JSONValue {
    [
      "edges": [
        [
          "cursor": .string("c" + id),
          "node": ["__typename": "Person", "id": .string(id), "name": .string("n" + id)],
        ]
      ],
      "pageInfo": [
        "endCursor": .string("c" + id), "hasNextPage": .bool(next), "hasPreviousPage": true,
        "startCursor": .string("c" + id),
      ],
    ]
  }

  private func ids(_ list: Pagination<Friends_person>) -> [String]? {
    list.data?.followers?.nodes.map(\.id)
  }

  /// Loads a page, and resolves its request with `data`, `errors` and `status`.
  ///
  /// - Returns: The error that loading throws; `nil` if it succeeds.
  private func failure(
    _ list: Pagination<Friends_person>, previous: Bool = false, data: JSONValue,
    errors: [JSONValue] = [], status: Int? = nil
  ) async throws -> RelayError? {
    let loading = Task {
      previous ? try await list.loadPrevious(1) : try await list.loadNext(1)
    }
    try await server.next().resolve(response(data: data, errors: errors, status: status))
    do {
      try await loading.value
      return nil
    } catch {
      return error as? RelayError
    }
  }

  private func response(data: JSONValue, errors: [JSONValue], status: Int?) -> GraphQLResponse {
    var response = GraphQLResponse(json: ["data": data, "errors": .array(errors)])
    response.status = status
    return response
  }

  /// The data of a response with `page`.
  private func data(_ page: JSONValue) -> JSONValue {
    ["node": ["__typename": "Person", "id": "1", "followers": page]]
  }

  // MARK: Reading

  @Test("a caught connection with a server error is a failure")
  func caught() async throws {
    let query = CaughtFollowersQuery(id: "1")
    async let fetching = environment.fetch(query)
    try await server.next().resolve(data: Self.nothing, errors: [Self.error])
    let person = try #require(try await fetching.data?.person)
    let data = try #require(environment.read(person.fragments.caughtFollowers_person).data)
    guard case .failure(let errors) = data.followers else { return #expect(Bool(false)) }
    #expect(errors.map(\.path) == [["followers"]] && errors.first?.message == "no")
  }

  @Test("a fragment with @throwOnFieldError throws its connection's error")
  func strict() async throws {
    let query = StrictFollowersQuery(id: "1")
    async let fetching = environment.fetch(query)
    try await server.next().resolve(data: Self.nothing, errors: [Self.error])
    let person = try #require(try await fetching.data?.person)
    let failure = #expect(throws: RelayError.self) {
      try environment.read(person.fragments.strictFollowers_person)
    }
    #expect(failure?.code == .field && failure?.path == ["followers"])
  }

  // MARK: Pages

  @Test("the error of a failed page is thrown and set in the state; the list is unchanged")
  func failed() async throws {
    let list = try list()
    let nowhere: JSONValue = ["message": "rate limit", "path": ["node"]]
    let error = try await failure(list, data: ["node": nil], errors: [nowhere])
    #expect(error?.code == .graphQL && error?.errors.map(\.message) == ["rate limit"])
    #expect(error?.path == ["node"] && error?.operationName == "FriendsPaginationQuery")
    #expect(list.state.error?.message == error?.message && !list.isLoadingNext)
    #expect(ids(list) == ["2"] && list.hasNext)
    let there: JSONValue = ["message": "slow", "path": ["node", "followers"]]
    let second = try await failure(list, previous: true, data: data(nil), errors: [there])
    #expect(second?.errors.map(\.message) == ["slow"] && list.state.error != nil)
    #expect(ids(list) == ["2"] && list.hasNext && list.hasPrevious)
    let last = try await failure(
      list, data: data(page("3")))
    #expect(last == nil && list.state.error == nil)
    #expect(ids(list) == ["2", "3"])
  }

  @Test("a page whose edges are null because of an error throws")
  func withoutEdges() async throws {
    let list = try list()
    let page: JSONValue = [
      "edges": nil, "pageInfo": ["endCursor": "c9", "hasNextPage": true, "hasPreviousPage": false],
    ]
    let error: JSONValue = ["message": "slow", "path": ["node", "followers", "edges"]]
    let failure = try await failure(
      list, data: data(page),
      errors: [error])
    #expect(failure?.errors.map(\.message) == ["slow"])
    #expect(ids(list) == ["2"] && list.hasNext)
  }

  @Test("a page that is null without an error throws too")
  func null() async throws {
    let list = try list()
    let error = try await failure(
      list, data: data(nil))
    #expect(error?.code == .graphQL && error?.errors == [] && list.state.error != nil)
    let gone = try await failure(list, data: ["node": nil])
    #expect(gone?.code == .graphQL && ids(list) == ["2"])
  }

  @Test("a page with an error inside an edge is merged, and the snapshot has the error")
  func partly() async throws {
    let list = try list()
    let page: JSONValue = [
      "edges": [["cursor": "c3", "node": nil]],
      "pageInfo": ["endCursor": "c3", "hasNextPage": false, "hasPreviousPage": false],
    ]
    let error: JSONValue = ["message": "no", "path": ["node", "followers", "edges", 0, "node"]]
    let failure = try await failure(
      list, data: data(page),
      errors: [error])
    #expect(failure == nil && list.state.error == nil && !list.hasNext)
    #expect(list.data?.followers?.edges?.count == 2)
    #expect(list.state.snapshot.errors.map(\.path) == [["followers", "edges", 1, "node"]])
  }

  @Test("a list without page info continues from its last edge until a page has no edges")
  func withoutPageInfo() async throws {
    let list = try list()
    let missing: JSONValue = ["message": "slow", "path": ["node", "followers", "pageInfo"]]
    for id in ["3", "4"] {
      let page: JSONValue = ["edges": page(id)["edges"] ?? nil, "pageInfo": nil]
      #expect(try await failure(list, data: data(page), errors: [missing]) == nil)
      #expect(list.hasNext && list.state.error == nil)
    }
    #expect(ids(list) == ["2", "3", "4"])
    #expect(server.requests.map { $0.variables["cursor"] } == ["c2", "c3"])
    #expect(try await failure(list, data: data(["edges": [], "pageInfo": nil])) == nil)
    try #require(!list.hasNext && server.requests.count == 3)
    try await list.loadNext(1)
    #expect(ids(list) == ["2", "3", "4"] && server.requests.count == 3)
  }

  @Test("a page that has more but no end cursor is not followed by a request")
  func withoutCursor() async throws {
    let list = try list()
    let page: JSONValue = [
      "edges": [["cursor": nil, "node": nil]],
      "pageInfo": ["endCursor": nil, "hasNextPage": true, "hasPreviousPage": true],
    ]
    #expect(try await failure(list, data: data(page)) == nil)
    #expect(!list.hasNext && server.requests.count == 1)
  }

  @Test("errors of a null page or object have the response's status and whether to retry")
  func status() async throws {
    let list = try list()
    for (status, isRetryable) in [(200, false), (503, true)] {
      let error = try await failure(
        list, data: data(nil), errors: [["message": "busy"]], status: status)
      #expect(error?.status == status && error?.isRetryable == isRetryable)
      let loading = Task { try await list.refetch() }
      try await server.next().resolve(
        response(data: ["node": nil], errors: [["message": "busy"]], status: status))
      let second = await #expect(throws: RelayError.self) { try await loading.value }
      #expect(second?.status == status && second?.isRetryable == isRetryable)
    }
    #expect(try await failure(list, data: data(nil))?.status == nil)
  }

  @Test("a refetch whose object is null because of an error throws; the list is unchanged")
  func refetch() async throws {
    let list = try list()
    let loading = Task { try await list.refetch() }
    try await server.next().resolve(
      data: ["node": nil], errors: [["message": "rate limit", "path": ["node"]]])
    let failure = await #expect(throws: RelayError.self) { try await loading.value }
    #expect(failure?.code == .graphQL && failure?.errors.map(\.message) == ["rate limit"])
    #expect(list.state.error != nil && ids(list) == ["2"] && !list.state.isRefetching)
  }

  @Test("a page size below one is an error, and so is refetching a reference without a record")
  func misuse() async throws {
    let list = try list()
    for count in [0, -1] {
      await #expect(throws: RelayError.self) { try await list.loadNext(count) }
      await #expect(throws: RelayError.self) { try await list.loadPrevious(count) }
    }
    #expect(list.state.error?.message.contains("\"count\"") == false)
    #expect(list.state.error != nil && ids(list) == ["2"] && server.requests.isEmpty)
    let initialized = environment.paginate(.value(Friends_person(followers: nil)))
    try await initialized.loadNext(1)
    await #expect(throws: RelayError.self) { try await initialized.refetch() }
    await #expect(throws: RelayError.self) { try await initialized.refetch { $0.count = 1 } }
    #expect(initialized.state.error != nil)
    await #expect(throws: RelayError.self) {
      try await environment.refetch(FragmentRef<Friends_person>.value(.init(followers: nil)))
    }
    #expect(server.requests.isEmpty)
  }
}
