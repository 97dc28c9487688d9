import RelayStore
import RelayStoreTesting
import Testing

@Suite(
  "Scenarios: live data", .timeLimit(.minutes(1)), .checksForLeaks,
  .enabled(
    if: PythonProcess.isInstalled || PythonProcess.isRequired,
    "the servers need .venv, which make test creates"))
struct LiveScenarios {
  @Test(
    "events are written to the store and observed by fragments, until the server completes",
    arguments: LiveServer.allCases)
  func events(server: LiveServer) async throws {
    let session = try await LiveSession()
    let environment = await server.environment(session)
    let query = try await environment.fetch(TaskTitleQuery(id: LiveSession.task))
    let fragment = try #require(query.data?.task?.fragments.taskTitle_task)
    let titles = StreamRecorder(environment.observe(fragment))
    let subscriber = LiveSubscriber(environment)
    try await session.waitForSubscriptions(1)
    for title in ["Grease the mill", "Stop the mill"] {
      try await session.rename(title)
      #expect(await titles.first { $0.data?.title == title } != nil)
    }
    let ids = await subscriber.snapshots(2).map { $0.data?.taskChanged.id }
    #expect(ids == [LiveSession.task, LiveSession.task])
    try await session.complete()
    #expect(await subscriber.end() == nil)
    try await session.waitForSubscriptions(0)
  }

  @Test(
    "an event with an error does not end the subscription", arguments: LiveServer.allCases)
  func errorEvent(server: LiveServer) async throws {
    let session = try await LiveSession()
    let subscriber = LiveSubscriber(await server.environment(session))
    try await session.waitForSubscriptions(1)
    try await session.publish(task: "99")
    try await session.publish()
    let snapshots = await subscriber.snapshots(2)
    #expect(snapshots.first?.data == nil)
    #expect(snapshots.first?.responseErrors.first?.path == ["taskChanged"])
    #expect(snapshots.last?.data?.taskChanged.id == LiveSession.task)
  }

  @Test(
    "an error of the source is received, and ends the subscription",
    arguments: LiveServer.allCases)
  func failure(server: LiveServer) async throws {
    let session = try await LiveSession()
    let subscriber = LiveSubscriber(await server.environment(session))
    try await session.waitForSubscriptions(1)
    try await session.fail("The source is dry.")
    let error = await subscriber.end()
    let last = await subscriber.snapshots(1).last
    #expect(
      (error?.errors ?? last?.responseErrors ?? []).map(\.message) == ["The source is dry."],
      "\(String(describing: error))")
  }

  @Test(
    "unsubscribing ends the subscription on the server, and no other",
    arguments: LiveServer.allCases)
  func unsubscribing(server: LiveServer) async throws {
    let session = try await LiveSession()
    let environment = await server.environment(session)
    do {
      let kept = LiveSubscriber(environment)
      do {
        let subscribers = (0..<3).map { _ in LiveSubscriber(environment) }
        try await session.waitForSubscriptions(4)
        withExtendedLifetime(subscribers) {}
      }
      try await session.waitForSubscriptions(1)
      try await session.publish()
      #expect(await kept.snapshots(1).count == 1)
    }
    try await session.waitForSubscriptions(0)
  }

  @Test(
    "a subscription that the schema does not allow is an error with the server's message",
    arguments: LiveServer.allCases)
  func validation(server: LiveServer) async throws {
    let session = try await LiveSession()
    let environment = await server.environment(session)
    let events = environment.subscribe(to: UnknownFieldSubscription())
    var messages: [String] = []
    do {
      for try await event in events {
        messages += event.snapshot?.responseErrors.map(\.message) ?? []
      }
    } catch {
      #expect(error.code == .graphQL)
      messages += error.errors.map(\.message)
    }
    #expect(messages.count == 1 && messages.first?.contains("nothing") == true, "\(messages)")
  }
}
