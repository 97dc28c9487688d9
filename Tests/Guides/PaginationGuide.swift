import Observation
import RelayStore

// The Swift code of Docs/Pagination.md; a test compares them.

private let todoPages = graphql(
  """
  fragment TodoPages_query on Query
  @argumentDefinitions(
    count: {type: "Int", defaultValue: 20}, cursor: {type: "String"}, isComplete: {type: "Boolean"}
  )
  @refetchable(queryName: "TodoPagesQuery") {
    todos(first: $count, after: $cursor, isComplete: $isComplete)
    @connection(key: "TodoPages_todos") {
      edges { node { id ...TodoRow_todo } }
    }
  }
  """)

/// A list screen with pages, a filter, pull to refresh, and a message if there are no rows.
@MainActor @Observable
final class TodoListScreen {
  typealias Todo = TodoPages_query.TodoConnection_todos.TodoEdge_edges.Todo_node

  private(set) var showsOnlyOpen = false
  let pages: PaginationModel<TodoPages_query>

  init(in environment: RelayEnvironment) {
    pages = PaginationModel(FragmentRef(id: .root), in: environment)
    pages.refetch()
  }
}

extension TodoListScreen {
  enum Content {
    case loading
    case failed(String)
    case empty
    case todos(ConnectionNodes<Todo>)
  }

  var content: Content {
    if let list = pages.data?.todos, !list.nodes.isEmpty { return .todos(list.nodes) }
    if pages.isRefetching { return .loading }
    guard let problem else { return .empty }
    return .failed(problem)
  }

  /// The error of the last request, or the server's reason for a null list. A view shows it above
  /// the rows, too.
  var problem: String? {
    pages.error?.message ?? pages.state.snapshot.errors.first?.message
  }
}

extension TodoListScreen {
  /// Loads the next page, when the last row appears.
  func endAppeared() { pages.loadNext(20) }

  /// Fetches the list again: for `.refreshable`, and for a button next to ``problem``.
  func refresh() async { try? await pages.refetch { $0.isComplete = filter } }

  /// Shows another list.
  func show(onlyOpen: Bool) {
    showsOnlyOpen = onlyOpen
    pages.refetch { $0.isComplete = filter }
  }

  private var filter: GraphQLNullable<Bool> { showsOnlyOpen ? .some(false) : .none }
}
