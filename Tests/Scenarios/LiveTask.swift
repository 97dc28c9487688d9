import RelayStore
import RelayStoreTesting
import Testing

/// An observed task whose query is retained, with a subscription to its changes.
struct LiveTask {
  let environment: RelayEnvironment
  let titles: StreamRecorder<Snapshot<TaskTitle_task>>
  let subscriber: LiveSubscriber
  private let retention: Retention

  /// Fetches the task and subscribes. Returns when the server has the subscription.
  init(_ environment: RelayEnvironment, _ session: LiveSession) async throws {
    self.environment = environment
    let query = TaskTitleQuery(id: LiveSession.task)
    let data = try await environment.fetch(query).data
    let fragment = try #require(data?.task?.fragments.taskTitle_task)
    retention = environment.retain(query)
    titles = StreamRecorder(environment.observe(fragment))
    subscriber = LiveSubscriber(environment, refetching: [query])
    try await session.waitForSubscriptions(1)
  }

  /// Waits until the observed title equals `title`.
  func title(_ title: String) async -> Bool {
    await titles.first { $0.data?.title == title } != nil
  }

  /// Whether the observed title was ever `title`.
  func hasTitle(_ title: String) -> Bool {
    titles.elements.contains { $0.data?.title == title }
  }

  /// Ends the subscription, and releases the query.
  func end() {
    subscriber.cancel()
    titles.cancel()
    retention.release()
  }
}
