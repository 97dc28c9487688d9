import RelayStore

private let taskDetail = graphql(
  """
  fragment TaskDetail_task on Task {
    title
    notes
    status
    priority
    labels { name }
    activity {
      ... on Comment { body author { name } }
      ... on StatusChange { to }
    }
  }
  """)

private let taskDetailQuery = graphql(
  """
  query TaskDetailQuery($id: ID!) {
    task(id: $id) { id ...TaskDetail_task }
  }
  """)

/// The details of one task, on a separate page.
enum TaskDetail {
  static func text(_ task: TaskDetail_task) -> String {
    let labels = task.labels.map { "#\($0.name)" }.joined(separator: " ")
    let comments = task.activity.compactMap(\.asComment)
    return "“\(task.title)” \(task.status.rawValue), \(task.priority.rawValue.lowercased())"
      + (labels.isEmpty ? "" : ", \(labels)")
      + (comments.isEmpty ? "" : ", " + comments.count.counted("comment"))
  }
}
