import RelayStore
import RelayStoreTesting

/// The steps of a live page that other clients and the connection change.
extension Demo {
  func runLiveSteps() async {
    await timeline.step("A change of another client arrives as an event", event)
    await timeline.step("The connection is lost, and a change is missed", lostConnection)
    await timeline.step("A part of a page arrives late", latePart)
    await timeline.step("The live page closes", closing)
  }

  private func event() async throws {
    timeline.act("open a live page: subscribe, then load the list")
    let page = LivePage(in: environment, on: timeline)
    live = page
    timeline.check(
      "the subscription is connected", try await eventually { page.state == .connected })
    try await page.load()
    timeline.check(
      "every row shows its task",
      try await eventually { page.rows.count == 3 && page.rows.allSatisfy { $0.data != nil } })
    let id = try taskID(inRow: 1)
    let (requests, others) = (timeline.requestCount, snapshotCount(ofRowsExcept: 1))
    timeline.colleague("renames task 2")
    try await colleague.commit(RenameMutation(id: id, title: "Oil the mill, twice"))
    timeline.check("the event names the task", try await eventually { page.changed == [id] })
    timeline.check(
      "its row has the new title", try await page.rows[1].shows { $0.title.hasSuffix("twice") })
    timeline.check("nothing was requested", timeline.requestCount == requests)
    try await environment.settle()
    timeline.check("no other row was notified", snapshotCount(ofRowsExcept: 1) == others)
  }

  private func lostConnection() async throws {
    let id = try taskID(inRow: 2)
    guard let page = live else { return timeline.check("the page is open", false) }
    let (requests, events) = (timeline.requestCount, page.changed.count)
    timeline.act("enter a tunnel")
    connection.cut()
    timeline.check("the page is disconnected", try await eventually { page.isDisconnected })
    let isFetched = (try? await environment.fetch(page.query)) != nil
    timeline.check("loading the list again fails", !isFetched)
    timeline.colleague("renames task 3 meanwhile")
    try await colleague.commit(RenameMutation(id: id, title: "Publish Note G, at last"))
    try await environment.settle()
    timeline.check(
      "the row does not show it", page.rows[2].data?.title.hasSuffix("last") == false)
    timeline.act("leave the tunnel")
    connection.restore()
    timeline.check(
      "the page is connected, after a gap",
      try await eventually { page.state == .connected && page.gapCount == 1 })
    timeline.check(
      "the row shows the missed change", try await page.rows[2].shows { $0.title.hasSuffix("last") }
    )
    try await environment.settle()
    timeline.check(
      "it came with the refetched list, not with an event",
      timeline.requestCount == requests + 2 && page.changed.count == events)
  }

  private func latePart() async throws {
    let id = try taskID(inRow: 2)
    timeline.colleague("comments on task 3")
    try await colleague.commit(AddCommentMutation(task: id, body: "With all its tables?"))
    timeline.act("open task 3; the server holds its comments at a gate")
    let loaded = environment.load(TaskPageQuery(id: id), policy: .networkOnly)
    defer { loaded.release() }
    guard try await eventually({ loaded.state.data?.task != nil }),
      let task = loaded.state.data?.task?.fragments.taskPage_task,
      let part = environment.read(task).data?.fragments.taskComments_task
    else { return timeline.check("the page has its first part", false) }
    let page = Panel("page", task, in: environment, on: timeline) { "“\($0.title)”" }
    let comments = Panel("comments", part, in: environment, on: timeline) { TaskComments.text($0) }
    timeline.check(
      "the page has its title", try await page.shows { $0.title.hasSuffix("last") })
    let isPending = try await eventually {
      page.snapshots.last?.isPending == true && comments.snapshots.last?.isPending == true
    }
    timeline.check("the comments are pending", isPending && comments.data == nil)
    timeline.check("the query is loading", loaded.state.isLoading)
    try await colleague.commit(OpenGateMutation(name: "part-0"))
    timeline.check("the comments arrive", try await comments.shows { !$0.activity.isEmpty })
    let isComplete = try await eventually {
      page.snapshots.last?.isPending == false && comments.snapshots.last?.isPending == false
        && !loaded.state.isLoading
    }
    timeline.check("nothing is pending, and the query is loaded", isComplete)
    await page.close()
    await comments.close()
  }

  private func closing() async throws {
    guard let page = live else { return timeline.check("the page is open", false) }
    timeline.act("close the page")
    await page.close()
    live = nil
    try await environment.settle()
    try await colleague.settle()
    timeline.check("no error has ended the subscription", page.error == nil)
    timeline.check(
      "nothing is left in use", environment.liveResources.isEmpty, "\(environment.liveResources)")
    timeline.check(
      "the other client uses nothing either", colleague.liveResources.isEmpty,
      "\(colleague.liveResources)")
    let report = environment.store.collectGarbage()
    timeline.store("removed \(report.collected.counted("record")), kept \(report.retained)")
  }

  // MARK: Parts

  private func taskID(inRow index: Int) throws -> String {
    guard let rows = live?.rows, rows.indices.contains(index), let id = rows[index].data?.id else {
      throw NoRow(number: index)
    }
    return id
  }

  /// The number of snapshots delivered to the rows except one.
  private func snapshotCount(ofRowsExcept index: Int) -> Int {
    (live?.rows ?? []).enumerated().map { $0.offset == index ? 0 : $0.element.snapshots.count }
      .reduce(0, +)
  }
}
