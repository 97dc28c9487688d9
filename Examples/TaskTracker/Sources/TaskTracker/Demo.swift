import Foundation
import RelayInspector
import RelayStore
import RelayStoreTesting

/// The demonstration. Its steps run in order, and each checks its expectations.
@MainActor final class Demo {
  let timeline: Timeline
  let environment: RelayEnvironment
  /// The connection of ``environment``.
  let connection: InterruptibleTransport
  /// Another client of the same server.
  let colleague: RelayEnvironment
  /// The page of the steps in Demo+Live.swift.
  var live: LivePage?
  private let query = TaskListQuery()
  private var retention: Retention?
  private let rename: MutationModel<RenameMutation>
  private var list: TaskList?
  private var rows: [Panel<TaskRow_task>] = []
  private var detail: Panel<TaskDetail_task>?
  private var detailRetention: Retention?
  /// The file for the inspector's page; `nil` if no timeline is recorded.
  private let inspected: URL?

  /// - Parameter inspected: The file for the inspector's page; `nil` for none.
  init(transport: any Transport, timeline: Timeline, inspectedIn inspected: URL? = nil) {
    self.timeline = timeline
    self.inspected = inspected
    connection = InterruptibleTransport(
      next: LoggingTransport(next: transport.holdingParts(), timeline: timeline))
    colleague = RelayEnvironment(transport: transport)
    // An empty release buffer lets the last step show the collection of released records.
    let store = RecordStore(
      configuration: .init(
        releaseBufferSize: 0, garbageCollection: .manual,
        timeline: inspected.map { _ in .init() }))
    environment = RelayEnvironment(store: store, transport: connection)
    rename = MutationModel(in: environment)
  }

  func run() async -> Bool {
    await timeline.step(
      "First load: one query, a view for the list and one for each row", firstLoad)
    await timeline.step("A second view of the same task", secondView)
    await timeline.step(
      "An optimistic change, shown by both views at once, then confirmed", confirmed)
    await timeline.step("A change the server refuses is rolled back, under a newer one", refused)
    await timeline.step("A change of a task that no view shows notifies no view", unobservedChange)
    await timeline.step("A page is appended to the list", nextPage)
    await timeline.step(
      "A view closes, and garbage collection removes the records that only it used", garbage)
    await runLiveSteps()
    return timeline.finish()
  }

  // MARK: Steps

  private func firstLoad() async throws {
    retention = environment.retain(query)
    let snapshot = try await environment.fetch(query)
    guard let data = snapshot.data else { return timeline.check("the query has data", false) }
    timeline.act("you are \(data.viewer.name)")
    let list = TaskList(data.fragments.taskList_query, in: environment, on: timeline)
    self.list = list
    timeline.check("the list shows a page of 3, at once", list.tasks.count == 3)
    for (number, task) in list.tasks.enumerated() {
      rows.append(
        Panel(
          "row \(number + 1)", task.fragments.taskRow_task, in: environment, on: timeline
        ) { [environment] in TaskRow.text($0, environment) })
    }
    timeline.check(
      "every row shows its task",
      try await eventually { self.rows.allSatisfy { $0.data?.title.isEmpty == false } })
  }

  private func secondView() async throws {
    let id = try rowID(1)
    timeline.act("open task 2 on a page of its own")
    let detailQuery = TaskDetailQuery(id: id)
    detailRetention = environment.retain(detailQuery)
    let before = rows.map(\.snapshots.count)
    let snapshot = try await environment.fetch(detailQuery)
    guard let task = snapshot.data?.task else { return timeline.check("the task is found", false) }
    let panel = Panel("detail", task.fragments.taskDetail_task, in: environment, on: timeline) {
      TaskDetail.text($0)
    }
    detail = panel
    timeline.check(
      "the page and the row show the same title",
      try await panel.shows { $0.title == self.rows[1].data?.title })
    timeline.check(
      "loading it again notified no row", rows.map(\.snapshots.count) == before)
  }

  private func confirmed() async throws {
    let id = try rowID(1)
    guard let detail else { return timeline.check("the second view is open", false) }
    let before = detail.snapshots.count
    timeline.act("mark task 2 as done; the server waits at a gate")
    let mutation = commit(.done, of: id, .init(gate: "confirm"))
    let both = try await eventually {
      self.rows[1].data?.status == .done && detail.data?.status == .done
    }
    timeline.check("both views show it before the server responds", both)
    timeline.check(
      "as optimistic", rows[1].snapshots.last?.isOptimistic == true)
    try await environment.commit(OpenGateMutation(name: "confirm"))
    _ = try await mutation.value
    timeline.check(
      "the confirmation changed nothing visible, so it notified no view",
      detail.data?.status == .done && detail.snapshots.count == before + 1,
      (detail.snapshots.count - before).counted("snapshot"))
    timeline.check("the change is in the base", base(of: id).contains(#""status":"DONE""#))
  }

  private func refused() async throws {
    let id = try rowID(2)
    let before = rows[2].data
    timeline.act("start task 3; the server will refuse when its gate opens")
    let mutation = commit(.inProgress, of: id, .init(outcome: .some(.fail), gate: "refuse"))
    timeline.check("the row shows it", try await rows[2].shows { $0.status == .inProgress })
    timeline.act("rename it while that is in flight")
    try await rename.commit(RenameMutation(id: id, title: "Publish Note G, revised"))
    timeline.check(
      "the new title shows under the optimistic status",
      try await rows[2].shows { $0.title.hasSuffix("revised") && $0.status == .inProgress })
    timeline.check(
      "the base has the title and not the status",
      base(of: id).contains("revised") && !base(of: id).contains("IN_PROGRESS"))
    try await environment.commit(OpenGateMutation(name: "refuse"))
    let result = try await mutation.value
    timeline.check("the server's refusal is returned to the caller", !result.responseErrors.isEmpty)
    timeline.check(
      "the previous status is restored, and the title stays",
      try await rows[2].shows { $0.title.hasSuffix("revised") && $0.status == before?.status })
    timeline.check(
      "the visible records equal the base",
      environment.store.dump(.visible) == environment.store.dump(.base))
  }

  private func unobservedChange() async throws {
    let all = try await environment.fetch(AllTasksQuery())
    guard let unobserved = all.data?.tasks.edges.last?.node else {
      return timeline.check("there is a task beyond the page", false)
    }
    let before = deliveries
    timeline.act("rename a task that no view shows")
    try await rename.commit(RenameMutation(id: unobserved.id, title: "Not shown"))
    timeline.check("it is in the store", base(of: unobserved.id).contains("Not shown"))
    try await environment.settle()
    timeline.check("no view was notified", deliveries == before)
    timeline.act("rename task 1, which is shown")
    try await rename.commit(RenameMutation(id: rowID(0), title: "Punch all the cards"))
    timeline.check(
      "task 1 has its new title", try await rows[0].shows { $0.title == "Punch all the cards" })
    try await environment.settle()
    timeline.check(
      "one view was notified, once", deliveries == before + 1, "\(deliveries - before) were")
  }

  private func nextPage() async throws {
    guard let list else { return timeline.check("there is a list", false) }
    let before = list.tasks.map(\.id)
    timeline.act("scroll to the end, and once more before the page is there")
    showLastRow(of: list)
    showLastRow(of: list)
    timeline.check("the list shows 5", try await eventually { list.tasks.count == 5 })
    try await environment.settle()
    let after = list.tasks.map(\.id)
    timeline.check(
      "the first page is unchanged, and no task occurs twice",
      Array(after.prefix(3)) == before && Set(after).count == after.count && after.count == 5)
  }

  /// Loads the next page, as a view does when its last row appears.
  private func showLastRow(of list: TaskList) { list.model.loadNext(2) }

  private func garbage() async throws {
    guard let detail else { return timeline.check("the views are open", false) }
    environment.store.collectGarbage()
    let commented = environment.store.dump()
    timeline.act("close the page of task 2")
    await detail.close()
    detailRetention?.release()
    let report = environment.store.collectGarbage()
    timeline.store("removed \(report.collected.counted("record")), kept \(report.retained)")
    timeline.check(
      "its activity is gone",
      report.collected > 0 && commented.contains(#""__typename":"StatusChange""#)
        && !environment.store.dump().contains(#""__typename":"StatusChange""#))
    timeline.check(
      "the records of the other views were kept",
      environment.read(query).data != nil && list?.tasks.count == 5
        && (rows.map { $0.data?.title ?? "" } == shownTitles()))
    try inspect()
    for row in rows { await row.close() }
    list = nil
    retention?.release()
    let rest = environment.store.collectGarbage()
    timeline.store(
      "everything closed: removed \(rest.collected.counted("record")), kept \(rest.retained)")
    try await environment.settle()
    timeline.check(
      "with every view closed, everything is released", environment.liveResources.isEmpty,
      "\(environment.liveResources)")
  }

  // MARK: Parts

  /// Writes the inspector's page if requested. It shows all values, because they are made up.
  private func inspect() throws {
    guard let inspected else { return }
    try Inspector.write(
      environment.timeline(redactingValues: false), to: inspected, title: "Task tracker")
    timeline.act("write the inspector's page to \(inspected.lastPathComponent)")
  }

  /// Commits a status change with an optimistic response.
  private func commit(_ status: TaskStatus, of id: String, _ behaviour: Behaviour)
    -> Task<Snapshot<SetStatusMutation.Data>, any Error>
  {
    Task { [environment] in
      try await environment.commit(
        SetStatusMutation(input: .init(id: id, status: .some(status)), behaviour: .some(behaviour)),
        optimisticResponse: .init(updateTask: .init(task: .init(id: id, status: status))))
    }
  }

  struct NoRow: Error, CustomStringConvertible {
    let number: Int
    var description: String { "row \(number + 1) shows no task" }
  }

  private func rowID(_ number: Int) throws -> String {
    guard rows.indices.contains(number), let id = rows[number].data?.id else {
      throw NoRow(number: number)
    }
    return id
  }

  /// The number of snapshots delivered to all views.
  private var deliveries: Int {
    rows.map(\.snapshots.count).reduce(0, +) + (list?.changeCount ?? 0)
      + (detail?.snapshots.count ?? 0)
  }

  /// Returns the titles of the first rows, read from the store.
  private func shownTitles() -> [String] {
    (list?.tasks ?? .init()).prefix(rows.count).map {
      environment.read($0.fragments.taskRow_task).data?.title ?? ""
    }
  }

  /// Returns a record's line in the dump of the base; empty if there is none.
  private func base(of id: String) -> String {
    environment.store.dump(.base).split(separator: "\n")
      .first { $0.hasPrefix("  \"\(id)\":") }.map(String.init) ?? ""
  }
}
