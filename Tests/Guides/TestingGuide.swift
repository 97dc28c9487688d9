import RelayStore
import RelayStoreTesting
import Testing

// The Swift of Docs/Testing.md; a test compares them.

@Suite("The guide to testing", .timeLimit(.minutes(10)))
struct TestingGuide {
  @Test("requests of a mock transport wait until the test resolves them")
  func mock() async throws {
    let server = MockTransport()
    let environment = RelayEnvironment(transport: server)
    let feed = environment.load(FeedQuery())
    #expect(feed.state.isLoading)
    let request = await server.next()  // waits for the request
    request.resolve(data: ["feed": []])  // or reject(RelayError(.transport, "no network"))
    try await environment.settle()
    #expect(feed.state.data?.feed.isEmpty == true)
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
}
