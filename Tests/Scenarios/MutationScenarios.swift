import RelayStore
import Testing

@Suite("Scenarios: mutations", .timeLimit(.minutes(1)), .checksForLeaks)
struct MutationScenarios {
  private static let id = "VGFzazoy"

  /// A loaded environment, and the row of the task that the mutations change.
  private struct Loaded {
    let environment: RelayEnvironment
    let row: FragmentRef<TaskRow_task>
    let query = TaskDetailQuery(id: MutationScenarios.id)

    init(_ server: ScenarioServer) async throws {
      environment = try await server.environment()
      let detail = try await environment.fetch(query)
      row = try #require(detail.data?.task?.fragments.taskRow_task)
    }

    var title: String? { environment.read(row).data?.title }
    var isOptimistic: Bool { environment.read(row).isOptimistic }
    /// Dumps of the visible records and of the base, after collecting garbage such as mutation
    /// payloads.
    var dumps: [String] {
      environment.store.collectGarbage()
      return [environment.store.dump(.visible), environment.store.dump(.base)]
    }

    func update(
      _ title: String, _ behaviour: Behaviour? = nil, isOptimistic: Bool = true
    ) async throws -> Snapshot<UpdateTaskMutation.Data> {
      let mutation = UpdateTaskMutation(
        input: UpdateTaskInput(id: MutationScenarios.id, title: .some(title)),
        behaviour: behaviour.map { .some($0) } ?? .none)
      let response = UpdateTaskMutation.RawResponse(
        updateTask: .init(
          task: .init(
            id: MutationScenarios.id,
            assignee: .init(.user, id: "VXNlcjoy", name: "Grace Hopper"), estimate: 1,
            isComplete: false, status: .inProgress, title: title)))
      return try await environment.commit(
        mutation, optimisticResponse: isOptimistic ? response : nil)
    }
  }

  @Test(
    "all observers receive a mutation's optimistic response and the server's response",
    arguments: ScenarioServer.available)
  func confirmed(server: ScenarioServer) async throws {
    let loaded = try await Loaded(server)
    let environment = loaded.environment
    var rows = environment.observe(loaded.row).makeAsyncIterator()
    var details = environment.snapshots(of: loaded.query).makeAsyncIterator()
    #expect(await rows.next()?.data?.title == "Oil the mill")
    #expect(await details.next()?.data?.task?.notes == nil)

    let commit = Task {
      try await loaded.update("  Oil the mill twice", Behaviour(gate: .some("g")))
    }
    let optimistic = await rows.next()
    #expect(optimistic?.data?.title == "  Oil the mill twice")
    #expect(optimistic?.isOptimistic == true)
    #expect(loaded.title == "  Oil the mill twice")
    #expect(environment.store.dump(.base).contains("\"Oil the mill\""))

    try await environment.commit(OpenGateMutation(name: "g"))
    let committed = try await commit.value
    #expect(committed.data?.updateTask?.task.title == "  Oil the mill twice")
    #expect(committed.responseErrors.isEmpty)
    #expect(loaded.title == "  Oil the mill twice" && !loaded.isOptimistic)
    #expect(environment.store.dump(.visible) == environment.store.dump(.base))
    #expect(environment.store.statistics.optimisticUpdates == 0)
  }

  @Test(
    "a refused mutation returns the server's error, and the store is restored exactly",
    arguments: ScenarioServer.available)
  func refused(server: ScenarioServer) async throws {
    let loaded = try await Loaded(server)
    let before = loaded.dumps
    var rows = loaded.environment.observe(loaded.row).makeAsyncIterator()
    _ = await rows.next()
    let behaviour = Behaviour(outcome: .some(.fail), gate: .some("g"))
    let commit = Task { try await loaded.update("Nobody allows this", behaviour) }
    #expect(await rows.next()?.data?.title == "Nobody allows this")
    #expect(loaded.dumps != before)
    try await loaded.environment.commit(OpenGateMutation(name: "g"))
    let snapshot = try await commit.value
    #expect(snapshot.data != nil && snapshot.data?.updateTask == nil)
    #expect(snapshot.responseErrors.map(\.message) == ["The server was told to refuse this."])
    #expect(snapshot.responseErrors.map(\.path) == [["updateTask"]])
    #expect(await rows.next()?.data?.title == "Oil the mill")
    #expect(loaded.dumps == before)
  }

  @Test(
    "a mutation that fails as a whole throws, and the store is restored exactly",
    arguments: ScenarioServer.available)
  func failed(server: ScenarioServer) async throws {
    let loaded = try await Loaded(server)
    let before = loaded.dumps
    var rows = loaded.environment.observe(loaded.row).makeAsyncIterator()
    _ = await rows.next()
    let input = UpdateTaskInput(id: Self.id, title: .some("Lost"))
    let commit = Task {
      try await loaded.environment.commit(
        UpdateAndFailMutation(input: input, gate: "g"),
        optimisticResponse: .init(
          openGate: true, updateTask: .init(task: .init(id: Self.id, title: "Lost"))))
    }
    #expect(await rows.next()?.data?.title == "Lost")
    try await loaded.environment.commit(OpenGateMutation(name: "g"))
    let failure = await #expect(throws: RelayError.self) { try await commit.value }
    #expect(failure?.code == .graphQL)
    #expect(failure?.operationName == "UpdateAndFailMutation")
    #expect(failure?.path == ["openGate"])
    #expect(failure?.errors.map(\.message) == ["A gate needs a name."])
    #expect(await rows.next()?.data?.title == "Oil the mill")
    #expect(loaded.dumps == before)
  }

  @Test(
    "a mutation refused by a rule of the server is rolled back", arguments: ScenarioServer.available
  )
  func rule(server: ScenarioServer) async throws {
    let loaded = try await Loaded(server)
    let before = loaded.dumps
    let snapshot = try await loaded.update("  ")
    #expect(snapshot.responseErrors.map(\.message) == ["A task needs a title."])
    #expect(loaded.dumps == before)
  }

  @Test(
    "a null payload without an error is data, and the optimistic change is rolled back",
    arguments: ScenarioServer.available)
  func nullPayload(server: ScenarioServer) async throws {
    let loaded = try await Loaded(server)
    let snapshot = try await loaded.update("Not kept", Behaviour(outcome: .some(.nullPayload)))
    #expect(snapshot.data != nil && snapshot.data?.updateTask == nil)
    #expect(loaded.title == "Oil the mill" && !loaded.isOptimistic)
  }

  @Test(
    "data with an error is written, and the error is returned", arguments: ScenarioServer.available)
  func partial(server: ScenarioServer) async throws {
    let loaded = try await Loaded(server)
    let snapshot = try await loaded.update("Kept", Behaviour(outcome: .some(.partial)))
    #expect(snapshot.data?.updateTask?.task.title == "Kept")
    #expect(snapshot.data?.updateTask?.warning == nil)
    #expect(snapshot.responseErrors.map(\.path) == [["updateTask", "warning"]])
    #expect(loaded.title == "Kept" && !loaded.isOptimistic)
  }

  @Test(
    "a cancelled mutation throws, and the store is restored exactly",
    arguments: ScenarioServer.available)
  func cancelled(server: ScenarioServer) async throws {
    let loaded = try await Loaded(server)
    let before = loaded.dumps
    var rows = loaded.environment.observe(loaded.row).makeAsyncIterator()
    _ = await rows.next()
    let commit = Task { try await loaded.update("Too late", Behaviour(gate: .some("never"))) }
    #expect(await rows.next()?.data?.title == "Too late")
    commit.cancel()
    await #expect(throws: CancellationError.self) { try await commit.value }
    #expect(await rows.next()?.data?.title == "Oil the mill")
    #expect(loaded.dumps == before)
  }

  @Test(
    "a mutation that is refused while another is in flight leaves the other in place",
    arguments: ScenarioServer.available)
  func two(server: ScenarioServer) async throws {
    let loaded = try await Loaded(server)
    var rows = loaded.environment.observe(loaded.row).makeAsyncIterator()
    _ = await rows.next()
    let first = Task { try await loaded.update("First", Behaviour(gate: .some("first"))) }
    #expect(await rows.next()?.data?.title == "First")
    let refusal = Behaviour(outcome: .some(.fail), gate: .some("second"))
    let second = Task { try await loaded.update("Second", refusal) }
    #expect(await rows.next()?.data?.title == "Second")
    try await loaded.environment.commit(OpenGateMutation(name: "second"))
    #expect(try await second.value.responseErrors.count == 1)
    #expect(loaded.title == "First" && loaded.isOptimistic)
    try await loaded.environment.commit(OpenGateMutation(name: "first"))
    _ = try await first.value
    #expect(loaded.title == "First" && !loaded.isOptimistic)
  }

  @Test(
    "null clears a field, an absent input leaves it, and values of every kind are sent",
    arguments: ScenarioServer.available)
  func nullable(server: ScenarioServer) async throws {
    let environment = try await server.environment()
    let input = UpdateTaskInput(
      id: "VGFzazox", notes: .null, status: .some(.inProgress), estimate: .some(0.5),
      dueAt: .some("2026-04-01T08:00:00+00:00"), assigneeId: .some("VGVhbToy"))
    let first = try await environment.commit(UpdateTaskMutation(input: input))
    let task = try #require(first.data?.updateTask?.task)
    #expect(task.title == "Punch the operation cards")
    #expect(task.notes == nil && task.status == .inProgress && !task.isComplete)
    #expect(task.estimate == 0.5 && task.dueAt == "2026-04-01T08:00:00+00:00")
    #expect(task.assignee?.name == "Runtime" && task.assignee?.__typename == "Team")
    let clearing = UpdateTaskInput(id: "VGFzazox", estimate: .null, dueAt: .null, assigneeId: .null)
    let cleared = try await environment.commit(UpdateTaskMutation(input: clearing))
    let after = try #require(cleared.data?.updateTask?.task)
    #expect(after.estimate == nil && after.dueAt == nil && after.assignee == nil)
    #expect(after.status == .inProgress)
  }

  @Test(
    "an added task is in the store, and in the server's next page",
    arguments: ScenarioServer.available)
  func adding(server: ScenarioServer) async throws {
    let environment = try await server.environment()
    let input = AddTaskInput(
      projectId: "UHJvamVjdDox", title: "Weave \"algebraical\" patterns 🧵", priority: .some(.low),
      labels: .some(["quick", "docs"]))
    let added = try #require(
      try await environment.commit(AddTaskMutation(input: input)).data?.addTask)
    #expect(added.task.labels.map(\.name) == ["quick win", "docs"])
    #expect(added.project.taskCount == 9)
    #expect(added.edge.node.id == added.task.id)
    let row = environment.read(added.task.fragments.taskRow_task).data
    #expect(row?.title == "Weave \"algebraical\" patterns 🧵" && row?.priority == .low)
    let page = try await environment.fetch(TaskPageQuery(first: 20)).data?.tasks
    #expect(page?.edges.last?.node.id == added.task.id)
    #expect(page?.edges.count == 13)
  }
}
