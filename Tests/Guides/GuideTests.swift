import Foundation
import RelayStore
import RelayStoreTesting
import Testing

/// The schema of the guides' app.
func guideSchema() throws -> String {
  try String(
    contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "schema.graphql"), encoding: .utf8)
}

@Suite("The code of the guides", .timeLimit(.minutes(1)))
struct GuideTests {
  private let server = MockTransport()
  private let screen = Screen()
  private let environment: RelayEnvironment

  init() {
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: server)
  }

  private static let todo: JSONValue = ["id": "1", "text": "Wash", "isComplete": false]

  private func todo() throws -> FeedTodo {
    try environment.commitPayload(FeedQuery(first: 10), data: ["feed": [Self.todo]])
    return try #require(environment.read(FeedQuery(first: 10)).data?.feed.first)
  }

  private func list() throws -> SharedListQuery.Data.TodoList_list {
    let node: JSONValue = [
      "__typename": "Todo", "id": "1", "text": "Wash", "isComplete": false,
    ]
    let page: JSONValue = [
      "edges": [["cursor": "a", "node": node]],
      "pageInfo": ["endCursor": "a", "hasNextPage": true],
    ]
    try environment.commitPayload(
      SharedListQuery(id: "l"), data: ["list": ["id": "l", "name": "Home", "todos": page]])
    return try #require(environment.read(SharedListQuery(id: "l")).data?.list)
  }

  @Test("networking: the request context reaches the transport, and extensions come back")
  func networking() async throws {
    let task = Task { try await fetchWithTraceID(environment) }
    let request = try await server.next()
    #expect(request.request.context[TraceID.self] == "a1")
    request.resolve(data: ["feed": []], extensions: ["cost": 3])
    #expect(try await task.value == 3)
  }

  @Test("mutations: an optimistic response is shown at once, and reverted if the server refuses")
  func mutations() async throws {
    let todo = try todo()
    func isComplete() -> Bool? {
      environment.read(todo.fragments.todoRow_todo).data?.isComplete
    }
    let task = Task { try await complete(todo, environment, on: screen) }
    let request = try await server.next()
    #expect(isComplete() == true)
    request.resolve(
      data: ["setComplete": nil], errors: [["message": "Not yet.", "path": ["setComplete"]]])
    try await task.value
    #expect(screen.all == ["Not yet."])
    #expect(isComplete() == false)
  }

  @Test("mutations: an optimistic updater increments a counter until it is reverted")
  func likes() async throws {
    let todo = try todo()
    try environment.commitUpdate { try $0["1"]?.setValue(4, for: "likes") }
    let before = environment.store.dump()
    let task = Task { try await like(todo, environment) }
    let request = try await server.next()
    #expect(environment.store.dump(.visible).contains("\"likes\":5"))
    request.reject(RelayError(.transport, "no network"))
    await #expect(throws: RelayError.self) { try await task.value }
    #expect(environment.store.dump() == before)
  }

  @Test("mutations: directives and updaters change lists, and an upload carries its file")
  func lists() async throws {
    let (todo, list) = (try todo(), try list())
    let adding = Task { try await addAndDelete(to: DataID(list.id), todo, environment) }
    let edge: JSONValue = [
      "node": ["id": "2", "__typename": "Todo", "text": "Feed", "isComplete": false]
    ]
    try await server.next().resolve(data: ["addTodo": ["edge": edge]])
    try await server.next().resolve(data: ["deleteTodo": ["deletedID": "1"]])
    try await adding.value
    let nodes = environment.read(list.fragments.listItems_list).data?.todos?.nodes
    #expect(nodes?.map(\.id) == ["2"])

    _ = try self.todo()
    let first = Task { try await addFirst(environment) }
    try await server.next().resolve(data: ["addTodo": ["edge": edge]])
    try await first.value
    let feed = environment.read(FeedQuery(first: 10)).data?.feed
    #expect(feed?.map(\.id) == ["2", "1"])

    let uploading = Task { try await setAvatar([1, 2], environment) }
    let upload = try await server.next()
    #expect(upload.request.uploads.map(\.file.fileName) == ["me.png"])
    upload.resolve(data: ["setAvatar": nil])
    try await uploading.value
  }

  @Test("mutations: local updates, and a draft that is replaced and reverted")
  func local() throws {
    let todo = try todo()
    try editLocally(todo, environment)
    #expect(environment.read(todo.fragments.todoRow_todo).data?.text == "Feed all")
    #expect(environment.liveResources.optimisticUpdates == 0)
  }

  @Test("migration: the counterparts of Apollo's and Relay's code")
  func comingFrom() async throws {
    let one = Task { try await fetchThenObserve(environment, on: screen) }
    try await server.next().resolve(data: ["feed": [Self.todo]])
    try await server.next().resolve(data: ["feed": []])
    try await one.value
    let other = Task { try await observeLoadedFragment(environment, on: screen) }
    try await server.next().resolve(data: ["viewer": ["id": "u", "name": "Ada", "avatar": nil]])
    try await other.value
    #expect(screen.all.last == "Ada")
    try environment.commitPayload(RenamedQuery(id: "1"), data: ["todo": ["id": "1", "text": "a"]])
    let todo = try #require(environment.read(RenamedQuery(id: "1")).data?.todo)
    try rename(todo, environment)
    #expect(environment.store.dump().contains("Feed the cat"))
  }
}
