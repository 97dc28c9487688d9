import RelayStore

private let setStatus = graphql(
  """
  mutation SetStatusMutation($input: UpdateTaskInput!, $behaviour: Behaviour) {
    updateTask(input: $input, behaviour: $behaviour) { task { id status } }
  }
  """)

private let rename = graphql(
  """
  mutation RenameMutation($id: ID!, $title: String!) {
    updateTask(input: { id: $id, title: $title }) { task { id title } }
  }
  """)

private let openGate = graphql(
  "mutation OpenGateMutation($name: String!) { openGate(name: $name) }")

private let allTasks = graphql(
  "query AllTasksQuery { tasks(first: 8) { edges { node { id title } } } }")

private let addComment = graphql(
  """
  mutation AddCommentMutation($task: ID!, $body: String!) {
    addComment(input: { taskId: $task, body: $body }) { comment { id } }
  }
  """)
