import Foundation
import RelayStore
import RelayStoreTesting
import Testing

@Suite("The program of the guide to live data", .timeLimit(.minutes(1)))
@MainActor
struct SubscriptionsGuideTests {
  private let server = MockTransport()
  private let environment: RelayEnvironment

  init() {
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: server)
  }

  private func node(_ id: String) -> JSONValue {
    ["__typename": "Todo", "id": .string(id), "text": "Wash", "isComplete": false]
  }

  private func page(_ ids: String...) -> JSONValue {
    let edges = ids.map { id -> JSONValue in ["cursor": .string(id), "node": node(id)] }
    let page: JSONValue = [
      "edges": .array(edges), "pageInfo": ["endCursor": "end", "hasNextPage": false],
    ]
    return ["list": ["id": "l", "name": "Home", "todos": page]]
  }

  private func ids(_ shared: SharedList) -> [String]? {
    guard let list = shared.list?.data?.list else { return nil }
    return environment.read(list.fragments.listItems_list).data?.todos?.nodes.map(\.id)
  }

  @Test("a shared list is fetched once events arrive, shows added items, and again after a gap")
  func list() async throws {
    let shared = SharedList("l", in: environment)
    let events = try await server.next(ItemAddedSubscription.self)
    #expect(shared.list == nil && !shared.isConnected)
    events.report(.connection(.connected))
    try await eventually(true) { shared.isConnected }
    // The model fetches when it is read.
    #expect(ids(shared) == nil)
    try await server.next(SharedListQuery.self).resolve(data: page("1"))
    try await environment.settle()
    #expect(ids(shared) == ["1"])

    events.send(data: ["itemAdded": ["edge": ["node": node("2")]]])
    try await events.delivered()
    try await environment.settle()
    #expect(ids(shared) == ["1", "2"])

    events.report(.gap)
    try await server.next(SharedListQuery.self).resolve(data: page("1", "2", "3"))
    try await environment.settle()
    #expect(ids(shared) == ["1", "2", "3"])
  }

  @Test("a loop shows changes, and views of the to-do have them too")
  func changes() async throws {
    let screen = Screen()
    let task = Task { try await followTodos(in: environment, on: screen) }
    let events = try await server.next(TodoChangedSubscription.self)
    events.report(.connection(.connected))
    events.send(data: ["todoChanged": ["id": "1", "text": "Wash", "isComplete": true]])
    events.finish()
    try await task.value
    #expect(screen.all == ["connected", "Wash"])
    let row = environment.read(FragmentRef<TodoRow_todo>(id: "1")).data
    #expect(row?.isComplete == true)
    #expect(environment.liveResources.isEmpty)
  }

  @Test("a deferred fragment is pending until its part arrives")
  func deferred() async throws {
    let screen = Screen()
    let loaded = environment.load(LikesQuery(id: "1"))
    let request = try await server.next()
    request.sendPart([
      "data": ["todo": ["id": "1", "text": "Wash"]],
      "pending": [["id": "0", "path": ["todo"], "label": "LikesQuery$defer$Likes_todo"]],
      "hasNext": true,
    ])
    try await request.delivered()
    let todo = try #require(loaded.state.data?.todo)
    #expect(loaded.state.isLoading && environment.read(todo.fragments.likes_todo).isPending)
    let shown = Task { await showLikes(of: todo, in: environment, on: screen) }
    try await eventually(["loading …"]) { screen.all }
    request.sendPart([
      "incremental": [["id": "0", "data": ["likes": 3, "assignee": nil]]],
      "completed": [["id": "0"]], "hasNext": false,
    ])
    request.finish()
    try await environment.settle()
    try await eventually(["loading …", "3 likes"]) { screen.all }
    #expect(!loaded.state.isLoading)
    shown.cancel()
    await shown.value
  }

  @Test("an app with a WebSocket connects when it subscribes, and can be suspended before that")
  func app() throws {
    let url = try #require(URL(string: "https://example.org/graphql"))
    let app = LiveApp(
      url: url, socketURL: url, session: Session(over: server))
    app.enterBackground()
    app.enterForeground()
    #expect(app.environment.liveResources.isEmpty && server.requests.isEmpty)
  }
}
