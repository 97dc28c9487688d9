import Foundation
import RelayLive
import RelayNetwork
import RelayStore
import RelayStoreTesting
import Testing

// The Swift code of Docs/Subscriptions.md and Docs/Incremental.md; a test compares them.

private let todoChanged = graphql(
  "subscription TodoChangedSubscription { todoChanged { id text ...TodoRow_todo } }")

/// Prints the events of a subscription.
func followTodos(in environment: RelayEnvironment) async throws {
  let events = environment.subscribe(
    to: TodoChangedSubscription(), refetching: [FeedQuery(first: 10)])
  for try await event in events {
    switch event {
    case .data(let snapshot): print(snapshot.data?.todoChanged?.text ?? "nothing")
    case .connection(let state): print(state)
    case .gap: print("events may be missing")
    }
  }
}

private let itemAdded = graphql(
  """
  subscription ItemAddedSubscription($list: ID!, $lists: [ID!]!) {
    itemAdded(list: $list) { edge @appendEdge(connections: $lists) { node { ...TodoRow_todo } } }
  }
  """)

/// Appends the items that others add to a list.
func followItems(of list: DataID, in environment: RelayEnvironment) async throws {
  let items = DataID.connection("ListItems_todos", of: list)
  let events = environment.subscribe(
    to: ItemAddedSubscription(list: list.rawValue, lists: [items.rawValue]),
    buffering: .all(limit: 100))
  for try await event in events {
    if case .gap = event { print("items may be missing") }
  }
}

/// An environment whose subscriptions are sent over a WebSocket.
func makeLiveEnvironment(for url: URL, _ socketURL: URL, _ session: Session) -> RelayEnvironment {
  let http = HTTPTransport(url: url).retrying()
  let socket = WebSocketTransport(
    url: socketURL, connectionParameters: { ["token": .string(await session.token)] },
    refresh: { try await session.refresh() })
  let environment = RelayEnvironment(transport: http.routingSubscriptions(to: socket))
  return environment
}

struct Replay: Transport {
  let events: [GraphQLResponse]

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse { events[0] }

  func stream(_ request: GraphQLRequest, _ receive: @escaping TransportReceiver) async throws {
    try await receive(.connection(.connected))
    for event in events { try await receive(.response(event)) }
  }
}

private let likes = graphql("fragment Likes_todo on Todo { likes assignee { name } }")

private let likesQuery = graphql(
  "query LikesQuery($id: ID!) { todo(id: $id) { id text ...Likes_todo @defer } }")

func showLikes(of todo: LikesQuery.Data.Todo_todo, in environment: RelayEnvironment) async {
  for await snapshot in environment.observe(todo.fragments.likes_todo) {
    if snapshot.isPending { print("loading …") }
    if let likes = snapshot.data { print(likes.likes) }
  }
}

@Suite("The code of the guides to live data", .timeLimit(.minutes(1)))
struct LiveGuideTests {
  @Test("a transport of the app's own sends the events of a subscription")
  func replay() async throws {
    let event: JSONValue = [
      "data": ["todoChanged": ["id": "1", "text": "Wash", "isComplete": true]]
    ]
    let environment = RelayEnvironment(
      transport: Replay(events: [GraphQLResponse(json: event)]))
    var texts: [String] = []
    for try await event in environment.subscribe(to: TodoChangedSubscription()) {
      if let todo = event.data?.todoChanged { texts.append(todo.text) }
    }
    #expect(texts == ["Wash"])
    try await followTodos(in: environment)
    let row = environment.read(FragmentRef<TodoRow_todo>(id: "1")).data
    #expect(row?.isComplete == true)
    #expect(environment.liveResources.isEmpty)
  }

  @Test("an event appends its edge to a list, which is found by its key and its record")
  func items() async throws {
    let server = MockTransport()
    let environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: server)
    func node(_ id: String) -> JSONValue {
      ["__typename": "Todo", "id": .string(id), "text": "Wash", "isComplete": false]
    }
    let page: JSONValue = [
      "edges": [["cursor": "a", "node": node("1")]],
      "pageInfo": ["endCursor": "a", "hasNextPage": false],
    ]
    try environment.commitPayload(
      TodoListQuery(id: "l"), data: ["list": ["id": "l", "name": "Home", "todos": page]])
    let task = Task { try await followItems(of: "l", in: environment) }
    let request = try await server.next(ItemAddedSubscription.self)
    request.send(data: ["itemAdded": ["edge": ["node": node("2")]]])
    request.finish()
    try await task.value
    let list = try #require(environment.read(TodoListQuery(id: "l")).data?.list)
    let nodes = environment.read(list.fragments.listItems_list).data?.todos?.nodes
    #expect(nodes?.map(\.id) == ["1", "2"])
  }

  @Test("a deferred fragment is pending until its part arrives")
  func deferred() async throws {
    let server = MockTransport()
    let environment = RelayEnvironment(transport: server)
    let loaded = environment.load(LikesQuery(id: "1"))
    let request = try await server.next()
    request.sendPart([
      "data": ["todo": ["id": "1", "text": "Wash"]],
      "pending": [["id": "0", "path": ["todo"], "label": "LikesQuery$defer$Likes_todo"]],
      "hasNext": true,
    ])
    try await request.delivered()
    let todo = try #require(loaded.state.data?.todo)
    #expect(loaded.state.isLoading)
    let pending = environment.read(todo.fragments.likes_todo)
    #expect(pending.isPending && pending.data == nil)
    request.sendPart([
      "incremental": [["id": "0", "data": ["likes": 3, "assignee": nil]]],
      "completed": [["id": "0"]], "hasNext": false,
    ])
    request.finish()
    try await environment.settle()
    let whole = environment.read(todo.fragments.likes_todo)
    #expect(!whole.isPending && whole.data?.likes == 3)
    #expect(!loaded.state.isLoading)
  }
}
