import RelayStore

// The Swift of Docs/Views.md that needs no SwiftUI; a test compares them.

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
