import Foundation
import RelayNetwork
import RelayPersistence
import RelayStore

private let addTask = graphql(
  """
  mutation AddTaskMutation($input: AddTaskInput!, $lists: [ID!]!) {
    addTask(input: $input) {
      edge @appendEdge(connections: $lists) { node { id project { id } ...TaskRow_task } }
    }
  }
  """)

/// The app of the demonstration without a network: a process with persistence and an outbox. It is
/// started three times.
@MainActor final class OfflineApp {
  /// One of the three starts of the app.
  enum Run: String, CaseIterable {
    /// The network is available. The list is loaded.
    case first
    /// The network is down. The list is changed, then the process is killed.
    case killed
    /// The network is back.
    case last
  }

  /// The results of a run, for the parent process.
  struct Report: Codable {
    var steps: StepCount
    /// The keys of the mutations in the outbox when the process started.
    var keysAtStart: [String]
    /// The keys of the mutations in the outbox at the end.
    var keysAtEnd: [String]
    /// The rows that the list shows.
    var rows: [String]

    /// The file of a run's report.
    static func file(of run: Run, in directory: URL) -> URL {
      directory.appendingPathComponent("\(run).json")
    }
  }

  private let run: Run
  private let directory: URL
  private let timeline: Timeline
  private let environment: RelayEnvironment
  private let connection: InterruptibleTransport
  private var list: OfflineList?
  private var loaded: LoadedQuery<OfflineListQuery>?
  private var keysAtStart: [String] = []

  /// Creates the app with the arguments `--offline-app RUN DIRECTORY URL STEP`.
  ///
  /// - Returns: `nil` for other arguments.
  init?(_ arguments: [String]) {
    guard arguments.count == 5, arguments[0] == "--offline-app",
      let run = Run(rawValue: arguments[1]), let endpoint = URL(string: arguments[3]),
      let step = Int(arguments[4])
    else { return nil }
    self.run = run
    directory = URL(fileURLWithPath: arguments[2])
    timeline = Timeline(firstStep: step)
    connection = InterruptibleTransport(
      next: LoggingTransport(next: HTTPTransport(url: endpoint), timeline: timeline))
    if run != .first { connection.cut() }
    let persistence = Persistence.sqlite(
      directory: directory.appendingPathComponent("graph"), user: "ada@example.org")
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(persistence: persistence)), transport: connection,
      outbox: OutboxOptions(serverHonorsIdempotencyKeys: true))
  }

  /// Runs the steps, and writes the report.
  ///
  /// - Returns: Whether every step went as expected. The run that is killed never returns.
  func run() async throws -> Bool {
    switch run {
    case .first: await timeline.step("The list is loaded, and stored", firstLoad)
    case .killed:
      await timeline.step("Without a network, the stored list is shown at once", storedList)
      await timeline.step("Changes are shown as optimistic, and stored in the outbox", changes)
    case .last:
      await timeline.step("The list is shown with the changes of the killed process", changedList)
      await timeline.step("The network is back: the changes are sent in order", sending)
    }
    let steps = timeline.stepCount
    let report = Report(
      steps: steps, keysAtStart: keysAtStart, keysAtEnd: keys, rows: list?.texts ?? [])
    timeline.flush()
    try JSONEncoder().encode(report).write(
      to: Report.file(of: run, in: directory), options: .atomic)
    // The process is killed during this sleep.
    if run == .killed { try await Task.sleep(for: .seconds(60)) }
    return run != .killed && steps.good == steps.all
  }

  // MARK: Steps

  private func firstLoad() async throws {
    try await open(count: 4)
    timeline.check("one request has loaded it", timeline.requestCount == 1)
    try await environment.store.suspend()
    timeline.store("has stored it, and closed its file")
  }

  private func storedList() async throws {
    try await open(count: 4)
    timeline.check("nothing was requested", timeline.requestCount == 0)
  }

  private func changes() async throws {
    guard let list, list.tasks.count == 4 else { return timeline.check("there is a list", false) }
    let tasks = list.tasks
    timeline.act("mark task 1 as done")
    try await commit(.done, of: tasks[0].id)
    timeline.check("row 1 shows it", try await list.rows[0].shows { $0.status == .done })
    timeline.act("rename task 3")
    try await environment.commit(
      RenameMutation(id: tasks[2].id, title: Self.title),
      optimisticResponse: .init(
        updateTask: .init(task: .init(id: tasks[2].id, title: Self.title))),
      durability: .outbox())
    timeline.check("row 3 shows it", try await list.rows[2].shows { $0.title == Self.title })
    timeline.act("add a task, whose id is a placeholder")
    let id: String = ClientID.unique()
    try await environment.commit(
      AddTaskMutation(
        input: .init(projectId: tasks[0].project.id, title: Self.newTitle),
        lists: environment.connections("OfflineList_tasks", of: .root).map(\.rawValue)),
      optimisticResponse: .init(
        addTask: .init(
          edge: .init(
            node: .init(
              id: id, assignee: .null, project: .init(id: tasks[0].project.id), status: .todo,
              title: Self.newTitle)))),
      durability: .outbox())
    timeline.check("the list has it", try await list.shows(5))
    timeline.act("start the new task, by its placeholder")
    try await commit(.inProgress, of: id)
    timeline.check(
      "row 5 shows it",
      try await list.rows[4].shows { $0.status == .inProgress && $0.title == Self.newTitle })
    timeline.check("4 changes are optimistic, in 3 rows", optimisticRows == [1, 3, 5])
    timeline.check("the outbox has 4 mutations", keys.count == 4, "\(keys.count)")
    timeline.check("nothing was sent", timeline.requestCount == 0)
  }

  private func changedList() async throws {
    try await open(count: 5)
    timeline.check("rows 1, 3 and 5 are optimistic", optimisticRows == [1, 3, 5])
    timeline.check(
      "row 5 is the new task, started",
      list?.rows.last?.data?.title == Self.newTitle
        && list?.rows.last?.data?.status == .inProgress)
    timeline.check("the outbox has 4 mutations", keys.count == 4, "\(keys.count)")
    timeline.check("nothing was requested", timeline.requestCount == 0)
    keysAtStart = keys
  }

  private func sending() async throws {
    guard let list, let outbox = environment.outbox else {
      return timeline.check("there is a list", false)
    }
    timeline.act("leave the tunnel")
    let entries = outbox.entries
    connection.restore()
    outbox.resume()
    for entry in entries { try await outbox.outcome(of: entry.id) }
    timeline.check("the list shows 5 tasks", try await list.shows(5))
    timeline.check("every change was answered", keys.isEmpty)
    timeline.check(
      "the new task has the server's id in place of the placeholder",
      list.tasks.last?.id.hasPrefix("client:") == false)
    timeline.check("no row is optimistic", optimisticRows.isEmpty, "\(optimisticRows)")
    timeline.check(
      "4 requests were sent", timeline.requestCount == 4, "\(timeline.requestCount)")
    timeline.check(
      "the visible records equal the base",
      environment.store.dump(.visible) == environment.store.dump(.base))
    try await environment.store.suspend()
  }

  // MARK: Parts

  private static let title = "Write to Lady Byron"
  private static let newTitle = "Build the printer"

  /// Loads the list, and shows it.
  private func open(count: Int) async throws {
    loaded = environment.load(OfflineListQuery())
    guard try await eventually({ self.loaded?.state.data != nil }),
      try await eventually({ self.environment.outbox?.isLoaded == true }),
      let list = OfflineList(in: environment, on: timeline)
    else { return timeline.check("there is a list", false) }
    self.list = list
    timeline.check("the list shows \(count) tasks", try await list.shows(count))
    // Without a network the outbox cannot settle: its mutations wait for their next attempt.
    if run == .first { try await environment.settle() }
  }

  /// Commits a status change with an optimistic response.
  private func commit(_ status: TaskStatus, of id: String) async throws {
    try await environment.commit(
      SetStatusMutation(input: .init(id: id, status: .some(status))),
      optimisticResponse: .init(updateTask: .init(task: .init(id: id, status: status))),
      durability: .outbox())
  }

  /// The keys of the mutations in the outbox.
  private var keys: [String] { environment.outbox?.entries.map(\.id.rawValue) ?? [] }

  /// The numbers of the rows that show an optimistic update.
  private var optimisticRows: [Int] {
    (list?.tasks ?? []).enumerated().compactMap { index, task in
      environment.read(task.fragments.taskRow_task).isOptimistic ? index + 1 : nil
    }
  }
}
