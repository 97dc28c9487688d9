import RelayStore

private let taskPage = graphql(
  """
  fragment TaskPage_task on Task {
    id
    title
    ...TaskComments_task @defer
  }
  """)

private let taskPageQuery = graphql(
  """
  query TaskPageQuery($id: ID!) {
    task(id: $id) { ...TaskPage_task }
  }
  """)

private let taskComments = graphql(
  """
  fragment TaskComments_task on Task {
    activity {
      ... on Comment { body author { name } }
    }
  }
  """)

/// The comments on a task. They are a deferred fragment of its page.
enum TaskComments {
  static func text(_ task: TaskComments_task) -> String {
    let comments = task.activity.compactMap(\.asComment)
    return comments.map { "\($0.author.name): “\($0.body)”" }.joined(separator: ", ")
  }
}

extension Transport {
  /// Returns this transport, with the parts of every response held at the server's gate `part-0`.
  func holdingParts() -> any Transport {
    intercepting { request, next in
      var request = request
      if request.allowsIncrementalDelivery { request.headers["X-Gate"] = "part" }
      return try await next.execute(request)
    }
  }
}
