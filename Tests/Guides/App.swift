import RelayStore

// The app that the guides' code assumes: a feed, lists and a session.

private let row = graphql("fragment TodoRow_todo on Todo { id text isComplete }")

private let feed = graphql(
  "query FeedQuery($first: Int = 20) { feed(first: $first) { id ...TodoRow_todo } }")

private let viewer = graphql(
  "query ViewerQuery { viewer { id name todos { id dueAt ...TodoRow_todo } } }")

private let list = graphql(
  """
  fragment ListItems_list on TodoList
  @argumentDefinitions(count: {type: "Int", defaultValue: 2}, cursor: {type: "String"})
  @refetchable(queryName: "ListItemsQuery") {
    id
    todos(first: $count, after: $cursor) @connection(key: "ListItems_todos") {
      edges { node { id ...TodoRow_todo } }
    }
  }
  query TodoListQuery($id: ID!) { list(id: $id) { id name ...ListItems_list } }
  """)

private let added = graphql(
  "subscription TodoAddedSubscription { todoAdded { id text ...TodoRow_todo } }")

typealias FeedTodo = FeedQuery.Data.Todo_feed

/// The lines that the app shows.
final class Screen: Sendable {
  private let lines = Locked<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func show(_ line: String) async { lines.withLock { $0.append(line) } }
}
