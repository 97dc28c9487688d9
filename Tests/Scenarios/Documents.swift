import RelayStore

private let viewer = graphql(
  """
  query ViewerQuery { viewer { id name email role ...AssigneeBadge_assignee } }
  """)

private let page = graphql(
  """
  query TaskPageQuery(
    $first: Int!, $after: String, $filter: TaskFilter, $orderBy: TaskOrder! = CREATED
  ) {
    tasks(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
      edges { cursor node { id title ...TaskRow_task } }
      pageInfo { hasNextPage endCursor }
    }
  }
  """)

private let row = graphql(
  """
  fragment TaskRow_task on Task {
    id title status priority estimate isComplete
    assignee { __typename name ...AssigneeBadge_assignee }
  }
  """)

private let badge = graphql("fragment AssigneeBadge_assignee on Assignee { id name }")

private let detail = graphql(
  """
  query TaskDetailQuery($id: ID!) {
    task(id: $id) {
      id
      notes
      dueAt
      createdAt
      labels { name color }
      assignee {
        name
        ... on User { email role }
        ... on Team { members { name } }
      }
      activity {
        __typename
        ... on Comment { id body author { name } }
        ... on StatusChange { from to by { name } }
      }
      project { id name owner { name } taskCount(status: DONE) }
      ...TaskRow_task
    }
  }
  """)

private let search = graphql(
  """
  query SearchQuery($text: String!) {
    search(text: $text) {
      __typename
      ... on Task { title status }
      ... on Project { name }
      ... on User { name role }
      ... on Node { id }
    }
  }
  """)

private let node = graphql(
  """
  query NodeQuery($id: ID!) { node(id: $id) { id ... on Assignee { name } ...TaskRow_task } }
  """)

private let due = graphql(
  """
  query DueQuery($time: DateTime!) { dueBefore(time: $time) { id title dueAt } }
  """)

private let faults = graphql(
  """
  query FaultsQuery {
    faults {
      message
      nullable
      child { message hole }
      items { index value }
      strictItems { value }
    }
    viewer { id name }
  }
  """)

private let nullData = graphql("query NullDataQuery { viewer { id } faults { required } }")

private let updateTask = graphql(
  """
  mutation UpdateTaskMutation($input: UpdateTaskInput!, $behaviour: Behaviour) {
    updateTask(input: $input, behaviour: $behaviour) {
      warning
      task { id title status isComplete notes estimate dueAt assignee { __typename id name } }
    }
  }
  """)

// The second field is non-null, so its error leaves no data at all.
private let updateAndFail = graphql(
  """
  mutation UpdateAndFailMutation($input: UpdateTaskInput!, $gate: String!) {
    updateTask(input: $input, behaviour: { gate: $gate }) { task { id title } }
    openGate(name: "")
  }
  """)

private let addTask = graphql(
  """
  mutation AddTaskMutation($input: AddTaskInput!) {
    addTask(input: $input) {
      task { id dueAt labels { name } ...TaskRow_task }
      edge { cursor node { id } }
      project { id taskCount }
    }
  }
  """)

private let openGate = graphql(
  "mutation OpenGateMutation($name: String!) { openGate(name: $name) }")

private let projectTasks = graphql(
  """
  fragment ProjectTasks_project on Project
  @argumentDefinitions(
    count: {type: "Int", defaultValue: 3}, cursor: {type: "String"}
    order: {type: "TaskOrder!", defaultValue: CREATED}
  )
  @refetchable(queryName: "ProjectTasksQuery") {
    id
    tasks(first: $count, after: $cursor, orderBy: $order) @connection(key: "ProjectTasks_tasks") {
      edges { node { id title } }
    }
  }
  query ProjectQuery($id: ID!) { project(id: $id) { name ...ProjectTasks_project } }
  """)

private let listMutations = graphql(
  """
  mutation AppendTaskMutation($input: AddTaskInput!, $lists: [ID!]!) {
    addTask(input: $input) {
      edge @appendEdge(connections: $lists) { cursor node { id title } }
      project { id taskCount }
    }
  }
  mutation DeleteTaskMutation($id: ID!, $lists: [ID!]!) {
    deleteTask(id: $id) { deletedId @deleteEdge(connections: $lists) }
  }
  """)

private let attach = graphql(
  """
  mutation AttachMutation($files: [Upload!]!) {
    attach(files: $files) { name contentType size sum }
  }
  """)

private let schedule = graphql(
  """
  query TitleQuery($id: ID!) { task(id: $id) { id title estimate } }
  mutation TitleMutation($id: ID!, $title: String!) {
    updateTask(input: { id: $id, title: $title }) { task { id title } }
  }
  """)
