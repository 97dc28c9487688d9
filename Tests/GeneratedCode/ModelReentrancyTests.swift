import Observation
import RelayStore
import RelayStoreTesting
import Testing

@MainActor
@Suite("Models changed by a view that is being notified", .timeLimit(.minutes(1)))
struct ModelReentrancyTests {
  private let server = MockTransport()
  private let environment: RelayEnvironment

  init() throws {
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: server)
    for id in ["1", "2", "3"] {
      try environment.commitPayload(FollowersQuery(id: id), data: data(id, "name \(id)"))
    }
  }

  private func data(_ id: String, _ name: String) -> JSONValue {
    ["person": ["id": .string(id), "name": .string(name), "followers": nil]]
  }

  private func rename(_ id: DataID, _ name: String) throws {
    try environment.commitUpdate { try $0[id]?.setValue(name, for: "name") }
  }

  /// Calls `action` once, before the first change of a property that `read` reads.
  private func beforeChange(
    of read: @MainActor @Sendable () -> Void,
    _ action: @escaping @MainActor @Sendable () throws -> Void
  ) {
    let isDone = Locked(false)
    withObservationTracking {
      read()
    } onChange: {
      // `Observation` calls this closure again if it changes the property.
      if isDone.withLock({ $0 }) { return }
      isDone.withLock { $0 = true }
      MainActor.assumeIsolated {
        do { try action() } catch { Issue.record(error) }
      }
    }
  }

  private func person(_ id: DataID) -> FragmentRef<Follower_person> { FragmentRef(id: id) }

  @Test("the reference that is shown inside of a change is the newest, whichever property changes")
  func showInside() throws {
    let model = FragmentModel(person("1"), in: environment)
    let reads: [@MainActor @Sendable () -> Void] = [
      { _ = model.reference }, { _ = model.data }, { _ = model.snapshot },
    ]
    for read in reads {
      model.show(person("1"))
      beforeChange(of: read) { model.show(person("3")) }
      model.show(person("2"))
      #expect(model.reference == person("3") && model.data?.name == "name 3")
      try rename("3", "new")
      #expect(model.data?.name == "new")
      try rename("3", "name 3")
    }
  }

  @Test("a commit inside of a fragment model's change is the newest, and later ones arrive")
  func commitInside() throws {
    let model = FragmentModel(person("1"), in: environment)
    let reads: [@MainActor @Sendable () -> Void] = [
      { _ = model.data }, { _ = model.snapshot },
    ]
    for read in reads {
      beforeChange(of: read) { try rename("1", "inner") }
      try rename("1", "outer")
      #expect(model.data?.name == "inner")
      try rename("1", "later")
      #expect(model.data?.name == "later")
    }
    beforeChange(of: { _ = model.data }) { try rename("2", "inner") }
    model.show(person("2"))
    #expect(model.reference == person("2") && model.data?.name == "inner")
  }

  @Test("a commit inside of a query model's load is in its data, with the query it belongs to")
  func commitInsideLoad() throws {
    let model = QueryModel(FollowersQuery(id: "1"), in: environment, policy: .storeOnly)
    let reads: [@MainActor @Sendable () -> Void] = [
      { _ = model.query }, { _ = model.data }, { _ = model.state },
    ]
    for (position, read) in reads.enumerated() {
      model.load(FollowersQuery(id: "1"))
      // The first load has had more states than the second one will have.
      for number in 0..<9 { try rename("1", "\(number)") }
      beforeChange(of: read) { try rename("2", "inner \(position)") }
      model.load(FollowersQuery(id: "2"))
      #expect(model.query.id == "2" && model.data?.person?.name == "inner \(position)")
      try rename("2", "later \(position)")
      #expect(model.data?.person?.name == "later \(position)")
    }
  }

  @Test("a refetch inside of a query model's load is loading, and its response is shown")
  func refetchInsideLoad() async throws {
    let model = QueryModel(FollowersQuery(id: "1"), in: environment)
    beforeChange(of: { _ = model.query }) { model.refetch() }
    begin { model.load(FollowersQuery(id: "2")) }
    #expect(model.query.id == "2" && model.isLoading && model.data?.person?.name == "name 2")
    try await server.next().resolve(data: data("2", "fetched"))
    try await environment.settle()
    #expect(!model.isLoading && model.data?.person?.name == "fetched")
  }

  @Test("a load inside of a query model's load is the one that is shown")
  func loadInsideLoad() throws {
    let model = QueryModel(FollowersQuery(id: "1"), in: environment, policy: .storeOnly)
    beforeChange(of: { _ = model.data }) { model.load(FollowersQuery(id: "3")) }
    model.load(FollowersQuery(id: "2"))
    #expect(model.query.id == "3" && model.data?.person?.name == "name 3")
    try rename("3", "new")
    #expect(model.data?.person?.name == "new")
    try rename("2", "other")
    #expect(model.query.id == "3" && model.data?.person?.name == "new")
  }
}
