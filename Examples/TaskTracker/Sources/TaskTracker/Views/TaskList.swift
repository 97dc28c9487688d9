import Observation
import RelayStore

private let taskList = graphql(
  """
  fragment TaskList_query on Query
  @argumentDefinitions(count: {type: "Int", defaultValue: 3}, cursor: {type: "String"})
  @refetchable(queryName: "TaskListPaginationQuery") {
    tasks(first: $count, after: $cursor) @connection(key: "TaskList_tasks") {
      edges { node { id ...TaskRow_task } }
    }
  }
  """)

private let taskListQuery = graphql(
  """
  query TaskListQuery {
    viewer { name }
    ...TaskList_query
  }
  """)

/// The list of all tasks, loaded a page at a time.
@MainActor final class TaskList {
  let model: PaginationModel<TaskList_query>
  /// The number of times that the list was shown: initially, and after each change.
  private(set) var changeCount = 0
  private let timeline: Timeline

  init(
    _ fragment: FragmentRef<TaskList_query>, in environment: RelayEnvironment,
    on timeline: Timeline
  ) {
    model = PaginationModel(fragment, in: environment)
    self.timeline = timeline
    show()
  }

  /// The tasks of the loaded pages.
  var tasks: ConnectionNodes<TaskList_query.TaskConnection_tasks.TaskEdge_edges.Task_node> {
    model.data?.tasks.nodes ?? .init()
  }

  /// Shows the list, and shows it again after each change of an observed property, as SwiftUI does.
  private func show() {
    changeCount += 1
    withObservationTracking {
      timeline.show("list", text)
    } onChange: { [weak self] in
      Task { @MainActor in self?.show() }
    }
  }

  private var text: String {
    tasks.count.counted("task")
      + (model.isLoadingNext ? ", more on the way" : model.hasNext ? ", more to load" : "")
  }
}
