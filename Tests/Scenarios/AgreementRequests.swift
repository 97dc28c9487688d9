import RelayStore
import Testing

/// An operation named `Q`, sent to both servers.
struct AgreementRequest: CustomTestStringConvertible {
  let text: String
  var variables: JSONObject = [:]
  var testDescription: String { text }

  static let all: [AgreementRequest] = [
    .init(text: "query Q { viewer { __typename id name email role } }"),
    .init(
      text: """
        query Q { projects { id name owner { __typename id name } taskCount
          todo: taskCount(status: TODO) tasks(first: 2, orderBy: PRIORITY) {
            edges { cursor node { id title priority } } pageInfo { ...P } } } }
        fragment P on PageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        """),
    .init(
      text: """
        query Q { nodes(ids: ["VGFzazox", "VXNlcjo0", "VGVhbTox", "VGFzazo5OQ=="]) { __typename
        id ... on Assignee { name } ... on Task { isComplete createdAt dueAt estimate notes
        labels { name color } } ... on Team { members { id name email } } } }
        """
    ),
    .init(
      text: """
        query Q { task(id: "VGFzazox") { activity { __typename ... on Comment { id body at
        author { name } } ... on StatusChange { from to at by { id } } } project { name } }
        missing: task(id: "VGFzazo5OQ==") { id } }
        """
    ),
    .init(
      text: """
        query Q { search(text: "AR") { __typename ... on Node { id } ... on Task { title } ...
        on Project { name } ... on User { name } } }
        """
    ),
    .init(
      text: """
        query Q { dueBefore(time: "2026-01-20T00:00:00+00:00") { id dueAt } }
        """),
    .init(
      text: """
        query Q { viewer { assigned(first: 1) { edges { node { title } } pageInfo { hasNextPage
        endCursor } } } }
        """
    ),
    .init(
      text: """
        query Q { tasks(orderBy: TITLE, filter: {status: [TODO, DONE], text: "the"}) { edges {
        node { title status } } } }
        """
    ),
    .init(
      text: """
        query Q { tasks(filter: {onlyUnassigned: true, priority: LOW, status: null}) { edges {
        node { title } } } }
        """
    ),
    .init(
      text: """
        query Q ($s: TaskStatus!) { tasks(filter: {status: [$s]}) { edges { cursor node { id } }
        } }
        """,
      variables: ["s": "DONE"]),
    .init(
      text: """
        query Q { faults { message nullable child { message hole } } }
        """),
    .init(
      text: """
        query Q { faults { items(count: 5) { index value } strictItems(count: 1) { value }
        broken: strictItems { value } } }
        """
    ),
    .init(
      text: """
        query Q { viewer { id } faults { child { requiredChild { required } } } }
        """),
    .init(text: "query Q { faults { requiredChild { required } } }"),
    .init(
      text: """
        query Q ($yes: Boolean!, $no: Boolean = false) { viewer { a: id @include(if: $no) b: id
        @skip(if: $no) ... @include(if: $yes) { name } } }
        """,
      variables: ["yes": true]),
    .init(
      text: """
        mutation Q { updateTask(input: {id: "VGFzazoy", title: " "}) { task { id } } }
        """),
    .init(
      text: """
        mutation Q { updateTask(input: {id: "VGFzazo5OQ==", title: "x"}) { task { id } } }
        """),
    .init(
      text: """
        mutation Q { updateTask(input: {id: "VXNlcjox", title: "x"}) { task { id } } }
        """),
    .init(
      text: """
        mutation Q { a: updateTask(input: {id: "VGFzazoy", title: "x"}, behaviour: {outcome:
        FAIL}) { task { id } } b: updateTask(input: {id: "VGFzazoy", notes: "n"}, behaviour:
        {outcome: PARTIAL, delayMilliseconds: 1}) { warning task { title notes } } c:
        updateTask(input: {id: "VGFzazoy", notes: null, estimate: 3.5, dueAt:
        "2026-03-01T10:00:00Z", assigneeId: "VGVhbToy"}, behaviour: {outcome: NULL_PAYLOAD}) {
        task { id } } d: updateTask(input: {id: "VGFzazoy", notes: null, estimate: 3.5, dueAt:
        "2026-03-01T10:00:00Z", assigneeId: "VGVhbToy", status: DONE}) { warning task { title
        notes estimate dueAt isComplete assignee { id name } activity { __typename ... on
        StatusChange { from to at by { name } } } } } }
        """
    ),
    .init(
      text: """
        mutation Q { addTask(input: {projectId: "UHJvamVjdDoy", title: "New", labels: ["bug"]})
        { warning edge { cursor node { id } } project { taskCount } task { id title notes status
        priority estimate createdAt dueAt labels { name } assignee { id } project { id } } }
        addComment(input: {taskId: "VGFzazoxMw==", body: "Hello"}) { comment { id at body author
        { name } } task { activity { __typename } } } deleteTask(id: "VGFzazoxMw==") { deletedId
        project { taskCount } } gone: deleteTask(id: "VGFzazoxMw==") { deletedId }
        openGate(name: "g") again: openGate(name: "g") }
        """
    ),
    .init(
      text: """
        mutation Q { addTask(input: {projectId: "UHJvamVjdDoy", title: "New", labels: ["what"]})
        { task { id } } }
        """
    ),
    .init(
      text: """
        query Q { tasks(first: 3, after: "YXJyYXljb25uZWN0aW9uOjE=") { edges { cursor } pageInfo
        { ...P } } b: tasks(last: 2) { edges { cursor } pageInfo { ...P } } c: tasks(before:
        "YXJyYXljb25uZWN0aW9uOjM=", last: 2) { edges { cursor } pageInfo { ...P } } d:
        tasks(first: 0) { edges { cursor } pageInfo { ...P } } e: tasks(first: 5, after:
        "YXJyYXljb25uZWN0aW9uOjk5") { edges { cursor } pageInfo { ...P } } f: tasks(first: 100)
        { pageInfo { ...P } } } fragment P on PageInfo { hasNextPage hasPreviousPage startCursor
        endCursor }
        """
    ),
    .init(text: "query Q { tasks(first: -1) { edges { cursor } } }"),
  ]
}
