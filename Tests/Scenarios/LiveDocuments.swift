import RelayStore

private let taskChanged = graphql(
  """
  subscription TaskChangedSubscription($id: ID) {
    taskChanged(id: $id) { id ...TaskRow_task }
  }
  """)

private let taskTitle = graphql(
  """
  query TaskTitleQuery($id: ID!) { task(id: $id) { id ...TaskTitle_task } }
  fragment TaskTitle_task on Task { title }
  """)

private let story = graphql(
  """
  query DeferredTaskQuery($id: ID!, $inParts: Boolean! = true) {
    task(id: $id) { id title ...TaskStory_task @defer(if: $inParts) }
  }
  fragment TaskStory_task on Task { notes activity { ...ActivityRow_activity } }
  fragment ActivityRow_activity on Activity {
    __typename
    ... on Comment { id body }
    ... on StatusChange { from to }
  }
  """)

private let streamed = graphql(
  """
  query StreamedTaskQuery($id: ID!, $inParts: Boolean! = true) {
    task(id: $id) {
      id
      activity @stream(initialCount: 1, if: $inParts) { ...ActivityRow_activity }
    }
  }
  """)
