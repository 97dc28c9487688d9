import RelayStore
import RelayStoreTesting
import Testing

/// The invariant of loads: once settled, a load has data, an error or a request in flight.
@Suite("Loads, checks and reads agree", .timeLimit(.minutes(1)))
struct LoadTests {
  private let server = MockTransport()
  private let environment: RelayEnvironment

  init() {
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: server)
  }

  private static func book(_ id: String) -> JSONValue {
    ["id": .string(id), "title": .string("t\(id)"), "author": ["id": "a", "name": "Ann"]]
  }

  private static func shelf(_ books: [JSONValue]) -> JSONValue {
    ["shelf": ["id": "s", "title": "S", "books": .array(books)]]
  }

  /// Loads `query`, resolves its request with `data`, and releases the load.
  ///
  /// - Returns: The settled state of the load.
  private func loadedState<Query: GraphQLQuery>(_ query: Query, _ data: JSONValue) async throws
    -> QueryState<Query.Data>
  {
    let load = environment.load(query)
    #expect(load.state.isLoading && load.state.error == nil)
    try await server.next().resolve(data: data)
    try await environment.settle()
    defer { load.release() }
    return load.state
  }

  private func isAvailable(_ query: some GraphQLQuery) -> Bool {
    if case .available = environment.check(query) { true } else { false }
  }

  @Test(
    "a query of fragments alone has no data before their data is there, except partial data",
    arguments: [FetchPolicy.storeOrNetwork, .storeAndNetwork, .storeOnly, .networkOnly],
    [false, true])
  func fragmentsAlone(_ policy: FetchPolicy, showsPartialData: Bool) async throws {
    let query = PassVariableQuery(tag: "a")
    let options = LoadOptions(showsPartialData: showsPartialData)
    let load = environment.load(query, policy: policy, options: options)
    let isShown = policy == .storeOnly || showsPartialData && policy != .networkOnly
    #expect((load.state.data != nil) == isShown && load.state.isLoading == (policy != .storeOnly))
    if policy != .storeOnly {
      try await server.next().resolve(data: ["find": nil])
      try await environment.settle()
    }
    #expect(load.state.data != nil && !load.state.isLoading && load.state.error == nil)
    environment.reset()
    #expect((load.state.data != nil) == isShown)
    let again = environment.load(query, policy: .storeOrNetwork)
    #expect(again.state.data == nil && again.state.isLoading)
  }

  @Test("the previous data is shown while the fragments of another query have none")
  @MainActor func previousFragments() async throws {
    let model = QueryModel(PassVariableQuery(tag: "a"), in: environment)
    #expect(model.data == nil && model.isLoading)
    try await server.next().resolve(data: ["find": ["asked": "a"]])
    try await environment.settle()
    #expect(model.data != nil && !model.isPreviousData)
    _ = { model.load(PassVariableQuery(tag: "b")) }()
    let shown = try #require(model.data).fragments.find_query
    #expect(model.isPreviousData && environment.read(shown).data?.find?.asked == "a")
    try await server.next().resolve(data: ["find": ["asked": "b"]])
    try await environment.settle()
    #expect(!model.isPreviousData)
  }

  @Test("a client field that was never written is nil, not missing, and causes no request")
  func clientField() async throws {
    let first = try await loadedState(ShelfQuery(), Self.shelf([Self.book("1")]))
    #expect(first.snapshot?.missing == [])
    let again = environment.load(ShelfQuery())
    #expect(!again.state.isLoading && again.state.error == nil && isAvailable(ShelfQuery()))
    let book = try #require(again.state.data?.shelf?.books.first)
    #expect(book.mark == nil && book.marks == nil && again.state.snapshot?.isMissingData == false)
    #expect(environment.read(book.fragments.cover_book).missing.isEmpty)
    try environment.commitUpdate { store in
      try store["1"]?.setValue("dog-ear", for: "mark")
      try store["1"]?.setLinkedRecords([store.create("m", type: "Mark")], for: "marks")
    }
    let marked = try #require(again.state.data?.shelf?.books.first)
    #expect(marked.mark == "dog-ear" && marked.marks?.count == 1 && marked.marks?[0].ink == nil)
    #expect(again.state.snapshot?.missing == [] && server.requests.count == 1)
  }

  @Test("a non-null client field that was never written is an error after one request")
  func clientFieldNotNull() async throws {
    let data: JSONValue = ["main": ["id": "m", "books": [["id": "1"]]]]
    for count in 1...2 {
      let state = try await loadedState(SealQuery(), data)
      #expect(state.data == nil && state.error?.path.description == "main.books[0].seal")
      #expect(server.requests.count == count)
    }
  }

  @Test("a list leaves out a deleted record, and loads without a request")
  func deleted() async throws {
    let loaded = environment.load(ShelfQuery())
    try await server.next().resolve(
      data: Self.shelf([Self.book("1"), Self.book("2"), Self.book("3")]))
    try await environment.settle()
    let burn = Task { try await environment.commit(BurnMutation(id: "2")) }
    try await server.next().resolve(data: ["burn": ["gone": "2"]])
    _ = try await burn.value
    try await environment.settle()
    let again = environment.load(ShelfQuery())
    for state in [loaded.state, again.state] {
      #expect(state.data?.shelf?.books.map(\.title) == ["t1", "t3"])
      #expect(state.snapshot?.missing.map(\.description) == ["shelf.books[1]"])
      #expect(!state.isLoading && state.error == nil)
      #expect(state.snapshot?.seenRecords.contains("2") == true)
    }
    #expect(isAvailable(ShelfQuery()) && server.requests.count == 2)
    let strict = FragmentRef<Strict_shelf>(id: "s")
    #expect(try environment.read(strict).data?.books.count == 2)
  }

  @Test("reverting a deletion restores the element, in lists of many chunks too")
  func rolledBack() async throws {
    let books = (0..<200).map { Self.book("\($0)") }
    let loaded = environment.load(ShelfQuery())
    try await server.next().resolve(data: Self.shelf(books))
    try await environment.settle()
    func titles(without gone: Set<Int>) -> [String] {
      (0..<200).filter { !gone.contains($0) }.map { "t\($0)" }
    }
    let first = try environment.applyUpdate { try $0.delete("70") }
    let second = try environment.applyUpdate { store in
      try store.delete("0")
      try store.delete("199")
    }
    #expect(loaded.state.data?.shelf?.books.map(\.title) == titles(without: [0, 70, 199]))
    #expect(
      loaded.state.snapshot?.missing.map(\.description)
        == ["shelf.books[0]", "shelf.books[70]", "shelf.books[199]"])
    try environment.commitUpdate { try $0["150"]?.setValue("t150!", for: "title") }
    #expect(loaded.state.data?.shelf?.books[148].title == "t150!")
    #expect(loaded.state.data == environment.read(ShelfQuery()).data)
    try environment.commitUpdate { try $0["150"]?.setValue("t150", for: "title") }
    second.revert()
    #expect(loaded.state.data?.shelf?.books.map(\.title) == titles(without: [70]))
    #expect(loaded.state.snapshot?.missing.map(\.description) == ["shelf.books[70]"])
    first.revert()
    #expect(loaded.state.data?.shelf?.books.map(\.title) == titles(without: []))
    #expect(loaded.state.snapshot?.missing == [])
  }

  @Test("a deletion below a non-null element leaves the element out; a nullable element is null")
  func deletedBelow() async throws {
    let data: JSONValue = [
      "shelf": [
        "id": "s", "title": "S",
        "boxes": [[Self.book("1"), Self.book("2")], [Self.book("2")]],
        "maybe": [Self.book("2"), Self.book("3")],
        "pages": ["edges": [["node": Self.book("1")], ["node": Self.book("2")]]],
      ]
    ]
    _ = try await loadedState(BoxesQuery(), data)
    try environment.commitUpdate { try $0.delete("2") }
    let snapshot = environment.read(BoxesQuery())
    let shelf = try #require(snapshot.data?.shelf)
    #expect(shelf.boxes?.map { $0.map(\.title) } == [["t1"], []])
    #expect(shelf.maybe?.map { $0?.title } == [nil, "t3"])
    #expect(shelf.pages?.edges.map(\.node.title) == ["t1"])
    #expect(
      snapshot.missing.map(\.description)
        == ["shelf.boxes[0][1]", "shelf.boxes[1][0]", "shelf.pages.edges[1].node"])
    _ = try await loadedState(
      MainQuery(), ["main": ["id": "s", "title": "S", "books": [Self.book("1"), Self.book("3")]]])
    try environment.commitUpdate { try $0.delete("a") }
    #expect(environment.read(MainQuery()).data?.main.books.isEmpty == true)
  }

  @Test(
    "a server's null nulls the list's parent; a deletion does so only if the store is configured")
  func bubbling() async throws {
    let query = ShelfQuery()
    let null = try await loadedState(query, Self.shelf([Self.book("1"), .null]))
    #expect(null.data != nil && null.data?.shelf == nil)
    #expect(null.snapshot?.missing.map(\.description) == ["shelf.books[1]"])
    let broken: JSONValue = ["id": "2", "title": .null, "author": ["id": "a", "name": "Ann"]]
    try environment.commitPayload(query, data: Self.shelf([Self.book("1"), broken]))
    #expect(environment.read(query).data?.shelf == nil)
    let other = RelayEnvironment(
      store: RecordStore(
        configuration: .init(garbageCollection: .manual, deletedRecordsBubble: true)),
      transport: server)
    try other.commitPayload(query, data: Self.shelf([Self.book("1"), Self.book("2")]))
    try other.commitUpdate { try $0.delete("2") }
    #expect(other.read(query).data != nil && other.read(query).data?.shelf == nil)
    #expect(other.read(query).missing.map(\.description) == ["shelf.books[1]"])
  }

  @Test("a null for a non-null field nulls its parent, and loading again sends no request")
  func nullBelow() async throws {
    let null: JSONValue = ["shelf": ["id": "s", "title": .null, "books": []]]
    for state in [
      try await loadedState(ShelfQuery(), null), environment.load(ShelfQuery()).state,
    ] {
      #expect(state.data != nil && state.data?.shelf == nil && state.error == nil)
      #expect(state.snapshot?.missing.map(\.description) == ["shelf.title"])
    }
    #expect(server.requests.count == 1)
  }

  @Test("data that cannot be read after the one request of a load is an error with the path")
  @MainActor func unreadable() async throws {
    let null: JSONValue = ["main": ["id": "m", "title": .null, "books": []]]
    let model = used(QueryModel(MainQuery(), in: environment))
    try await server.next().resolve(data: null)
    try await environment.settle()
    #expect(model.data == nil && !model.isLoading)
    #expect(model.error?.code == .field && model.error?.path.description == "main.title")
    #expect(model.error?.operationName == "MainQuery")
    #expect(environment.check(MainQuery()).isMissing && server.requests.count == 1)
    let again = used(QueryModel(MainQuery(), in: environment))
    #expect(again.isLoading && again.error == nil)
    try await server.next().resolve(data: null)
    try await environment.settle()
    #expect(again.error?.path.description == "main.title" && server.requests.count == 2)
    try environment.commitUpdate { try $0["m"]?.setValue("M", for: "title") }
    try await environment.settle()
    #expect(again.data?.main.title == "M" && again.error == nil && model.error == nil)
    environment.reset()
    #expect(again.data == nil && again.error == nil && !again.isLoading)
    begin { again.refetch() }
    try await server.next().resolve(data: null)
    try await environment.settle()
    #expect(again.error?.path.description == "main.title")
  }

  @Test("a null that @catch, @throwOnFieldError or @required rejects is an error of the load")
  func directives() async throws {
    let null: JSONValue = ["main": ["id": "m", "title": .null]]
    let caught = try await loadedState(CaughtMainQuery(), null)
    #expect(caught.data == nil && caught.error?.path.description == "main.title")
    let thrown = try await loadedState(ThrownMainQuery(), null)
    #expect(thrown.data == nil && thrown.error?.path.description == "main.title")
    let required = try await loadedState(RequiredShelfQuery(), ["shelf": .null])
    #expect(required.data == nil && required.error?.path.description == "shelf")
  }

  @Test("a storeOnly load has an error until its data is in the store")
  func storeOnly() async throws {
    let loaded = environment.load(ShelfQuery(), policy: .storeOnly)
    #expect(loaded.state.data == nil && loaded.state.error?.path.description == "shelf")
    try environment.commitPayload(ShelfQuery(), data: Self.shelf([Self.book("1")]))
    #expect(loaded.state.data?.shelf?.books.count == 1 && loaded.state.error == nil)
    // Data that was once complete remains visible when fields go missing.
    try environment.commitUpdate { try $0["1"]?.removeValue("author") }
    try environment.commitUpdate { try $0["s"]?.removeValue("title") }
    #expect(loaded.state.data?.shelf?.title != nil && loaded.state.isStale)
    #expect(loaded.state.snapshot?.missing.map(\.description) == ["shelf.title"])
    #expect(server.requests.isEmpty)
  }
}
