import RelayStore
import RelayStoreTesting
import Testing

@Suite("The program of the guide to details", .timeLimit(.minutes(1)))
@MainActor
struct QueriesGuideTests {
  private let server = MockTransport()
  private let environment: RelayEnvironment

  /// A feed with three todos.
  init() throws {
    environment = RelayEnvironment(store: makeStore(), transport: server)
    let todos: [JSONValue] = (1...3).map { id in
      ["id": .string("\(id)"), "text": .string("Todo \(id)"), "isComplete": false]
    }
    try environment.commitPayload(FeedQuery(first: 10), data: ["feed": .array(todos)])
  }

  private func detail(_ id: String) -> JSONValue {
    [
      "node": [
        "__typename": "Todo", "id": .string(id), "text": .string("Todo \(id)"),
        "isComplete": false, "dueAt": "tomorrow", "assignee": ["id": "u", "name": "Ada"],
      ]
    ]
  }

  @Test("a detail screen shows what the list has, then the rest, and next time all of it")
  func online() async throws {
    let screen = DetailScreen(of: "1", in: environment)
    #expect(screen.todo?.text == "Todo 1" && screen.todo?.assignee == nil)
    #expect(screen.status == "Loading …")
    try await server.next(TodoDetailQuery.self).resolve(data: detail("1"))
    try await environment.settle()
    #expect(screen.todo?.assignee?.name == "Ada" && screen.status == nil)
    let again = DetailScreen(of: "1", in: environment)
    #expect(again.todo?.dueAt == "tomorrow" && again.status == nil)
    #expect(server.requests.count == 1)
    let refresh = Task { await screen.refresh() }
    try await server.next().resolve(data: ["node": nil])
    await refresh.value
    try await environment.settle()
    #expect(screen.todo == nil && screen.status == "It was deleted.")
  }

  @Test("without a network a detail screen shows what the list has")
  func offline() async throws {
    let screen = DetailScreen(of: "2", in: environment)
    #expect(screen.status == "Loading …")
    try await server.next().reject(RelayError(.transport, "no network"))
    try await environment.settle()
    #expect(screen.todo?.text == "Todo 2" && screen.status == "Not up to date.")
  }

  @Test("details are loaded before the tap, once, and kept")
  func navigation() async throws {
    let router = DetailRouter(environment: environment)
    let prefetch = Task { try await router.prefetch("1") }
    try await server.next().resolve(data: detail("1"))
    try await prefetch.value
    #expect(DetailScreen(of: "1", in: environment).status == nil)

    let loaded = router.load("2")
    let screen = DetailScreen(of: "2", in: environment)
    #expect(screen.status == "Loading …" && loaded.state.isLoading)
    try await server.next().resolve(data: detail("2"))
    try await environment.settle()
    #expect(screen.status == nil && loaded.state.data?.node?.asTodo?.dueAt == "tomorrow")

    let retention = router.retain("1")
    let keep = Task { try await router.keepOffline("3") }
    try await server.next().resolve(data: detail("3"))
    try await keep.value
    environment.store.collectGarbage()
    #expect(environment.check(TodoDetailQuery(id: "1")).isAvailable)
    #expect(environment.check(TodoDetailQuery(id: "3")).isAvailable)
    retention.release()
    #expect(server.requests.count == 3)
  }
}
