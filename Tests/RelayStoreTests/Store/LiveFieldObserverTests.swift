import RelayStoreTesting
import Testing

@testable import InvariantChecks
@_spi(GeneratedCode) @testable import RelayStore

@Suite("Observers of live derived fields, and the store", .timeLimit(.minutes(1)))
struct LiveFieldObserverTests {
  private let fixture: LiveFieldFixture
  private let environment: RelayEnvironment
  private let presence: Presence
  private let row: FragmentRef<LiveUserRow>

  init() throws {
    fixture = try LiveFieldFixture()
    (environment, presence, row) = (fixture.environment, fixture.presence, fixture.row)
  }

  @Test("each element of a list has a sequence, which ends when the element leaves the list")
  func list() async throws {
    let ids = (1...300).map(String.init)
    func commit(_ ids: [String]) throws {
      let users = ids.map { id -> JSONValue in ["id": .string(id), "name": "U"] }
      try environment.commitPayload(LiveUsersQuery(), data: ["users": .array(users)])
    }
    try commit(ids)
    let newest = Locked<[String?]>([])
    let observation = environment.readAndObserve(LiveUsersQuery()) { snapshot in
      newest.withLock { $0 = snapshot.data?.statuses ?? [] }
    }
    #expect(environment.store.statistics.liveFields == 300)
    try await environment.settle()
    presence.send("here", to: "200")
    try await eventually(true) { newest.withLock { $0.count == 300 && $0[199] == "here" } }
    #expect(newest.withLock { $0.filter { $0 != nil } }.count == 1)
    #expect(environment.store.statistics.liveFields == 300 && presence.ended.isEmpty)
    try commit(ids.filter { $0 != "7" && $0 != "200" })
    #expect(environment.store.statistics.liveFields == 298)
    try await eventually(["7 U", "200 U"]) { Set(presence.ended) }
    try environment.commitUpdate { try $0.delete("8") }
    #expect(environment.store.statistics.liveFields == 297)
    observation.observation.cancel()
    #expect(environment.store.statistics.isEmpty)
    try await eventually(300) { presence.ended.count }
  }

  @Test("observations of several fragments depend on the field of each record")
  func plural() async throws {
    try fixture.write("Bob", id: "2")
    let references = [row, FragmentRef<LiveUserRow>(id: "2")]
    let statuses = Locked<[[String?]]>([])
    let observation = environment.observe(references) { snapshot in
      statuses.withLock { $0.append(snapshot.data?.map { $0?.status } ?? []) }
    }
    try await environment.settle()
    #expect(Set(presence.made) == ["1 Ann", "2 Bob"])
    presence.send("here", to: "2")
    try await eventually([[nil, "here"]]) { statuses.withLock { $0 } }
    observation.cancel()
    try await eventually(2) { presence.ended.count }
    #expect(environment.store.statistics.isEmpty)
  }

  @MainActor
  @Test("a model depends on the field until it is dropped")
  func model() async throws {
    var model: FragmentModel? = FragmentModel(row, in: environment)
    #expect(model?.data?.status == nil)
    try await environment.settle()
    presence.send("here", to: "1")
    try await eventually("here") { environment.read(row).data?.status }
    try await environment.settle()
    #expect(model?.data?.status == "here")
    model = nil
    #expect(environment.store.statistics.isEmpty)
    try await eventually(["1 Ann"]) { presence.ended }
  }

  @Test("a loaded query depends on the field until it is released")
  func load() async throws {
    let loaded = environment.load(LiveUserQuery(id: "1"), policy: .storeOnly)
    try await environment.settle()
    presence.send("here", to: "1")
    try await eventually("here") { loaded.state.data?.status }
    loaded.release()
    #expect(environment.store.statistics.liveFields == 0)
    try await eventually(["1 Ann"]) { presence.ended }
  }

  @Test("a derived field of a fragment with a live field follows it")
  func derivedFromLive() async throws {
    environment.derive("User.label") { (user: LiveUserRow) in "<\(user.status ?? "?")>" }
    var labels = environment.observe(FragmentRef<LiveUserLabel>(id: "1")).makeAsyncIterator()
    #expect(await labels.next()?.data?.label == "<?>")
    try await environment.settle()
    presence.send("here", to: "1")
    #expect(await labels.next()?.data?.label == "<here>")
  }

  @Test(
    "values that arrive while a batch is open are delivered at once, and the batch's change after")
  func batch() async throws {
    let statuses = Locked<[String?]>([])
    let observation = fixture.observe("1", statuses)
    try await environment.settle()
    try environment.batch {
      try fixture.write("Eve")
      // The observer has not been read again.
      #expect(presence.made == ["1 Ann"])
      presence.send("late", to: "1")
    }
    try await eventually([["1 Ann", "1 Eve"], ["1 Ann"]]) { [presence.made, presence.ended] }
    presence.send("new", to: "1", sequence: 1)
    try await eventually("new") { statuses.withLock { $0.last } }
    withExtendedLifetime(observation) {}
  }

  @Test("a reset cancels all sequences")
  func reset() async throws {
    let observation = environment.observe(row) { _ in }
    try await environment.settle()
    environment.reset()
    #expect(environment.store.statistics.liveFields == 0)
    try await eventually(["1 Ann"]) { presence.ended }
    try fixture.write("Ann")
    #expect(environment.store.statistics.liveFields == 1)
    withExtendedLifetime(observation) {}
  }

  @Test("another function for the field ends its sequences and makes new ones")
  func newFunction() async throws {
    let statuses = Locked<[String?]>([])
    let observation = fixture.observe("1", statuses)
    try await environment.settle()
    presence.send("old", to: "1")
    try await eventually(["old"]) { statuses.withLock { $0 } }
    environment.derive("User.status") { (_: LiveUserName) in Numbers(count: 1) }
    // The new sequence's value may arrive before null is delivered; in that case null is skipped.
    try await eventually("0") { statuses.withLock { $0.last } }
    try await eventually(["1 Ann"]) { presence.ended }
    environment.derive("User.status") { (user: LiveUserName) in user.name }
    try environment.commitUpdate { try $0["1"]?.setValue("Eve", for: "name") }
    #expect(statuses.withLock { $0.last } == "Eve" && environment.store.statistics.liveFields == 0)
    withExtendedLifetime(observation) {}
  }

  @Test("the collector keeps no record for a sequence, and an observed field survives it")
  func collection() async throws {
    let before = environment.store.statistics.records
    for replaces in [false, true] {
      environment.store.state.withLock { $0.collector.replacesTables = replaces }
      let statuses = Locked<[String?]>([])
      let observation = fixture.observe("1", statuses)
      environment.store.collectGarbage()
      try fixture.write("Bob", id: "2")
      try await environment.settle()
      presence.send("here", to: "1")
      try await eventually(["here"]) { statuses.withLock { $0 } }
      #expect(environment.store.checkInvariants() == nil)
      #expect(environment.read(row).data?.status == "here")
      observation.cancel()
    }
    environment.store.collectGarbage()
    #expect(environment.read(row).data == nil)
    #expect(environment.store.statistics.records < before)
    #expect(environment.store.checkInvariants() == nil)
    #expect(!environment.store.dump().contains("__live"))
  }

  @Test("the records of the observation do not include those of live fields")
  func seenRecords() async throws {
    let observed = environment.readAndObserve(row) { _ in }
    #expect(observed.snapshot.seenRecords == ["1"])
    withExtendedLifetime(observed) {}
  }

  @Test("a sequence does not keep the store")
  func release() async throws {
    var environment: RelayEnvironment? = RelayEnvironment(transport: MockTransport())
    environment?.derive("User.status") { [presence] (user: LiveUserName) in
      try presence.updates(for: user.id, named: user.name)
    }
    try environment?.commitPayload(
      LiveUserQuery(id: "1"), data: ["user": ["id": "1", "name": "Ann"]])
    var observation = environment?.observe(row) { _ in }
    try await environment?.settle()
    weak let store = environment?.store
    environment = nil
    #expect(store != nil)
    observation = nil
    try await eventually {
      store
    } is: {
      $0 == nil
    }
    try await eventually(["1 Ann"]) { presence.ended }
    _ = observation
  }
}
