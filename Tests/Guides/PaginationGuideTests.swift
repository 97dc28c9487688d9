import RelayStore
import RelayStoreTesting
import Testing

@Suite("The program of the guide to lists", .timeLimit(.minutes(1)))
@MainActor
struct PaginationGuideTests {
  private let server = MockTransport()
  private let environment: RelayEnvironment

  init() { environment = RelayEnvironment(transport: server) }

  private func page(_ ids: [String], next: Bool) -> JSONValue {
    let edges: [JSONValue] = ids.map { id in
      [
        "cursor": .string("c" + id),
        "node": [
          "__typename": "Todo", "id": .string(id), "text": .string("Todo \(id)"),
          "isComplete": false,
        ],
      ]
    }
    let end: JSONValue = ids.last.map { .string("c" + $0) } ?? .null
    return [
      "todos": [
        "edges": .array(edges), "pageInfo": ["endCursor": end, "hasNextPage": .bool(next)],
      ]
    ]
  }

  /// The lines that a view shows.
  private func lines(_ screen: TodoListScreen) -> [String] {
    switch screen.content {
    case .loading: ["loading"]
    case .failed(let message): ["failed: \(message)"]
    case .empty: ["empty"]
    case .todos(let todos):
      todos.map { environment.read($0.fragments.todoRow_todo).data?.text ?? "-" }
    }
  }

  @Test("a list fails, is refreshed, grows to its end, and is filtered")
  func list() async throws {
    let screen = TodoListScreen(in: environment)
    #expect(lines(screen) == ["loading"])
    let first = try await server.next(TodoPagesQuery.self)
    #expect(first.request.variables == ["count": 20])
    first.reject(RelayError(.transport, "no network"))
    try await environment.settle()
    #expect(lines(screen) == ["failed: no network"])

    let refresh = Task { await screen.refresh() }
    let second = try await server.next()
    #expect(lines(screen) == ["loading"])
    second.resolve(data: page(["1", "2"], next: true))
    await refresh.value
    try await environment.settle()
    #expect(lines(screen) == ["Todo 1", "Todo 2"] && screen.problem == nil)

    screen.endAppeared()
    screen.endAppeared()
    #expect(screen.pages.isLoadingNext)
    let next = try await server.next()
    #expect(next.request.variables == ["count": 20, "cursor": "c2"])
    next.resolve(data: page(["3"], next: false))
    try await environment.settle()
    #expect(lines(screen) == ["Todo 1", "Todo 2", "Todo 3"])
    screen.endAppeared()
    #expect(!screen.pages.isLoadingNext && server.requests.count == 3)

    screen.show(onlyOpen: true)
    #expect(screen.pages.isRefetching && lines(screen).count == 3)
    let open = try await server.next()
    #expect(open.request.variables == ["count": 20, "isComplete": false])
    open.resolve(data: page([], next: false))
    try await eventually(["empty"]) { lines(screen) }
    #expect(screen.showsOnlyOpen)

    screen.show(onlyOpen: false)
    try await server.next().resolve(
      data: ["todos": nil], errors: [["message": "Not now.", "path": ["todos"]]])
    try await eventually(["failed: Not now."]) { lines(screen) }
  }

  @Test("after a failed change of the filter, a refresh requests the filtered list")
  func retriedFilter() async throws {
    let screen = TodoListScreen(in: environment)
    try await server.next().resolve(data: page(["1", "2"], next: false))
    try await environment.settle()

    screen.show(onlyOpen: true)
    try await server.next().reject(RelayError(.transport, "no network"))
    try await environment.settle()
    #expect(lines(screen) == ["Todo 1", "Todo 2"] && screen.problem == "no network")

    let refresh = Task { await screen.refresh() }
    let open = try await server.next()
    #expect(open.request.variables == ["count": 20, "isComplete": false])
    open.resolve(data: page(["2"], next: false))
    await refresh.value
    try await environment.settle()
    #expect(lines(screen) == ["Todo 2"] && screen.showsOnlyOpen && screen.problem == nil)
  }

  @Test("the store's list is shown while its first page is fetched again")
  func stored() async throws {
    try environment.commitPayload(TodoPagesQuery(), data: page(["1"], next: true))
    let screen = TodoListScreen(in: environment)
    #expect(lines(screen) == ["Todo 1"] && screen.pages.isRefetching)
    try await server.next().resolve(data: page(["2"], next: false))
    try await environment.settle()
    #expect(lines(screen) == ["Todo 2"] && !screen.pages.hasNext)
  }
}
