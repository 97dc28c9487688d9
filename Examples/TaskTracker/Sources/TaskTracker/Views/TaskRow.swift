import RelayStore

private let taskRow = graphql(
  """
  fragment TaskRow_task on Task {
    id
    title
    status
    assignee { ...AssigneeBadge_assignee }
  }
  """)

/// A row of a list: the title, status and assignee of a task.
enum TaskRow {
  static func text(_ task: TaskRow_task, _ environment: RelayEnvironment) -> String {
    let mark =
      switch task.status {
      case .todo: "○"
      case .inProgress: "◐"
      case .done: "●"
      case .unrecognized(let status): status
      }
    let badge = task.assignee.map {
      AssigneeBadge.text($0.fragments.assigneeBadge_assignee, environment)
    }
    return "\(mark) \(task.title)" + (badge.map { "  \($0)" } ?? "")
  }
}
