import Observation
import RelayNetwork
import RelayStore
import RelayStoreTesting
import Testing

// The Swift code of Docs/Testing.md; a test compares them.

/// The view model of the feed's screen.
@MainActor @Observable
final class FeedViewModel {
  var showsAll = true
  private let feed: QueryModel<FeedQuery>
  private let liking: MutationModel<LikeMutation>

  init(in environment: RelayEnvironment) {
    feed = QueryModel(FeedQuery(first: 10), in: environment)
    liking = MutationModel(LikeMutation.self, in: environment)
  }

  var title: String {
    if feed.isLoading { return "Loading …" }
    return showsAll ? "\(feed.data?.feed.count ?? 0) todos" : "Todos"
  }
  var isBusy: Bool { liking.isInFlight }
  var message: String? { (feed.error ?? liking.error)?.message }

  func like(_ id: String) async { _ = try? await liking.commit(LikeMutation(id: id)) }
}

/// Returns a server for tests and previews. Fields without a resolver have generated values.
func todoServer(schema sdl: String, _ todos: [JSONValue]) throws -> SchemaServer {
  try SchemaServer(
    schema: sdl,
    resolvers: [
      "Query.feed": { _ in .array(todos) },
      "TodoList.todos": { call in try connection(todos, for: call) },
      "Mutation.like": { call in
        let id: String = try call.argument("id")
        throw GraphQLError(message: "\(id) is not yours.", extensions: ["code": "FORBIDDEN"])
      },
    ],
    generating: GeneratedValues(listCount: 3)
      .overriding("User.name", with: "Ada")  // a field
      .overriding("DateTime", with: "2026-01-01T00:00:00Z")  // a scalar, or any type
      .overriding(
        TodoRow_todo(id: "1", text: "Feed the cat", isComplete: false), at: "viewer.todos.0"))
}

/// Returns the page that `first` and `after` ask for. The cursor of an object is its id.
func connection(_ nodes: [JSONValue], for call: FieldCall) throws -> JSONValue {
  let first: Int? = try call.argument("first")
  let after: String? = try call.argument("after")
  let start = nodes.firstIndex { $0["id"]?.string == after }.map { $0 + 1 } ?? 0
  let page = nodes[start...].prefix(first ?? nodes.count)
  return [
    "edges": .array(page.map { ["cursor": $0["id"] ?? nil, "node": $0] }),
    "pageInfo": [
      "endCursor": page.last?["id"] ?? nil, "hasNextPage": .bool(page.endIndex < nodes.count),
    ],
  ]
}

@Suite("The guide to testing", .timeLimit(.minutes(1)))
struct TestingGuide {
  private let todos: [JSONValue] = (1...5).map { number in
    ["id": .string("\(number)"), "text": .string("Todo \(number)")]
  }

  @Test("a view model is tested over its models: what it shows while requests wait, and after")
  @MainActor
  func viewModel() async throws {
    let server = MockTransport()
    let environment = RelayEnvironment(transport: server)
    do {
      let screen = FeedViewModel(in: environment)
      #expect(screen.title == "Loading …")  // the first read sends the query
      try await server.next(FeedQuery.self).resolve(data: ["feed": []])
      try await environment.settle()  // the models have their values
      #expect(screen.title == "0 todos")

      let liking = Task { await screen.like("1") }
      let request = try await server.next(LikeMutation.self)
      #expect(screen.isBusy && request.request.variables == ["id": "1"])
      request.reject(RelayError(.transport, "no network"))
      await liking.value
      #expect(screen.message == "no network" && !screen.isBusy)
    }
    try await environment.settle()
    #expect(environment.liveResources.isEmpty, "\(environment.liveResources)")
  }

  @Test("a schema server responds to a view model; a view that has read it is notified")
  @MainActor
  func viewModelOverSchema() async throws {
    let sdl = try guideSchema()
    let environment = RelayEnvironment(transport: try todoServer(schema: sdl, todos))
    let screen = FeedViewModel(in: environment)
    await confirmation { isNotified in
      withObservationTracking {
        _ = screen.title
      } onChange: {
        isNotified()
      }
      try? await environment.settle()
    }
    #expect(screen.title == "5 todos")
    await screen.like("3")
    #expect(screen.message == #""LikeMutation" failed: 3 is not yours."#)
  }

  @Test("a resolver returns the pages of a connection")
  func pages() async throws {
    let todos: [JSONValue] = (1...23).map { ["id": .string("\($0)"), "text": "Wash"] }
    let environment = RelayEnvironment(transport: try todoServer(schema: guideSchema(), todos))
    let query = environment.load(SharedListQuery(id: "TodoList:1"))
    try await environment.settle()
    let list = try #require(query.state.data?.list)
    let pages = environment.paginate(list.fragments.listItems_list)
    try await pages.loadNext(2)
    #expect(pages.data?.todos?.nodes.map(\.id) == (1...22).map { "\($0)" } && pages.hasNext)
    try await pages.loadNext(2)
    #expect(pages.data?.todos?.nodes.map(\.id).last == "23" && !pages.hasNext)
  }

  @Test("values are generated from the schema, and overridden by field, type and path")
  func generated() async throws {
    let environment = RelayEnvironment(transport: try todoServer(schema: guideSchema(), todos))
    let viewer = try #require(try await environment.fetch(ViewerQuery()).data?.viewer)
    #expect(viewer.name == "Ada" && viewer.todos.count == 3)
    #expect(viewer.todos[0].id == "1" && viewer.todos[0].dueAt == "2026-01-01T00:00:00Z")
    let row = environment.read(viewer.todos[0].fragments.todoRow_todo)
    #expect(row.data?.text == "Feed the cat")
  }

  @Test("a retry waits for the clock that the test advances")
  func clock() async throws {
    let (server, clock) = (MockTransport(), VirtualClock())
    let environment = RelayEnvironment(transport: server.retrying(clock: clock))
    let feed = environment.load(FeedQuery())
    var failure = RelayError(.transport, "no network")
    failure.isRetryable = true
    try await server.next().reject(failure)
    try await clock.sleepers(1)  // the retry waits
    clock.advance(by: .seconds(60))
    try await server.next().resolve(data: ["feed": []])
    try await environment.settle()
    #expect(feed.state.data?.feed.isEmpty == true)
  }

  @Test("a store is seeded without a server, and a recorder has each snapshot")
  func seeded() async throws {
    let environment = RelayEnvironment(transport: MockTransport())
    try environment.commitPayload(
      FeedQuery(first: 10), data: ["feed": [["id": "1", "text": "a", "isComplete": false]]])
    let todo = try #require(environment.read(FeedQuery(first: 10)).data?.feed.first)
    let rows = StreamRecorder(environment.observe(todo.fragments.todoRow_todo))
    try await environment.settle()  // the recorder has the first snapshot
    let before = environment.store.dump()
    try environment.commitUpdate { try $0[DataID(todo.id)]?.setValue("b", for: "text") }
    #expect(await rows.elements(2).map { $0.data?.text } == ["a", "b"])
    let difference = try StoreDifference(from: before, to: environment.store.dump())
    #expect(difference.lines == [#"1.text: "a" → "b""#])
    rows.cancel()
    try await environment.settle()
    #expect(environment.liveResources.observers == 0)
  }

  @Test("a subscription has the events that the test sends")
  @MainActor
  func events() async throws {
    let sdl = try guideSchema()
    let source = SubscriptionSource()
    let server = try SchemaServer(
      schema: sdl, subscriptions: ["Subscription.todoAdded": { _ in source.stream() }])
    let environment = RelayEnvironment(transport: server)
    let added = SubscriptionModel(TodoAddedSubscription(), in: environment)
    added.start()
    try await source.arrivals(1)  // the subscription has started
    source.send(["id": "1", "text": "Wash", "isComplete": false])
    try await source.delivered()  // the store has the event
    try await environment.settle()  // so has the model
    #expect(added.data?.todoAdded?.text == "Wash")
  }

  @Test("a deferred part waits at a gate")
  func parts() async throws {
    let sdl = try guideSchema()
    let gate = Gate()
    let server = try SchemaServer(
      schema: sdl, generating: GeneratedValues(), beforePart: { _ in try await gate.wait() })
    let environment = RelayEnvironment(transport: server)
    let query = environment.load(LikesQuery(id: "1"))
    try await gate.arrivals(1)  // the rest of the response is in the store
    let todo = try #require(query.state.data?.todo)
    #expect(environment.read(todo.fragments.likes_todo).isPending)
    gate.open()
    try await environment.settle()
    #expect(environment.read(todo.fragments.likes_todo).data?.likes == 42)
    #expect(!query.state.isLoading)
  }

  @Test("a loop of the test's own has the error that ends a subscription")
  func failure() async throws {
    let server = MockTransport()
    let environment = RelayEnvironment(transport: server)
    let loop = Task {
      for try await _ in environment.subscribe(to: TodoAddedSubscription()) {}
    }
    try await server.next(TodoAddedSubscription.self).reject(RelayError(.transport, "no network"))
    let error = await #expect(throws: RelayError.self) { try await loop.value }
    #expect(error?.code == .transport)
  }

  @Test("a schema server finds persisted operations in the manifest")
  func persisted() async throws {
    let server = try SchemaServer(
      schema: "type Query { a: String }", resolvers: ["Query.a": { _ in "A" }],
      persistedOperations: #"{"ab": "query Q { a }"}"#)
    var request = GraphQLRequest(operationName: "Q", kind: .query, text: "")
    request.id = "ab"
    #expect(try await server.execute(request).body == Array(#"{"data":{"a":"A"}}"#.utf8))
  }
}
