import Observation
import RelayStore
import RelayStoreTesting
import Testing

// The Swift code of Docs/Views.md that needs no SwiftUI; a test compares them.

/// Creates the models of a screen with a feed, a row, a list and a button.
@MainActor
func screenModels(
  of todo: FeedTodo, in list: TodoListQuery.Data.TodoList_list, environment: RelayEnvironment
) async throws -> [String] {
  let feed = QueryModel(FeedQuery(first: 10), in: environment, policy: .storeAndNetwork)
  let row = FragmentModel(todo.fragments.todoRow_todo, in: environment)
  let todos = PaginationModel(list.fragments.listItems_list, in: environment)
  let like = MutationModel(LikeMutation.self, in: environment)
  let shown = [
    row.data?.text ?? "", "\(feed.isLoading)", "\(todos.hasNext)", "\(like.isInFlight)",
  ]
  try await like.commit(LikeMutation(id: todo.id))
  try await feed.load(FeedQuery(first: 20))
  return shown
}

/// A list whose reference is in a query's data.
@MainActor @Observable
final class ListViewModel {
  private let environment: RelayEnvironment
  private let query: QueryModel<TodoListQuery>
  @ObservationIgnored private var made:
    (of: FragmentRef<ListItems_list>, pages: PaginationModel<ListItems_list>)?

  init(_ id: String, in environment: RelayEnvironment) {
    self.environment = environment
    query = QueryModel(TodoListQuery(id: id), in: environment)
  }

  var pages: PaginationModel<ListItems_list>? {
    guard let list = query.data?.list?.fragments.listItems_list else { return nil }
    if made?.of != list { made = (list, PaginationModel(list, in: environment)) }
    return made?.pages
  }
}

/// The todos that were added while a screen was open.
@MainActor @Observable
final class AddedTodos {
  private(set) var texts: [String] = []
  @ObservationIgnored private(set) var subscription: SubscriptionModel<TodoAddedSubscription>?

  init(in environment: RelayEnvironment) {
    let added = SubscriptionModel(
      TodoAddedSubscription(), in: environment, refetching: [FeedQuery(first: 10)]
    ) { [weak self] event in
      if let todo = event.data?.todoAdded { self?.texts.append(todo.text) }
    }
    added.start()
    subscription = added
  }
}

@MainActor
@Suite("The guide to views", .timeLimit(.minutes(1)))
struct ViewsGuide {
  @Test("a model of a query's reference is made once it is there, and stays while it does")
  func pages() async throws {
    let server = MockTransport()
    let environment = RelayEnvironment(transport: server)
    let screen = ListViewModel("l", in: environment)
    let redrawn = Locked(0)
    withObservationTracking {
      #expect(screen.pages == nil)
    } onChange: {
      redrawn.withLock { $0 += 1 }
    }
    let node: JSONValue = ["__typename": "Todo", "id": "1", "text": "Wash", "isComplete": false]
    let page: JSONValue = [
      "edges": [["cursor": "a", "node": node]],
      "pageInfo": ["endCursor": "a", "hasNextPage": true],
    ]
    try await server.next().resolve(data: ["list": ["id": "l", "name": "Home", "todos": page]])
    try await environment.settle()
    #expect(redrawn.withLock { $0 } == 1)
    let pages = try #require(screen.pages)
    #expect(pages.data?.todos?.nodes.map(\.id) == ["1"] && pages.hasNext)
    try environment.commitUpdate { try $0["l"]?.setValue("Work", for: "name") }
    #expect(screen.pages === pages)
  }

  @Test("the model of a subscription passes on each event")
  func added() async throws {
    let server = MockTransport()
    let environment = RelayEnvironment(transport: server)
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
