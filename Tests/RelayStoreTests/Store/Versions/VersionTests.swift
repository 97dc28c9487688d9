import RelayStoreTesting
import Testing

@testable import RelayStore

@Suite("Published versions", .timeLimit(.minutes(1)))
struct VersionTests {
  @Test("a read does not wait for a thread that holds the store's lock")
  func noWaiting() throws {
    let test = TestStore()
    try VersionFixture.write(["1": "Ada"], in: test)
    let name = test.store.state.withLock { _ in
      VersionFixture.onThread { test.json(VersionFixture.user, id: "1")?["name"] }
    }
    #expect(name == .string("Ada"))
  }

  @Test("a read during an update shows the state before it, and one after it the new state")
  func duringUpdate() throws {
    let test = TestStore()
    try VersionFixture.write(["1": "Ada"], in: test)
    try test.environment.commitUpdate { store in
      try store["1"]?.setValue("Eve", for: "name")
      #expect(test.json(VersionFixture.user, id: "1")?["name"] == "Ada")
      #expect(
        VersionFixture.onThread { test.json(VersionFixture.user, id: "1")?["name"] } == .some("Ada")
      )
    }
    #expect(test.json(VersionFixture.user, id: "1")?["name"] == "Eve")
  }

  @Test("a change is published before a model can receive its deliveries")
  func publishedBeforeDeliveries() throws {
    let test = TestStore()
    try VersionFixture.write(["1": "Ada"], in: test)
    let seen = Locked<[JSONValue?]>([])
    let observation = test.store.readAndObserve(VersionFixture.target("1")) { _ in
      let name = test.json(VersionFixture.user, id: "1")?["name"]
      seen.withLock { $0.append(name) }
    }.observation
    try VersionFixture.write(["1": "Eve"], in: test)
    #expect(seen.withLock { $0 } == ["Eve"])
    observation.cancel()
  }

  @Test("a record of an older version lives until the version's last reader ends")
  func lifetime() throws {
    let test = TestStore()
    try VersionFixture.write(["1": "Ada"], in: test)
    let old = Self.held("1", in: test)
    let versions = test.store.state.versions
    let readers = [versions.begin(), versions.begin()]
    try VersionFixture.write(["1": "Eve"], in: test)
    try VersionFixture.write(["2": "Bob"], in: test)
    #expect(old.record != nil)
    let isLast = readers.map { versions.end($0) }
    #expect(isLast == [false, true])
    test.store.state.withLock { $0.reclaimVersions() }
    #expect(old.record == nil)
  }

  @Test("the end of a slow read makes the store release what it kept alive")
  func releaseAfterRead() async throws {
    let test = TestStore()
    try VersionFixture.write(["1": "Ada"], in: test)
    let old = Self.held("1", in: test)
    let reader = test.store.state.versions.begin()
    try VersionFixture.write(["1": "Eve"], in: test)
    #expect(old.record != nil)
    if test.store.state.versions.end(reader) { test.store.reclaimInBackground() }
    try await eventually(true) { old.record == nil }
  }

  @Test("a reader that has ended keeps nothing of a version that is not the newest")
  func endedReader() throws {
    let test = TestStore()
    try VersionFixture.write(["1": "Ada"], in: test)
    let update = try test.environment.applyUpdate { try $0["1"]?.setValue("Eve", for: "name") }
    let versions = test.store.state.versions
    let reader = versions.begin()
    var effects = ReadEffects(areReadsWanted: false)
    _ = reader.read(VersionFixture.target("1"), test.store.bindings, &effects)
    let old = Held()
    test.store.state.withLock { state in
      old.record = state.source.index(of: "1").flatMap { state.source.overlay[$0]?.box }
    }
    update.revert()
    #expect(old.record != nil)
    _ = versions.end(reader)
    test.store.state.withLock { $0.reclaimVersions() }
    #expect(old.record == nil)
  }

  @Test("a reader that waits for its next read keeps nothing of an older version")
  func idleReader() throws {
    let test = TestStore()
    try VersionFixture.write(["1": "Ada"], in: test)
    let update = try test.environment.applyUpdate { try $0["1"]?.setValue("Eve", for: "name") }
    #expect(test.json(VersionFixture.user, id: "1")?["name"] == "Eve")
    let old = Held()
    test.store.state.withLock { state in
      old.record = state.source.index(of: "1").flatMap { state.source.overlay[$0]?.box }
    }
    #expect(old.record != nil)
    update.revert()
    test.store.state.withLock { $0.reclaimVersions() }
    #expect(old.record == nil)
  }

  @Test("all readers that have ended are used again")
  func reuse() {
    let versions = TestStore().store.state.versions
    let readers = (0..<3).map { _ in versions.begin() }
    #expect(readers.map { versions.end($0) } == [false, false, false])
    let next = (0..<3).map { _ in versions.begin() }
    #expect(Set(next.map(ObjectIdentifier.init)) == Set(readers.map(ObjectIdentifier.init)))
    for reader in next { _ = versions.end(reader) }
  }

  @Test("a read obeys the limits of the store's configuration")
  func limits() throws {
    let test = TestStore(.init(readLimits: ReadLimits(rows: 2), garbageCollection: .manual))
    try VersionFixture.write(["1": "Ada", "2": "Eve", "3": "Bob"], in: test)
    let snapshot = test.read(VersionFixture.search, variables: ["ids": ["a"]])
    #expect(snapshot.row == nil && snapshot.cause != nil)
  }

  private final class Held { weak var record: RecordBox? }

  private static func held(_ id: DataID, in test: TestStore) -> Held {
    let held = Held()
    test.store.state.withLock { state in
      held.record = state.source.index(of: id).flatMap { state.source.base[$0] }
    }
    return held
  }
}
