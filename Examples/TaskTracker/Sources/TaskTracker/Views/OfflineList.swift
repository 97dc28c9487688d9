import RelayStore

private let offlineList = graphql(
  """
  fragment OfflineList_query on Query {
    tasks(first: 20, filter: { priority: MEDIUM }) @connection(key: "OfflineList_tasks") {
      edges { node { id project { id } ...TaskRow_task } }
    }
  }
  """)

private let offlineListQuery = graphql(
  """
  query OfflineListQuery {
    ...OfflineList_query
  }
  """)

/// The list of tasks of medium priority, with a panel for each row.
@MainActor final class OfflineList {
  private let environment: RelayEnvironment
  private let timeline: Timeline?
  private let list: Panel<OfflineList_query>
  private var panels: [String: Panel<TaskRow_task>] = [:]

  /// - Returns: `nil` if the store does not have the list.
  init?(in environment: RelayEnvironment, on timeline: Timeline?) {
    guard let data = environment.read(OfflineListQuery()).data else { return nil }
    self.environment = environment
    self.timeline = timeline
    list = Panel("list", data.fragments.offlineList_query, in: environment, on: timeline) {
      $0.tasks.nodes.count.counted("task")
    }
  }

  typealias Node = OfflineList_query.TaskConnection_tasks.TaskEdge_edges.Task_node

  /// The tasks that the list shows.
  var tasks: [Node] { list.data.map { Array($0.tasks.nodes) } ?? [] }

  /// The rows that the list shows.
  var rows: [Panel<TaskRow_task>] { tasks.compactMap { panels[$0.id] } }

  /// The rows as strings.
  var texts: [String] { rows.compactMap { $0.data.map { TaskRow.text($0, environment) } } }

  /// Opens a panel for each new row, and closes the panels of removed rows.
  ///
  /// - Returns: Whether the list shows `count` rows within two seconds.
  func shows(_ count: Int) async throws -> Bool {
    guard try await eventually({ self.tasks.count == count }) else { return false }
    let ids = tasks.map(\.id)
    for (id, panel) in panels where !ids.contains(id) {
      await panel.close()
      panels[id] = nil
    }
    for (number, task) in tasks.enumerated() where panels[task.id] == nil {
      panels[task.id] = Panel(
        "row \(number + 1)", task.fragments.taskRow_task, in: environment, on: timeline
      ) { [environment] in TaskRow.text($0, environment) }
    }
    return try await eventually { self.texts.count == count }
  }
}
