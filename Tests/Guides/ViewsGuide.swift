import Observation
import RelayStore

// The Swift code of Docs/Views.md that needs no SwiftUI; a test compares them.

private let checklist = graphql(
  """
  query ChecklistQuery($id: ID!) { list(id: $id) { name ...ChecklistItems_list } }
  fragment ChecklistItems_list on TodoList
  @argumentDefinitions(count: {type: "Int", defaultValue: 20}, cursor: {type: "String"})
  @refetchable(queryName: "ChecklistItemsQuery") {
    todos(first: $count, after: $cursor) @connection(key: "ChecklistItems_todos") {
      edges { node { id ...ChecklistRow_todo } }
    }
  }
  fragment ChecklistRow_todo on Todo { id text likes }
  """)

/// The screen of a checklist, for any framework.
@MainActor @Observable
final class ChecklistModel {
  private let environment: RelayEnvironment
  private let checklist: QueryModel<ChecklistQuery>
  private let liking: MutationModel<LikeMutation>
  @ObservationIgnored private var made:
    (of: FragmentRef<ChecklistItems_list>, items: PaginationModel<ChecklistItems_list>)?

  init(_ id: String, in environment: RelayEnvironment) {
    self.environment = environment
    checklist = QueryModel(ChecklistQuery(id: id), in: environment)
    liking = MutationModel(LikeMutation.self, in: environment)
  }

  var title: String { checklist.data?.list?.name ?? "Loading …" }
  var message: String? { (checklist.error ?? items?.error ?? liking.error)?.message }

  var items: PaginationModel<ChecklistItems_list>? {
    guard let list = checklist.data?.list?.fragments.checklistItems_list else { return nil }
    if made?.of != list { made = (list, PaginationModel(list, in: environment)) }
    return made?.items
  }

  func refresh() async { try? await checklist.refetch() }
  func showMore() { items?.loadNext(20) }

  func like(_ todo: ChecklistRow_todo) async {
    _ = try? await liking.commit(
      LikeMutation(id: todo.id),
      optimisticResponse: .init(like: .init(todo: .init(id: todo.id, likes: todo.likes + 1))))
  }
}

/// The rows of a checklist, for a class that holds all of them.
@MainActor @Observable
final class ChecklistRows {
  private let items: PaginationModel<ChecklistItems_list>
  private let list: FragmentListModel<ChecklistRow_todo>

  init(_ items: PaginationModel<ChecklistItems_list>, in environment: RelayEnvironment) {
    self.items = items
    list = FragmentListModel([], in: environment)
  }

  var rows: [FragmentModel<ChecklistRow_todo>] {
    list.show(items.data?.todos?.nodes.map(\.fragments.checklistRow_todo) ?? [])
    return list.rows
  }
}

private let newTodos = graphql(
  "subscription TodoAddedSubscription { todoAdded { id text ...TodoRow_todo } }")

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
