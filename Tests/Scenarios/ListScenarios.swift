import RelayNetwork
import RelayStore
import RelayStoreTesting
import Testing

@Suite("Scenarios: lists and files", .timeLimit(.minutes(1)), .checksForLeaks)
struct ListScenarios {
  private static let project = "UHJvamVjdDox"

  private func titles(_ list: Pagination<ProjectTasks_project>) -> [String] {
    list.data?.tasks.nodes.map(\.title) ?? []
  }

  @Test(
    "a list loads page by page, other arguments are a separate list, and everything is released",
    arguments: ScenarioServer.available)
  func pages(server: ScenarioServer) async throws {
    let environment = try await server.environment()
    do {
      let data = try await environment.fetch(ProjectQuery(id: Self.project)).data
      let project = try #require(data?.project)
      let list = environment.paginate(project.fragments.projectTasks_project)
      #expect(titles(list).count == 3 && list.hasNext)
      try await list.loadNext(4)
      #expect(titles(list).count == 7 && list.hasNext)
      try await list.loadNext(4)
      #expect(titles(list).count == 8 && !list.hasNext)
      #expect(Set(titles(list)).count == 8)
      let created = titles(list)
      try await list.refetch {
        $0.order = .title
        $0.count = 20
      }
      #expect(titles(list) == created.sorted() && !list.hasNext)
      #expect(environment.connections("ProjectTasks_tasks").count == 2)
    }
    try await environment.settle()
    #expect(environment.liveResources.operations == 0 && environment.liveResources.observers == 0)
    #expect(environment.liveResources.optimisticUpdates == 0)
  }

  @Test(
    "a record that a mutation adds appears in the list, and one that a mutation deletes is removed",
    arguments: ScenarioServer.available)
  func edges(server: ScenarioServer) async throws {
    let environment = try await server.environment()
    let data = try await environment.fetch(ProjectQuery(id: Self.project)).data
    let project = try #require(data?.project)
    let list = environment.paginate(project.fragments.projectTasks_project)
    let lists = environment.connections("ProjectTasks_tasks", of: DataID(Self.project))
      .map(\.rawValue)
    let before = titles(list)
    let input = AddTaskInput(projectId: Self.project, title: "Count the teeth")
    try await environment.commit(AppendTaskMutation(input: input, lists: lists))
    #expect(titles(list) == before + ["Count the teeth"])
    let added = try #require(list.data?.tasks.nodes.last?.id)
    try await environment.commit(
      DeleteTaskMutation(id: added, lists: lists),
      optimisticResponse: .init(deleteTask: .init(deletedId: added)))
    #expect(titles(list) == before)
    await #expect(throws: Never.self) {
      try await environment.commit(DeleteTaskMutation(id: added, lists: lists))
    }
    #expect(titles(list) == before && environment.liveResources.optimisticUpdates == 0)
  }

  @Test("files are uploaded completely, each at its path", arguments: ScenarioServer.available)
  func uploads(server: ScenarioServer) async throws {
    let environment = try await server.environment()
    let bytes = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let contents = [bytes, Array("--boundary\r\n\r\n".utf8), []]
    let files = [
      Upload(contents[0], fileName: "gear \"A\".png", contentType: "image/png"),
      Upload(contents[1], fileName: "ü.txt", contentType: "text/plain"),
      Upload(contents[2], fileName: "empty"),
    ]
    let attached = try await environment.commit(AttachMutation(files: files)).data?.attach
    #expect(attached?.map(\.size) == contents.map(\.count))
    #expect(attached?.map(\.sum) == contents.map { $0.reduce(0) { $0 + Int($1) } })
    #expect(attached?.map(\.contentType) == files.map(\.contentType))
    #expect(attached?.last?.name == "empty" && attached?[1].name == "ü.txt")
    try await environment.settle()
    #expect(environment.liveResources.operations == 0)
  }

  @Test(
    "a persisted query is sent by its hash in a GET request, and its text at most once",
    arguments: ScenarioServer.available)
  func persisted(server: ScenarioServer) async throws {
    let methods = Methods()
    func environment(_ transport: some Transport) -> RelayEnvironment {
      RelayEnvironment(
        transport: transport.intercepting { request, next in
          let response = try await next.execute(request)
          await methods.add(
            "\(response.headers["x-method"] ?? "none")\(request.includesText ? " text" : "")")
          return response
        }.persistingQueries())
    }
    var environments: [RelayEnvironment] = []
    switch server {
    case .schemaServer:
      let transport = try await server.transport()
      environments = [
        RelayEnvironment(
          transport: transport.intercepting { try await $1.execute($0) }.persistingQueries())
      ]
    case .python:
      var transport = try await PythonServer.shared().transport()
      transport.usesGETForPersistedQueries = true
      environments = [environment(transport), environment(transport)]
    }
    // No other test sends this document, so the server cannot have it yet.
    let query = ProjectQuery(id: Self.project)
    for environment in environments {
      _ = await environment.checkedForLeaks
      #expect(try await environment.fetch(query).data?.project?.name == "Analytical Engine")
      #expect(try await environment.fetch(query).data?.project?.name == "Analytical Engine")
    }
    guard server == .python else { return }
    let all = await methods.all
    #expect(all.suffix(3) == ["GET", "GET", "GET"], "\(all)")
    #expect(all.filter { $0 == "POST text" }.count <= 1, "\(all)")
  }
}

/// The methods of the requests sent, in order.
private actor Methods {
  private(set) var all: [String] = []

  func add(_ method: String) { all.append(method) }
}
