import RelayStore

private let taskChanged = graphql(
  """
  subscription TaskChangedSubscription {
    taskChanged { id ...TaskRow_task }
  }
  """)

/// A list of tasks that follows other clients' changes.
///
/// The page subscribes before it loads the list, because an event does not repeat earlier changes.
@MainActor final class LivePage {
  /// The query of the list. It is retained, and fetched again after a gap.
  let query = TaskListQuery()
  private(set) var rows: [Panel<TaskRow_task>] = []
  /// The state of the connection.
  private(set) var state: ConnectionState?
  /// The ids of the tasks in the events.
  private(set) var changed: [String] = []
  private(set) var gapCount = 0
  /// The error that ended the subscription.
  private(set) var error: RelayError?
  private let environment: RelayEnvironment
  private let timeline: Timeline
  private let retention: Retention
  private var loop: Task<Void, Never>?

  init(in environment: RelayEnvironment, on timeline: Timeline) {
    self.environment = environment
    self.timeline = timeline
    retention = environment.retain(query)
    let events = environment.subscribe(to: TaskChangedSubscription(), refetching: [query])
    loop = Task { [weak self] in
      do {
        for try await event in events { self?.receive(event) }
      } catch {
        // Loops only know the type of the error from macOS 15 and iOS 18 on.
        self?.error = error as? RelayError
      }
    }
  }

  /// Loads the list, and shows a row for each task.
  func load() async throws {
    let snapshot = try await environment.fetch(query)
    guard let list = snapshot.data?.fragments.taskList_query else { return }
    let tasks = environment.read(list).data?.tasks.nodes ?? .init()
    rows = tasks.enumerated().map { number, task in
      Panel("row \(number + 1)", task.fragments.taskRow_task, in: environment, on: timeline) {
        [environment] in TaskRow.text($0, environment)
      }
    }
  }

  private func receive(_ event: SubscriptionEvent<TaskChangedSubscription.Data>) {
    switch event {
    case .data(let snapshot):
      guard let task = snapshot.data?.taskChanged else { return }
      changed.append(task.id)
      timeline.show("live", "a task has changed")
    case .connection(let state):
      self.state = state
      timeline.show("live", Self.text(of: state))
    case .gap:
      gapCount += 1
      timeline.show("live", "gap: changes may be missing")
    }
  }

  private static func text(of state: ConnectionState) -> String {
    switch state {
    case .connecting: "connecting …"
    case .connected: "connected"
    case .disconnected(_, let reason): "disconnected: \(reason)"
    case .suspended: "suspended"
    }
  }

  /// Whether the connection has been lost.
  var isDisconnected: Bool {
    if case .disconnected = state { true } else { false }
  }

  /// Closes the rows, unsubscribes and releases the list.
  func close() async {
    loop?.cancel()
    await loop?.value
    for row in rows { await row.close() }
    retention.release()
  }
}
