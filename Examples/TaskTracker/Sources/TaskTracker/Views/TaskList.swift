import RelayStore

private let taskList = graphql(
  """
  fragment TaskList_query on Query {
    tasks(first: $first, after: $after) {
      edges { node { id ...TaskRow_task } }
      pageInfo { endCursor hasNextPage }
    }
  }
  """)

private let taskListQuery = graphql(
  """
  query TaskListQuery($first: Int!, $after: String) {
    viewer { name }
    ...TaskList_query
  }
  """)

/// The list of all tasks, a page at a time.
enum TaskList {
  static func text(_ list: TaskList_query) -> String {
    "\(list.tasks.edges.count) tasks" + (list.tasks.pageInfo.hasNextPage ? ", more to load" : "")
  }

  /// Loads the page behind the last one and hangs its edges onto the list.
  static func loadNext(
    _ count: Int, after list: TaskList_query, of query: TaskListQuery,
    in environment: RelayEnvironment
  ) async throws {
    let cursor = list.tasks.pageInfo.endCursor ?? .null
    try await environment.fetch(TaskListQuery(first: count, after: cursor))
    try environment.commitUpdate { store in
      let first: JSONObject = ["first": .number(JSONNumber(query.first))]
      var next: JSONObject = ["first": .number(JSONNumber(count))]
      next["after"] = list.tasks.pageInfo.endCursor.map(JSONValue.string)
      guard let all = try store.root.getLinkedRecord("tasks", arguments: first),
        let page = try store.root.getLinkedRecord("tasks", arguments: next)
      else { return }
      let edges = try (all.getLinkedRecords("edges") ?? []) + (page.getLinkedRecords("edges") ?? [])
      try all.setLinkedRecords(edges, for: "edges")
      try all.setLinkedRecord(page.getLinkedRecord("pageInfo"), for: "pageInfo")
    }
  }
}
