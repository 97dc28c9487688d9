import Observation
import RelayStore
import RelayStoreTesting
import Testing

@MainActor
@Suite("The guide to views", .timeLimit(.minutes(1)))
struct ViewsGuideTests {
  private let server = MockTransport()
  private let environment: RelayEnvironment

  init() { environment = RelayEnvironment(transport: server) }

  /// Returns a page with one todo.
  private func page(_ id: String, hasNext: Bool) -> JSONValue {
    let node: JSONValue = ["__typename": "Todo", "id": .string(id), "text": "Wash", "likes": 0]
    return [
      "edges": [["cursor": .string(id), "node": node]],
      "pageInfo": ["endCursor": .string(id), "hasNextPage": .bool(hasNext)],
    ]
  }

  private func ids(_ items: PaginationModel<ChecklistItems_list>) -> [String] {
    items.data?.todos?.nodes.map(\.id) ?? []
  }

  /// Returns a screen whose query has the first page.
  private func loadedScreen() async throws -> ChecklistModel {
    let screen = ChecklistModel("l", in: environment)
    #expect(screen.title == "Loading …" && screen.items == nil)
    try await server.next(ChecklistQuery.self).resolve(
      data: ["list": ["id": "l", "name": "Home", "todos": page("1", hasNext: true)]])
    try await environment.settle()
    #expect(screen.title == "Home")
    return screen
  }

  @Test("the model of a list is made when the query has it, and remains while the query does")
  func list() async throws {
    let screen = ChecklistModel("l", in: environment)
    let redrawn = Locked(0)
    withObservationTracking {
      #expect(screen.items == nil)
    } onChange: {
      redrawn.withLock { $0 += 1 }
    }
    try await server.next(ChecklistQuery.self).resolve(
      data: ["list": ["id": "l", "name": "Home", "todos": page("1", hasNext: true)]])
    try await environment.settle()
    #expect(redrawn.withLock { $0 } == 1)
    let items = try #require(screen.items)
    #expect(ids(items) == ["1"] && items.hasNext)
    try environment.commitUpdate { try $0["l"]?.setValue("Work", for: "name") }
    #expect(screen.title == "Work" && screen.items === items)
    let refresh = Task { await screen.refresh() }
    try await server.next(ChecklistQuery.self).reject(RelayError(.transport, "no network"))
    await refresh.value
    #expect(screen.message == "no network" && ids(items) == ["1"])
  }

  @Test("the next page is appended")
  func pages() async throws {
    let screen = try await loadedScreen()
    let items = try #require(screen.items)
    screen.showMore()
    #expect(items.isLoadingNext)
    try await server.next(ChecklistItemsQuery.self).resolve(
      data: ["node": ["__typename": "TodoList", "id": "l", "todos": page("2", hasNext: false)]])
    try await environment.settle()
    #expect(ids(items) == ["1", "2"] && !items.hasNext && screen.items === items)
  }

  @Test("a class that holds all rows keeps their models when a page is appended")
  func rows() async throws {
    let screen = try await loadedScreen()
    let rows = ChecklistRows(try #require(screen.items), in: environment)
    let first = try #require(rows.rows.first)
    let redrawn = Locked(0)
    withObservationTracking {
      #expect(rows.rows.map { $0.data?.id } == ["1"])
    } onChange: {
      redrawn.withLock { $0 += 1 }
    }
    screen.showMore()
    try await server.next(ChecklistItemsQuery.self).resolve(
      data: ["node": ["__typename": "TodoList", "id": "l", "todos": page("2", hasNext: false)]])
    try await environment.settle()
    #expect(rows.rows.map { $0.data?.id } == ["1", "2"] && rows.rows.first === first)
    #expect(redrawn.withLock { $0 } == 1)
  }

  @Test("a like is shown at once in its row, which alone is drawn again, and reverted if refused")
  func like() async throws {
    let screen = try await loadedScreen()
    let items = try #require(screen.items)
    let todo = try #require(items.data?.todos?.nodes.first)
    let row = FragmentModel(todo.fragments.checklistRow_todo, in: environment)
    let redrawn = Locked([String]())
    withObservationTracking {
      _ = row.data
    } onChange: {
      redrawn.withLock { $0.append("row") }
    }
    withObservationTracking {
      _ = (screen.title, items.data)
    } onChange: {
      redrawn.withLock { $0.append("screen") }
    }
    let shown = try #require(row.data)
    let liking = Task { await screen.like(shown) }
    let request = try await server.next(LikeMutation.self)
    #expect(row.data?.likes == 1)
    request.resolve(data: ["like": ["todo": ["id": "1", "likes": 1]]])
    await liking.value
    #expect(row.data?.likes == 1 && screen.message == nil)
    #expect(redrawn.withLock { $0 } == ["row"])

    let refused = Task { await screen.like(shown) }
    try await server.next(LikeMutation.self).resolve(
      data: ["like": nil], errors: [["message": "Not yours.", "path": ["like"]]])
    await refused.value
    #expect(row.data?.likes == 1 && screen.message?.contains("Not yours.") == true)
  }

  @Test("the model of a subscription passes on each event")
  func added() async throws {
    let added = AddedTodos(in: environment)
    let request = try await server.next(TodoAddedSubscription.self)
    request.report(.connection(.connected))
    for id in ["1", "2"] {
      request.send(data: [
        "todoAdded": ["id": .string(id), "text": .string("Todo \(id)"), "isComplete": false]
      ])
    }
    try await request.delivered()
    try await environment.settle()
    #expect(added.texts == ["Todo 1", "Todo 2"] && added.subscription?.isConnected == true)
    #expect(added.subscription?.data?.todoAdded?.text == "Todo 2")
  }
}
