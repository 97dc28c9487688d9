import Foundation
import Observation
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

@Suite("The guide to testing", .timeLimit(.minutes(1)))
struct TestingGuide {
  @Test("requests of a mock transport wait until the test resolves them")
  func mock() async throws {
    let server = MockTransport()
    let environment = RelayEnvironment(transport: server)
    let feed = environment.load(FeedQuery())
    #expect(feed.state.isLoading)
    let request = try await server.next()  // waits for the request
    request.resolve(data: ["feed": []])  // or reject(RelayError(.transport, "no network"))
    try await environment.settle()
    #expect(feed.state.data?.feed.isEmpty == true)
  }

  @Test("parts are sent by the test, which waits for the values between them")
  func parts() async throws {
    let server = MockTransport()
    let environment = RelayEnvironment(transport: server)
    let query = environment.load(LikesQuery(id: "1"))
    let request = try await server.next()
    request.sendPart([
      "data": ["todo": ["id": "1", "text": "Wash"]],
      "pending": [["id": "0", "path": ["todo"], "label": "LikesQuery$defer$Likes_todo"]],
      "hasNext": true,
    ])
    try await request.delivered()  // in place of settle(), because the request still waits
    let todo = try #require(query.state.data?.todo)
    let likes = StreamRecorder(environment.observe(todo.fragments.likes_todo))
    _ = await likes.first { $0.isPending }
    request.sendPart([
      "incremental": [["id": "0", "data": ["likes": 3, "assignee": nil]]],
      "completed": [["id": "0"]], "hasNext": false,
    ])
    let whole = await likes.first { !$0.isPending }
    #expect(whole?.data?.likes == 3)
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

  /// A server that generates its responses from a schema.
  private func server(for sdl: String) throws -> SchemaServer {
    let server = try SchemaServer(
      schema: sdl,
      generating: GeneratedValues(listCount: 3)
        .overriding("User.name", with: "Ada")  // a field
        .overriding("DateTime", with: "2026-01-01T00:00:00Z")  // a scalar, or any type
        .overriding(
          TodoRow_todo(id: "1", text: "Feed the cat", isComplete: false), at: "viewer.todos.0"))
    return server
  }

  @Test("responses are generated from the schema, and streams recorded")
  func generated() async throws {
    let environment = RelayEnvironment(transport: try server(for: guideSchema()))
    let viewer = try #require(try await environment.fetch(ViewerQuery()).data?.viewer)
    #expect(viewer.name == "Ada" && viewer.todos.count == 3)
    let todo = viewer.todos[0]
    #expect(todo.dueAt == "2026-01-01T00:00:00Z")
    let before = environment.store.dump()
    try environment.commitUpdate { try $0[DataID(todo.id)]?.setValue("a", for: "text") }
    let rows = StreamRecorder(environment.observe(todo.fragments.todoRow_todo))
    try await environment.settle()
    try environment.commitUpdate { try $0[DataID(todo.id)]?.setValue("b", for: "text") }
    #expect(await rows.elements(2).map { $0.data?.text } == ["a", "b"])
    let difference = try StoreDifference(from: before, to: environment.store.dump())
    #expect(!difference.isEmpty)
    rows.cancel()
    try await environment.settle()
    #expect(environment.liveResources.observers == 0)
  }

  @Test("a schema server finds persisted operations in the manifest")
  func persisted() async throws {
    let manifestURL = FileManager.default.temporaryDirectory
      .appendingPathComponent("relaystore-manifest-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: manifestURL) }
    try Data(#"{"ab": "query Q { a }"}"#.utf8).write(to: manifestURL)
    let (sdl, resolvers) = ("type Query { a: String }", ["Query.a": { _ in "A" } as FieldResolver])
    let manifest = try String(contentsOf: manifestURL, encoding: .utf8)
    let server = try SchemaServer(schema: sdl, resolvers: resolvers, persistedOperations: manifest)
    var request = GraphQLRequest(operationName: "Q", kind: .query, text: "")
    request.id = "ab"
    #expect(try await server.execute(request).body == Array(#"{"data":{"a":"A"}}"#.utf8))
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
      #expect(screen.isBusy)
      request.reject(RelayError(.transport, "no network"))
      await liking.value
      #expect(screen.message == "no network" && !screen.isBusy)
    }
    try await environment.settle()
    #expect(environment.liveResources.isEmpty, "\(environment.liveResources)")
  }

  @Test("a schema server answers a view model's requests; a view that has read it is notified")
  @MainActor
  func viewModelOverSchema() async throws {
    let environment = RelayEnvironment(
      transport: try SchemaServer(
        schema: guideSchema(), generating: GeneratedValues(listCount: 3)))
    let screen = FeedViewModel(in: environment)
    await confirmation { isNotified in
      withObservationTracking {
        _ = screen.title
      } onChange: {
        isNotified()
      }
      try? await environment.settle()
    }
    #expect(screen.title == "3 todos")
  }
}
