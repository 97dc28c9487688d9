import Observation
import RelayLocalQueries
@_spi(GeneratedCode) import RelayStore
import RelayStoreTesting
import Testing

/// A fragment, in the form that relay-compiler generates.
private struct StoredUser: GraphQLFragment {
  static let __plan = SelectionPlan("StoredUser User{id ID! name String}")
  let __row: Row
  var name: String? { __row[1] }
}

@Suite("Storage: local queries", .timeLimit(.minutes(1)))
struct LocalQueryLoadingTests {
  private let memory = MemoryPersistence()
  private let query = LocalQuery(StoredUser.self)

  private func environment(_ persistence: Persistence) -> RelayEnvironment {
    RelayEnvironment(
      store: RecordStore(
        configuration: .init(garbageCollection: .manual, persistence: persistence)),
      transport: NoTransport())
  }

  private func write(_ id: String, to environment: RelayEnvironment) throws {
    try environment.commitUpdate { store in
      let user = try store.create(DataID(id), type: "User")
      try user.setValue(.string(id), for: "id")
      try user.setValue(.string("name \(id)"), for: "name")
    }
  }

  @Test(
    "a result is not loaded until the records are, and then has those of earlier runs",
    arguments: [true, false])
  func loading(isStored: Bool) async throws {
    if isStored {
      let earlier = environment(memory.persistence)
      for number in 1...500 { try write("\(number)", to: earlier) }
      try await earlier.store.suspend()
    }
    let gate = GatedPersistence(memory)
    let environment = environment(gate.persistence)
    try write("new", to: environment)
    #expect(environment.read(query).isNotLoaded && environment.read(query).rows.count == 1)
    let model = await environment.model(query)
    #expect(await model.isNotLoaded)
    var iterator = environment.observe(query).makeAsyncIterator()
    let first = try #require(await iterator.next())
    #expect(first.isNotLoaded && first.rows.map(\.data.name) == ["name new"])
    gate.open()
    let second = try #require(await iterator.next())
    #expect(!second.isNotLoaded && second.rows.count == (isStored ? 501 : 1))
    #expect(second.changes?.insertions.count == (isStored ? 500 : 0))
    await environment.store.loaded()
    #expect(environment.read(query).rows == second.rows)
    try write("newer", to: environment)
    #expect(await iterator.next()?.rows.count == second.rows.count + 1)
    await MainActor.run { _ = model }
  }

  @MainActor @Test("models notify views when the records are loaded, although no row has changed")
  func models() async throws {
    let gate = GatedPersistence(memory)
    let environment = environment(gate.persistence)
    let model = environment.model(query)
    let sections = environment.model(query, sectionedBy: { $0.name ?? "" })
    #expect(model.isNotLoaded && sections.isNotLoaded)
    let notified = Locked(0, rank: .leaf)
    for read in [{ _ = model.isNotLoaded }, { _ = sections.isNotLoaded }] {
      withObservationTracking(read) { notified.withLock { $0 += 1 } }
    }
    gate.open()
    await environment.store.loaded()
    try await environment.settle()
    #expect(!model.isNotLoaded && !sections.isNotLoaded)
    #expect(notified.withLock { $0 } == 2)
  }
}
