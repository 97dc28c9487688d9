import RelayStore
import RelayStoreTesting
import Testing

@Suite("Pagination", .timeLimit(.minutes(1)))
struct PagingTests {
  private let server = MockTransport()
  private let environment: RelayEnvironment
  private let unmerged = Recorded()

  init() {
    let unmerged = unmerged
    environment = RelayEnvironment(
      store: RecordStore(
        configuration: .init(
          garbageCollection: .manual,
          log: { event in
            if case .pageNotMerged(let key) = event { unmerged.add(key) }
          })),
      transport: server)
  }

  /// A page as a server sends it. Each id has a node and the cursor `c<id>`; `nil` becomes a null
  /// edge.
  private func page(_ ids: [String?], next: Bool = false, previous: Bool = false) -> JSONValue {
    let edges: [JSONValue] = ids.map { id in
      guard let id else { return .null }
      return [
        "cursor": .string("c" + id),
        "node": ["__typename": "Person", "id": .string(id), "name": .string("n" + id)],
      ]
    }
    return [
      "edges": .array(edges),
      "pageInfo": [
        "endCursor": (ids.last ?? nil).map { .string("c" + $0) } ?? .null,
        "startCursor": (ids.first ?? nil).map { .string("c" + $0) } ?? .null,
        "hasNextPage": .bool(next), "hasPreviousPage": .bool(previous),
      ],
    ]
  }

  private func pageData(_ page: JSONValue, id: String = "1") -> JSONValue {
    ["node": ["__typename": "Person", "id": .string(id), "followers": page]]
  }

  /// The pagination of a list whose first page has the nodes `ids`.
  private func list(_ ids: [String?], next: Bool = true, previous: Bool = false) throws
    -> Pagination<Friends_person>
  {
    let query = FriendsQuery(id: "1")
    try environment.commitPayload(
      query,
      data: ["person": ["id": "1", "followers": page(ids, next: next, previous: previous)]])
    let person = try #require(environment.read(query).data?.person)
    return environment.paginate(person.fragments.friends_person)
  }

  private func ids(_ list: Pagination<Friends_person>) -> [String] {
    list.data?.followers?.nodes.map(\.id) ?? []
  }

  @Test("loadNext appends pages until there are no more, and then sends nothing")
  func next() async throws {
    let list = try list(["2", "3"])
    #expect(list.hasNext && !list.isLoadingNext && !list.hasPrevious)
    async let loading: Void = list.loadNext(10)
    let request = try await server.next()
    #expect(request.request.variables["count"] == 10)
    #expect(request.request.variables["cursor"] == "c3")
    #expect(request.request.variables["id"] == "1")
    #expect(list.isLoadingNext)
    request.resolve(data: pageData(page(["4", "5"])))
    try await loading
    #expect(ids(list) == ["2", "3", "4", "5"])
    #expect(!list.hasNext && !list.isLoadingNext)
    try await list.loadNext(10)
    try await list.loadPrevious(10)
    #expect(server.requests.count == 1)
  }

  @Test("at most one page per direction is in flight, whichever pagination loads it")
  func single() async throws {
    let first = try list(["2", "3"], previous: true)
    let second = environment.paginate(first.reference)
    async let one: Void = first.loadNext(2)
    let request = try await server.next()
    async let two: Void = second.loadNext(3)
    async let three: Void = second.loadPrevious(2)
    let previous = try await server.next()
    #expect(previous.request.variables["before"] == "c2")
    #expect(previous.request.variables["last"] == 2)
    // If it were omitted, the query's default would request a page in both directions.
    #expect(previous.request.variables["count"] == JSONValue.null)
    #expect(first.isLoadingPrevious && second.isLoadingNext)
    previous.resolve(data: pageData(page(["0", "1"])))
    try await three
    request.resolve(data: pageData(page(["4"])))
    try await one
    try await two
    #expect(server.requests.count == 2)
    #expect(ids(first) == ["0", "1", "2", "3", "4"])
    #expect(!first.hasPrevious && !second.hasNext)
  }

  @Test("each page is requested once, however many tasks load the list at the same time")
  func once() async throws {
    let cursors = Recorded()
    let transport = PageTransport { request in
      let cursor = request.variables["cursor"]?.string ?? ""
      cursors.add(cursor)
      let node = (Int(cursor.dropFirst()) ?? 0) + 1
      return pageData(page(["\(node)"], next: node < 400))
    }
    let environment = RelayEnvironment(store: environment.store, transport: transport)
    let reference = try list(["2"]).reference
    let shown = Task { @MainActor in
      let model = PaginationModel(reference, in: environment)
      while model.hasNext { try await model.loadNext(1) }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        let list = environment.paginate(reference)
        group.addTask { while list.hasNext { try await list.loadNext(1) } }
      }
      try await group.waitForAll()
    }
    try await shown.value
    #expect(cursors.all == (2..<400).map { "c\($0)" })
    #expect(ids(environment.paginate(reference)) == (2...400).map { "\($0)" })
  }

  /// A transport that responds to every request immediately.
  private struct PageTransport: Transport {
    let data: @Sendable (GraphQLRequest) -> JSONValue

    func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
      GraphQLResponse(json: ["data": data(request)])
    }
  }

  @Test("consumers receive a page and the end of its loading in one state")
  func states() async throws {
    let list = try list(["2"])
    var states = list.states.makeAsyncIterator()
    let first = await states.next()
    #expect(first?.hasNext == true && first?.isLoadingNext == false)
    async let loading: Void = list.loadNext(1)
    let request = try await server.next()
    let second = await states.next()
    #expect(second?.isLoadingNext == true)
    request.resolve(data: pageData(page(["3"])))
    let third = await states.next()
    #expect(third?.isLoadingNext == false && third?.hasNext == false)
    #expect(third?.data?.followers?.nodes.count == 2)
    try await loading
  }

  @Test(
    "the error of a failed page is thrown and set in the state, and the page can be loaded again")
  func failure() async throws {
    let list = try list(["2"])
    let loading = Task { try await list.loadNext(1) }
    try await server.next().reject(RelayError(.transport, "lost"))
    await #expect(throws: RelayError.self) { try await loading.value }
    #expect(list.state.error?.message == "lost" && !list.isLoadingNext && list.hasNext)
    async let again: Void = list.loadNext(1)
    try await server.next().resolve(data: pageData(page(["3"])))
    try await again
    #expect(ids(list) == ["2", "3"] && list.state.error == nil)
  }

  @Test("cancelling the last waiter of a page cancels its request")
  func cancellation() async throws {
    let list = try list(["2"])
    let loading = Task { try await list.loadNext(1) }
    _ = try await server.next()
    loading.cancel()
    await #expect(throws: CancellationError.self) { try await loading.value }
    #expect(!list.isLoadingNext && list.state.error == nil)
    try await eventually(0) { server.pending.count }
  }

  @Test("a page that the transport cancels throws to its caller, and sets no error in the state")
  func cancelledByTransport() async throws {
    let list = try list(["2"])
    let loading = Task { try await list.loadNext(1) }
    try await server.next().reject(CancellationError())
    let error = await #expect(throws: RelayError.self) { try await loading.value }
    #expect(error?.code == .cancelled && list.state.error == nil && !list.isLoadingNext)
    async let again: Void = list.loadNext(1)
    try await server.next().resolve(data: pageData(page(["3"])))
    try await again
    #expect(ids(list) == ["2", "3"])
  }

  @Test(
    "a refetch replaces the list, and a page that does not continue it is discarded and logged")
  func refetch() async throws {
    let list = try list(["2", "3"])
    async let late: Void = list.loadNext(2)
    let page = try await server.next()
    async let anew: Void = list.refetch()
    let request = try await server.next()
    #expect(request.request.variables["cursor"] == nil)
    #expect(list.state.isRefetching && ids(list) == ["2", "3"])
    request.resolve(data: pageData(self.page(["7", "8"], next: true)))
    try await anew
    #expect(ids(list) == ["7", "8"] && !list.state.isRefetching)
    page.resolve(data: pageData(self.page(["4", "5"])))
    try await late
    #expect(ids(list) == ["7", "8"] && list.hasNext)
    #expect(unmerged.all == ["Friends_followers"])
  }

  @Test("a refetch with other filters shows another connection, retained as long as the handle")
  func filters() async throws {
    try await showOtherList()
    #expect(environment.store.statistics.isEmpty)
  }

  private func showOtherList() async throws {
    let list = try list(["2", "3"])
    let old = list.connectionID
    async let anew: Void = list.refetch { $0.order = .some(.age) }
    let request = try await server.next()
    #expect(request.request.variables["order"] == "AGE")
    request.resolve(data: pageData(page(["3", "2"], next: true)))
    try await anew
    #expect(ids(list) == ["3", "2"])
    let new = list.connectionID
    #expect(old != new)
    #expect(environment.connections("Friends_followers", of: "1") == [old, new])
    #expect(environment.connections("Friends_followers").count == 2)
    async let next: Void = list.loadNext(1)
    let more = try await server.next()
    #expect(more.request.variables["order"] == "AGE" && more.request.variables["cursor"] == "c2")
    more.resolve(data: pageData(page(["4"])))
    try await next
    environment.store.collectGarbage()
    #expect(ids(list) == ["3", "2", "4"])
    #expect(environment.store.statistics.retainedOperations == 1)
  }

  @Test("of several refetches the newest wins, whichever response arrives last")
  func olderRefetch() async throws {
    let list = try list(["2", "3"])
    async let older: Void = list.refetch { $0.order = .some(.age) }
    let first = try await server.next()
    async let newer: Void = list.refetch { $0.order = .some(.name) }
    let second = try await server.next()
    second.resolve(data: pageData(page(["3", "2"])))
    try await newer
    let connection = list.connectionID
    #expect(ids(list) == ["3", "2"] && !list.state.isRefetching)
    first.resolve(data: pageData(page(["9"])))
    try await older
    #expect(ids(list) == ["3", "2"] && list.connectionID == connection)
  }

  @Test("updaters reach every connection of a key, whatever its filters")
  func connections() async throws {
    let list = try list(["2", "3"])
    async let anew: Void = list.refetch { $0.order = .some(.age) }
    try await server.next().resolve(data: pageData(page(["3", "2"])))
    try await anew
    try environment.commitUpdate { store in
      for friends in try store["1"]?.getConnections("Friends_followers") ?? [] {
        try friends.deleteNode("2")
      }
    }
    #expect(ids(list) == ["3"])
    let back = Task { try await list.refetch { $0.order = .null } }
    let request = try await server.next()
    #expect(request.request.variables["order"] == .some(.null))
    request.reject(RelayError(.transport, "lost"))
    await #expect(throws: RelayError.self) { try await back.value }
    #expect(list.state.error != nil && ids(list) == ["3"])
    let count = Recorded()
    try environment.commitUpdate { store in
      for friends in try store.getConnections("Friends_followers") {
        count.add("\(friends.record.id)")
      }
    }
    #expect(count.all.count == 2)
  }

  @Test("a refetch with the fragment's query for another id shows that object's list")
  func query() async throws {
    let list = try list(["2"])
    async let other: Void = list.refetch(FriendsPaginationQuery(id: "9"))
    try await server.next().resolve(data: pageData(page(["5"]), id: "9"))
    try await other
    #expect(ids(list) == ["5"] && list.reference.id == "9")
  }

  @Test("a refetchable fragment is refetched with other variables")
  func refetchFragment() async throws {
    let list = try list(["2", "3"])
    async let fetching = environment.refetch(list.reference) { $0.count = 1 }
    let request = try await server.next()
    #expect(request.request.variables["count"] == 1)
    request.resolve(data: pageData(page(["2"], next: true)))
    let reference = try await fetching
    #expect(environment.read(reference).data?.followers?.nodes.map(\.name) == ["n2"])
  }

  @Test("nodes is a collection that skips null edges")
  func nodes() throws {
    let list = try list(["2", nil, "3"])
    let nodes = try #require(list.data?.followers?.nodes)
    #expect(nodes.map(\.id) == ["2", "3"] && nodes.count == 2 && nodes.last?.name == "n3")
    #expect(list.data?.followers?.edges?.count == 3)
    let initialized = Friends_person(
      followers: .init(edges: [.init(node: .init(id: "8", name: "Eve")), nil]))
    #expect(initialized.followers?.nodes.map(\.id) == ["8"])
    let preview = environment.paginate(.value(initialized))
    #expect(preview.data == initialized && !preview.hasNext)
  }

  @Test("a reset cancels a page in flight and clears the list")
  func reset() async throws {
    let list = try list(["2"])
    let loading = Task { try await list.loadNext(1) }
    let request = try await server.next()
    environment.reset()
    await #expect(throws: RelayError.self) { try await loading.value }
    request.resolve(data: pageData(page(["3"])))
    #expect(list.data == nil && !list.hasNext && !list.isLoadingNext)
    #expect(environment.store.dump() == RecordStore().dump())
  }
}

/// The values that a callback received, in order.
final class Recorded: Sendable {
  private let values = Locked<[String]>([])

  var all: [String] { values.withLock { $0 } }

  func add(_ value: String) { values.withLock { $0.append(value) } }
}
