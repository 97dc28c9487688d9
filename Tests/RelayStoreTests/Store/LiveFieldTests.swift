@_spi(GeneratedCode) import RelayStore
import RelayStoreTesting
import Testing

@Suite("Live derived fields", .timeLimit(.minutes(1)))
struct LiveFieldTests {
  private let fixture: LiveFieldFixture
  private let environment: RelayEnvironment
  private let presence: Presence
  private let row: FragmentRef<LiveUserRow>

  init() throws {
    fixture = try LiveFieldFixture()
    (environment, presence, row) = (fixture.environment, fixture.presence, fixture.row)
  }

  @Test("a sequence is made once for a record, however many observers depend on the field")
  func once() async throws {
    let (first, second) = (Locked<[String?]>([]), Locked<[String?]>([]))
    let observations = [fixture.observe("1", first), fixture.observe("1", second)]
    let query = environment.readAndObserve(LiveUserQuery(id: "1")) { _ in }
    try await environment.settle()
    #expect(presence.made == ["1 Ann"] && environment.store.statistics.liveFields == 1)
    presence.send("here", to: "1")
    try await eventually([["here"], ["here"]]) { [first.withLock { $0 }, second.withLock { $0 }] }
    #expect(environment.read(LiveUserQuery(id: "1")).data?.status == "here")
    presence.send("gone", to: "1")
    try await eventually(["here", "gone"]) { first.withLock { $0 } }
    #expect(presence.made == ["1 Ann"])
    withExtendedLifetime((observations, query)) {}
  }

  @Test("the fields of one observer are all started, and end in the order of their records")
  func order() async throws {
    let (made, waiting, ended) = (Locked<[String]>([]), Locked(0), Locked<[String]>([]))
    environment.derive("User.status") { (user: LiveUserName) in
      made.withLock { $0.append(user.id) }
      let (silent, continuation) = AsyncStream<String>.makeStream()
      return AsyncStream {
        waiting.withLock { $0 += 1 }
        defer { withExtendedLifetime(continuation) {} }
        return await silent.first { _ in true }
      } onCancel: {
        ended.withLock { $0.append(user.id) }
      }
    }
    let ids = (10..<50).map(String.init)
    for id in ids { try fixture.write("Ann", id: id) }
    let observation = environment.observe(
      ids.map { FragmentRef<LiveUserRow>(id: DataID($0)) }
    ) { _ in }
    // An iteration that is cancelled before it waits ends when its task comes to it.
    try await eventually(ids.count) { waiting.withLock { $0 } }
    // Two threads may make them.
    #expect(made.withLock { $0.sorted() } == ids)
    observation.cancel()
    try await eventually(ids) { ended.withLock { $0 } }
  }

  @Test("reading without observing makes no sequence, and has the value that observers have")
  func reading() async throws {
    #expect(environment.read(row).data?.status == nil)
    let records = environment.store.statistics.records
    try await environment.settle()
    #expect(presence.made.isEmpty && environment.store.statistics.records == records)
    let statuses = Locked<[String?]>([])
    let observation = fixture.observe("1", statuses)
    try await environment.settle()
    presence.send("here", to: "1")
    try await eventually("here") { environment.read(row).data?.status }
    observation.cancel()
    #expect(environment.read(row).data?.status == nil)
  }

  @Test("before the first value a nullable field is null, and a non-null one is missing")
  func pending() async throws {
    environment.derive("User.score") { [presence] (user: LiveUserName) in
      presence.scores(for: user.id)
    }
    let score = FragmentRef<LiveUserScore>(id: "1")
    let observed = environment.readAndObserve(row) { _ in }
    #expect(observed.snapshot.data?.status == nil && observed.snapshot.data != nil)
    #expect(observed.snapshot.missing.isEmpty && observed.snapshot.errors.isEmpty)
    var scores = environment.observe(score).makeAsyncIterator()
    let first = await scores.next()
    #expect(first?.data == nil && first?.missing == [["score"]] && first?.errors.isEmpty == true)
    try await environment.settle()
    presence.sendScore(7, to: "1")
    #expect(await scores.next()?.data?.score == 7)
    withExtendedLifetime(observed) {}
  }

  @Test("the sequence is cancelled when the last observation ends, and not before")
  func cancellation() async throws {
    let statuses = Locked<[String?]>([])
    let first = fixture.observe("1", statuses)
    var iterator: Snapshots<LiveUserRow>.Iterator? = environment.observe(row).makeAsyncIterator()
    _ = await iterator?.next()
    try await environment.settle()
    #expect(environment.liveResources.liveFieldNames == ["User.status of 1"])
    #expect("\(environment.liveResources)".contains("live fields: User.status of 1"))
    #expect(environment.store.statistics.isEmpty == false)
    first.cancel()
    #expect(environment.store.statistics.liveFields == 1 && presence.ended.isEmpty)
    iterator = nil
    #expect(environment.store.statistics.liveFields == 0)
    try await eventually(["1 Ann"]) { presence.ended }
    #expect(environment.liveResources.isEmpty && environment.store.statistics.isEmpty)
  }

  @Test("an observation that ends before its sequence was made leaves nothing")
  func immediateEnd() async throws {
    for _ in 0..<200 { environment.observe(row) { _ in }.cancel() }
    try await environment.settle()
    try await eventually(0) { presence.made.count - presence.ended.count }
    #expect(environment.liveResources.isEmpty)
  }

  @Test("a handle that an updater drops ends the sequence after the updater")
  func endInUpdater() async throws {
    let handle = Locked<ObservationHandle?>(environment.observe(row) { _ in })
    try await environment.settle()
    try environment.commitUpdate { _ in handle.withLock { $0 = nil } }
    try await eventually(["1 Ann"]) { presence.ended }
    #expect(environment.store.statistics.isEmpty)
  }

  @Test("the next observation after the last one has ended makes a sequence again")
  func again() async throws {
    let statuses = Locked<[String?]>([])
    for count in 1...3 {
      let observation = fixture.observe("1", statuses)
      try await environment.settle()
      presence.send("\(count)", to: "1")
      try await eventually(count) { statuses.withLock { $0.count } }
      observation.cancel()
    }
    #expect(statuses.withLock { $0 } == ["1", "2", "3"] && presence.made.count == 3)
  }

  // MARK: Values

  @Test("equal values deliver nothing")
  func equal() async throws {
    let statuses = Locked<[String?]>([])
    let observation = fixture.observe("1", statuses)
    try await environment.settle()
    for status in ["a", "a", "b", "b", "a"] { presence.send(status, to: "1") }
    try await eventually(3) { statuses.withLock { $0.count } }
    presence.finish("1")
    try await eventually(0) { environment.store.statistics.liveFields }
    #expect(statuses.withLock { $0 } == ["a", "b", "a"])
    withExtendedLifetime(observation) {}
  }

  @Test("observers of the record that do not read the field are not notified")
  func others() async throws {
    let (statuses, names) = (Locked<[String?]>([]), Locked(0))
    let observations = [
      fixture.observe("1", statuses),
      environment.observe(FragmentRef<LiveUserName>(id: "1")) { _ in names.withLock { $0 += 1 } },
    ]
    try await environment.settle()
    presence.send("here", to: "1")
    try await eventually(["here"]) { statuses.withLock { $0 } }
    #expect(names.withLock { $0 } == 0)
    withExtendedLifetime(observations) {}
  }

  @Test("a sequence that ends keeps its last value, and is not made again meanwhile")
  func completion() async throws {
    let statuses = Locked<[String?]>([])
    let observation = fixture.observe("1", statuses)
    try await environment.settle()
    presence.send("here", to: "1")
    presence.finish("1")
    try await eventually(0) { environment.store.statistics.liveFields }
    let other = fixture.observe("1", statuses)
    try environment.commitUpdate { try $0["1"]?.setValue(3, for: "age") }
    #expect(environment.read(row).data?.status == "here")
    #expect(statuses.withLock { $0 } == ["here"] && presence.made.count == 1)
    withExtendedLifetime((observation, other)) {}
  }

  @Test("a sequence that throws gives the field an error, and its last value is gone")
  func failure() async throws {
    var snapshots = environment.observe(row).makeAsyncIterator()
    _ = await snapshots.next()
    try await environment.settle()
    presence.send("here", to: "1")
    #expect(await snapshots.next()?.data?.status == "here")
    presence.finish("1", throwing: RelayError(.transport, "lost"))
    let failed = await snapshots.next()
    #expect(failed?.data?.id == "1" && failed?.data?.status == nil)
    #expect(failed?.errors.map(\.kind) == [.derived] && failed?.errors.first?.path == ["status"])
    #expect(failed?.errors.first?.message.contains("\"User.status\" failed: lost") == true)
    #expect(environment.store.statistics.liveFields == 0)
  }

  @Test("a function that throws, and an element of another type, are errors of the field")
  func errors() async throws {
    try fixture.write("nobody", id: "2")
    var snapshots = environment.observe(FragmentRef<LiveUserRow>(id: "2")).makeAsyncIterator()
    // The sequence buffers only the newest snapshot, so the one without a value may be skipped.
    var failed = await snapshots.next()
    if failed?.errors.isEmpty == true { failed = await snapshots.next() }
    #expect(failed?.errors.first?.message.contains("failed: nobody is there") == true)
    environment.derive("User.status") { [presence] (user: LiveUserName) in
      presence.scores(for: user.id)
    }
    var others = environment.observe(row).makeAsyncIterator()
    _ = await others.next()
    try await environment.settle()
    presence.sendScore(1, to: "1")
    #expect(await others.next()?.errors.first?.message.contains("returned no String") == true)
  }

  @Test("another value of the fragment cancels the sequence and makes it anew")
  func fragmentChange() async throws {
    let statuses = Locked<[String?]>([])
    let observation = fixture.observe("1", statuses)
    try await environment.settle()
    presence.send("here", to: "1")
    try await eventually(["here"]) { statuses.withLock { $0 } }
    try fixture.write("Eve")
    #expect(statuses.withLock { $0 } == ["here", nil])
    try await eventually([["1 Ann"], ["1 Ann", "1 Eve"]]) { [presence.ended, presence.made] }
    #expect(environment.store.statistics.liveFields == 1)
    presence.send("late", to: "1", sequence: 0)
    presence.send("back", to: "1", sequence: 1)
    try await eventually(3) { statuses.withLock { $0.count } }
    #expect(statuses.withLock { $0 } == ["here", nil, "back"])
    try environment.commitUpdate { try $0["1"]?.setValue(3, for: "age") }
    try await environment.settle()
    #expect(presence.made.count == 2)
    withExtendedLifetime(observation) {}
  }

  @Test("an optimistic value of the fragment makes a sequence too, until it is reverted")
  func optimistic() async throws {
    let observation = environment.observe(row) { _ in }
    let update = try environment.applyUpdate { try $0["1"]?.setValue("Eve", for: "name") }
    update.revert()
    try await environment.settle()
    try await eventually(1) { presence.made.count - presence.ended.count }
    #expect(presence.made.count { $0 == "1 Ann" } == presence.ended.count { $0 == "1 Ann" } + 1)
    #expect(environment.store.statistics.liveFields == 1)
    observation.cancel()
    try await eventually(0) { presence.made.count - presence.ended.count }
  }

  @Test("neither the function nor the sequence runs while a lock is held")
  func unlocked() async throws {
    let environment = environment
    environment.derive("User.status") { [row] (user: LiveUserName) in
      try environment.commitUpdate { try $0["1"]?.setValue(1, for: "calls") }
      return AsyncStream<String> { continuation in
        _ = environment.read(row)
        continuation.onTermination = { _ in
          try? environment.commitUpdate { try $0["1"]?.setValue("Zoe", for: "name") }
        }
        continuation.yield("of \(user.name)")
      }
    }
    let statuses = Locked<[String?]>([])
    let observation = fixture.observe("1", statuses)
    try await eventually(["of Ann"]) { statuses.withLock { $0 } }
    observation.cancel()
    try await eventually("Zoe") { environment.read(FragmentRef<LiveUserName>(id: "1")).data?.name }
    #expect(environment.store.statistics.isEmpty)
  }

  @Test("of 10,000 values at once, an observer that is busy keeps the newest only")
  func flood() async throws {
    environment.derive("User.status") { (_: LiveUserName) in Numbers(count: 10_000) }
    var snapshots = environment.observe(row).makeAsyncIterator()
    try await eventually("9999") { environment.read(row).data?.status }
    var received: [String?] = []
    while received.last != "9999" { received.append(await snapshots.next()?.data?.status) }
    #expect(received.count <= 2)
  }
}
