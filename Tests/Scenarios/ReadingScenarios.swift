import RelayStore
import Testing

@Suite("Scenarios: reading", .timeLimit(.minutes(1)), .checksForLeaks)
struct ReadingScenarios {
  private static let task1 = "VGFzazox"
  private static let task4 = "VGFzazo0"

  @Test("the data of a first load can be read from the store", arguments: ScenarioServer.available)
  func load(server: ScenarioServer) async throws {
    let environment = try await server.environment()
    #expect(environment.read(ViewerQuery()).isMissingData)
    let fetched = try await environment.fetch(ViewerQuery())
    let viewer = try #require(fetched.data?.viewer)
    #expect(viewer.name == "Ada Lovelace")
    #expect(viewer.email == "ada@example.org")
    #expect(viewer.role == .admin)
    #expect(fetched.responseErrors.isEmpty)
    #expect(environment.read(ViewerQuery()) == fetched)
    let badge = environment.read(viewer.fragments.assigneeBadge_assignee)
    #expect(badge.data?.name == "Ada Lovelace")
    #expect(badge.data?.__typename == "User")
  }

  @Test(
    "pages with different arguments are stored side by side",
    arguments: ScenarioServer.available)
  func pages(server: ScenarioServer) async throws {
    let environment = try await server.environment()
    var ids: [String] = []
    var cursor: GraphQLNullable<String> = .none
    var queries: [TaskPageQuery] = []
    for _ in 0..<4 {
      let query = TaskPageQuery(first: 5, after: cursor)
      let tasks = try #require(try await environment.fetch(query).data?.tasks)
      ids += tasks.edges.map(\.node.id)
      queries.append(query)
      guard tasks.pageInfo.hasNextPage, let end = tasks.pageInfo.endCursor else { break }
      cursor = .some(end)
    }
    #expect(queries.count == 3)
    #expect(ids.count == 12 && Set(ids).count == 12)
    let counts = queries.map { environment.read($0).data?.tasks.edges.count }
    #expect(counts == [5, 5, 2])
    #expect(environment.read(TaskPageQuery(first: 6)).isMissingData)
  }

  @Test("enums and input objects filter a list", arguments: ScenarioServer.available)
  func inputs(server: ScenarioServer) async throws {
    let environment = try await server.environment()
    let filter = TaskFilter(status: .some([.todo, .inProgress]), priority: .some(.high))
    let byTitle = TaskPageQuery(first: 10, filter: .some(filter), orderBy: .title)
    let titles = try await environment.fetch(byTitle).data?.tasks.edges.map(\.node.title)
    #expect(titles == ["Find the moth", "Publish Note G", "Wire the diagonal board"])
    let unassigned = TaskPageQuery(
      first: 10, filter: .some(TaskFilter(status: .null, onlyUnassigned: .some(true))))
    let edges = try await environment.fetch(unassigned).data?.tasks.edges
    #expect(edges?.map(\.node.title) == ["Straighten the carry lever", "Rewind the drums"])
  }

  @Test("fragments of two queries show the same record", arguments: ScenarioServer.available)
  func fragments(server: ScenarioServer) async throws {
    let environment = try await server.environment()
    let list = try await environment.fetch(TaskPageQuery(first: 1))
    let detail = try await environment.fetch(TaskDetailQuery(id: Self.task1))
    let inList = try #require(list.data?.tasks.edges.first?.node.fragments.taskRow_task)
    let inDetail = try #require(detail.data?.task?.fragments.taskRow_task)
    let row = environment.read(inList)
    #expect(environment.read(inDetail).data?.title == row.data?.title)
    #expect(row.data?.title == "Punch the operation cards")
    #expect(row.data?.status == .done && row.data?.isComplete == true)
    #expect(row.data?.estimate == 2.5)
    let badge = try #require(row.data?.assignee?.fragments.assigneeBadge_assignee)
    #expect(environment.read(badge).data?.id == "VXNlcjox")
  }

  @Test(
    "objects of interfaces and unions are read by their concrete types",
    arguments: ScenarioServer.available)
  func abstractTypes(server: ScenarioServer) async throws {
    let environment = try await server.environment()
    let first = try #require(
      try await environment.fetch(TaskDetailQuery(id: Self.task1)).data?.task)
    #expect(first.assignee?.asUser?.role == .admin)
    #expect(first.assignee?.asTeam == nil)
    #expect(first.activity.map(\.__typename) == ["Comment", "StatusChange"])
    #expect(first.activity.first?.asComment?.author.name == "Grace Hopper")
    #expect(first.activity.last?.asStatusChange?.from == .todo)
    #expect(first.activity.last?.asStatusChange?.by.name == "Ada Lovelace")
    let fourth = try #require(
      try await environment.fetch(TaskDetailQuery(id: Self.task4)).data?.task)
    #expect(fourth.assignee?.asTeam?.members.map(\.name) == ["Ada Lovelace", "Grace Hopper"])
    #expect(fourth.assignee?.asUser == nil)

    let found = try await environment.fetch(SearchQuery(text: "an")).data?.search
    let users = found?.compactMap(\.asUser?.name)
    #expect(users == ["Alan Turing"])
    #expect(found?.contains { $0.asProject?.name == "Analytical Engine" } == true)
    #expect(found?.allSatisfy { $0.asNode != nil } == true)
  }

  @Test(
    "a node of any type is found by its id, and an unknown id is null",
    arguments: ScenarioServer.available)
  func nodes(server: ScenarioServer) async throws {
    let environment = try await server.environment()
    let user = try await environment.fetch(NodeQuery(id: "VXNlcjo0")).data?.node
    #expect(user?.asAssignee?.name == "Émilie du Châtelet")
    #expect(user?.asTask == nil)
    let task = try await environment.fetch(NodeQuery(id: Self.task4)).data?.node
    let row = try #require(task?.asTask?.fragments.taskRow_task)
    #expect(environment.read(row).data?.title == "Find the moth")
    let gone = try await environment.fetch(NodeQuery(id: "VGFzazo5OQ=="))
    #expect(gone.data != nil && gone.data?.node == nil && !gone.isMissingData)
  }

  @Test(
    "custom scalars are sent and received unchanged", arguments: ScenarioServer.available
  )
  func scalars(server: ScenarioServer) async throws {
    let environment = try await server.environment()
    let query = DueQuery(time: "2026-01-20T00:00:00+00:00")
    let due = try await environment.fetch(query).data?.dueBefore
    #expect(due?.map(\.dueAt) == ["2026-01-12T17:00:00+00:00"])
    let detail = try await environment.fetch(TaskDetailQuery(id: Self.task1)).data?.task
    #expect(detail?.createdAt == "2026-01-05T09:00:00+00:00")
    #expect(detail?.labels.map(\.name) == ["docs"])
    #expect(detail?.project.taskCount == 2)
  }

  @Test(
    "field errors have their paths, and null propagates to the nearest nullable field",
    arguments: ScenarioServer.available)
  func errors(server: ScenarioServer) async throws {
    let environment = try await server.environment()
    let snapshot = try await environment.fetch(FaultsQuery())
    let faults = try #require(snapshot.data?.faults)
    #expect(snapshot.data?.viewer.name == "Ada Lovelace")
    #expect(faults.message == "still here")
    #expect(faults.nullable == nil)
    #expect(faults.child == nil)
    #expect(faults.items.map { $0?.value } == ["item 0", nil, "item 2"])
    #expect(faults.strictItems == nil)
    #expect(
      Set(snapshot.responseErrors.map(\.path.description)) == [
        "faults.nullable", "faults.child.hole", "faults.items[1].value",
        "faults.strictItems[1].value",
      ])
    #expect(
      snapshot.responseErrors.contains { $0.message == "The nullable field is broken." })
    #expect(!snapshot.errors.isEmpty)
  }
}
