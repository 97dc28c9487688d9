import Foundation
import Observation
import RelayLive
import RelayNetwork
import RelayStore

// The Swift code of Docs/Subscriptions.md; a test compares them.

/// An app with a WebSocket. It holds on to the socket, because the environment does not return it.
@MainActor
final class LiveApp {
  let environment: RelayEnvironment
  private let socket: WebSocketTransport

  init(url: URL, socketURL: URL, session: Session) {
    let http = HTTPTransport(url: url)
      .authenticated(
        by: { ["Authorization": await session.token] }, refresh: { try await session.refresh() }
      )
      .retrying()
    socket = WebSocketTransport(
      url: socketURL, connectionParameters: { ["token": .string(await session.token)] },
      refresh: { try await session.refresh() })
    environment = RelayEnvironment(transport: http.routingSubscriptions(to: socket))
  }

  func enterBackground() { socket.suspend() }
  func enterForeground() { socket.resume() }
}

private let sharedList = graphql(
  """
  query SharedListQuery($id: ID!) { list(id: $id) { id name ...ListItems_list } }
  fragment ListItems_list on TodoList
  @argumentDefinitions(count: {type: "Int", defaultValue: 20}, cursor: {type: "String"})
  @refetchable(queryName: "ListItemsQuery") {
    id
    todos(first: $count, after: $cursor) @connection(key: "ListItems_todos") {
      edges { node { id ...TodoRow_todo } }
    }
  }
  subscription ItemAddedSubscription($list: ID!, $lists: [ID!]!) {
    itemAdded(list: $list) { edge @appendEdge(connections: $lists) { node { ...TodoRow_todo } } }
  }
  """)

/// A list that several people edit.
@MainActor @Observable
final class SharedList {
  /// The list; `nil` until the subscription is connected.
  private(set) var list: QueryModel<SharedListQuery>?
  @ObservationIgnored private var added: SubscriptionModel<ItemAddedSubscription>?

  var isConnected: Bool { added?.isConnected == true }

  init(_ id: String, in environment: RelayEnvironment) {
    let query = SharedListQuery(id: id)
    let items = DataID.connection("ListItems_todos", of: DataID(id))
    let added = SubscriptionModel(
      ItemAddedSubscription(list: id, lists: [items.rawValue]), in: environment,
      refetching: [query]
    ) { [weak self] event in
      guard let self, case .connection(.connected) = event, self.list == nil else { return }
      self.list = QueryModel(query, in: environment, policy: .storeAndNetwork)
    }
    added.start()
    self.added = added
  }
}

private let todoChanged = graphql(
  "subscription TodoChangedSubscription { todoChanged { id text ...TodoRow_todo } }")

/// Shows each change of a to-do until the task is cancelled.
func followTodos(in environment: RelayEnvironment, on screen: Screen) async throws {
  for try await event in environment.subscribe(to: TodoChangedSubscription()) {
    switch event {
    case .data(let snapshot): await screen.show(snapshot.data?.todoChanged?.text ?? "no data")
    case .connection(let state): await screen.show("\(state)")
    case .gap: await screen.show("events may be missing")
    }
  }
}

private let likes = graphql("fragment Likes_todo on Todo { likes assignee { name } }")

private let likesQuery = graphql(
  "query LikesQuery($id: ID!) { todo(id: $id) { id text ...Likes_todo @defer } }")

func showLikes(
  of todo: LikesQuery.Data.Todo_todo, in environment: RelayEnvironment, on screen: Screen
) async {
  for await snapshot in environment.observe(todo.fragments.likes_todo) {
    if snapshot.isPending { await screen.show("loading …") }
    if let likes = snapshot.data { await screen.show("\(likes.likes) likes") }
  }
}
