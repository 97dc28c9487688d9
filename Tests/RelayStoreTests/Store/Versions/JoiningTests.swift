import RelayStoreTesting
import Testing

@testable import RelayStore

@Suite("Observers that join a published version", .timeLimit(.minutes(1)))
struct JoiningTests {
  private static let query = TestSelection("query Q($id: ID) { user(id: $id) { id name } }")
  private static let user = TestSelection("fragment F on User { id name }").reader

  private static func target(_ id: DataID) -> ReadTarget {
    .record(id, user, in: VariableScope(operation: [:]))
  }

  private static func store(_ names: [String: String] = ["1": "Ada"]) throws -> TestStore {
    let test = TestStore(releaseBufferSize: 0)
    for (id, name) in names { try write(id, name, in: test) }
    return test
  }

  private static func write(_ id: String, _ name: String, in test: TestStore) throws {
    try test.write(
      query, ["user": ["__typename": "User", "id": .string(id), "name": .string(name)]],
      variables: ["id": .string(id)])
  }

  /// An observer's names, the first of which it has read itself.
  private final class Names: Sendable {
    private let all = Locked<[(name: JSONValue?, revision: UInt64, isMissing: Bool)]>([])
    let observation = Locked<ObservationHandle?>(nil)

    func observe(_ id: DataID, in test: TestStore) {
      let (first, handle) = test.store.readAndObserve(JoiningTests.target(id)) { self.add($0) }
      all.withLock { $0.insert(Self.value(first), at: 0) }
      observation.withLock { $0 = handle }
    }

    func add(_ snapshot: RowSnapshot) {
      all.withLock { $0.append(Self.value(snapshot)) }
    }

    private static func value(
      _ snapshot: RowSnapshot
    ) -> (name: JSONValue?, revision: UInt64, isMissing: Bool) {
      (snapshot.row?.json["name"], snapshot.revision, !snapshot.missing.isEmpty)
    }

    var names: [JSONValue?] { all.withLock { $0.map(\.name) } }
    var areMissing: [Bool] { all.withLock { $0.map(\.isMissing) } }
    var revisions: [UInt64] { all.withLock { $0.map(\.revision) } }
  }

  /// The record that only an observer's row retains.
  private final class Held {
    weak var record: RecordBox?
    weak var row: AnyObject?
  }

  /// Runs the closure on another thread, and returns whether it ended within ten seconds.
  private func onThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    VersionFixture.onThread(body) != nil
  }

  @Test("an observer that ends before the store has added it is not added")
  func endedAtOnce() throws {
    let test = try Self.store()
    let names = Names()
    names.observe("1", in: test)
    names.observation.withLock { $0?.cancel() }
    #expect(test.store.state.withLock { $0.observers.lastOrdinal } == 0)
    names.observe("1", in: test)
    #expect(test.store.state.withLock { $0.observers.lastOrdinal } == 1)
  }

  @Test("observing and cancelling do not wait for a thread that holds the store's lock")
  func noWaiting() throws {
    let test = try Self.store()
    let (first, second) = (Names(), Names())
    let hasEnded = test.store.state.withLock { _ in
      onThread {
        first.observe("1", in: test)
        second.observe("1", in: test)
        second.observation.withLock { $0?.cancel() }
      }
    }
    #expect(hasEnded)
    #expect(test.store.statistics.observers == 1)
    try Self.write("1", "Eve", in: test)
    #expect(first.names == ["Ada", "Eve"] && second.names == ["Ada"])
  }

  @Test("an observer that joins while a change is written receives the change")
  func changeInBetween() throws {
    let test = try Self.store()
    let names = Names()
    try test.environment.commitUpdate { store in
      try store["1"]?.setValue("Eve", for: "name")
      #expect(onThread { names.observe("1", in: test) })
    }
    #expect(names.names == ["Ada", "Eve"])
    #expect(names.revisions == names.revisions.sorted() && Set(names.revisions).count == 2)
    try test.environment.commitUpdate { store in
      #expect(onThread { names.observation.withLock { $0?.cancel() } })
      try store["1"]?.setValue("Bob", for: "name")
    }
    #expect(names.names == ["Ada", "Eve"] && test.store.statistics.observers == 0)
  }

  @Test("an observer that joins during a collection of its record receives that data is missing")
  func collectionInBetween() throws {
    let test = try Self.store(["1": "Ada", "2": "Bob"])
    let names = Names()
    test.store.state.withLock { state in
      #expect(state.collectGarbage().report.collected == 2)
      #expect(onThread { names.observe("1", in: test) })
    }
    // A row that was whole is shown on.
    #expect(names.names == ["Ada", "Ada"] && names.areMissing == [false, true])
    #expect(names.revisions == names.revisions.sorted() && Set(names.revisions).count == 2)
    // Its index may be another record's by now.
    for id in ["3", "4", "5"] { try Self.write(id, "new", in: test) }
    try Self.write("1", "Ada again", in: test)
    #expect(names.names == ["Ada", "Ada", "Ada again"])
  }

  @Test("an observer that joins during a reset shows no row from before it")
  func resetInBetween() throws {
    let test = try Self.store()
    let names = Names()
    let deliveries = test.store.state.withLock { state in
      let isDone = onThread { names.observe("1", in: test) }
      #expect(isDone)
      return state.reset().deliveries
    }
    DeliveryQueue.deliver(deliveries)
    #expect(names.names == ["Ada", nil])
  }

  @Test("an observer cannot join a version that is not the newest anymore")
  func olderVersion() throws {
    let test = try Self.store()
    let versions = test.store.state.versions
    let reader = versions.begin()
    var effects = ReadEffects(areReadsWanted: false)
    let observer = try #require(
      reader.observer(
        of: "1", Self.user, in: VariableScope(operation: [:]),
        ObserverCallback { _ in }, test.store.bindings, &effects))
    try Self.write("1", "Eve", in: test)
    let end = versions.end(reader, joining: observer)
    #expect(!end.hasJoined)
    #expect(end.mustReclaim)
    #expect(test.store.statistics.observers == 0)
  }

  @Test("a record without an id in the store is observed, and fires when it appears")
  func unknownRecord() throws {
    let test = try Self.store()
    let names = Names()
    names.observe("7", in: test)
    #expect(names.names == [nil])
    try Self.write("7", "Seven", in: test)
    #expect(names.names == [nil, "Seven"])
  }

  @Test("the rows of a cancelled observer are released although its handle lives")
  func release() async throws {
    let test = try Self.store()
    let names = Names()
    names.observe("1", in: test)
    let held = Held()
    if let observer = names.observation.withLock({ $0?.observer }) {
      held.record = observer.snapshot.row?.record?.box
    }
    #expect(held.record != nil)
    names.observation.withLock { $0?.cancel() }
    names.observation.withLock { $0?.cancel() }
    try Self.write("1", "Eve", in: test)
    try await eventually(true) { held.record == nil }
    #expect(test.store.statistics.observers == 0)
  }

  @Test("the rows of each cancelled observer are released, although nobody uses the store")
  func releaseAgain() async throws {
    let test = try Self.store(["1": "Ada", "2": "Eve", "3": "Bob"])
    for id in ["1", "2", "3"] {
      let names = Names()
      names.observe(DataID(id), in: test)
      let held = Held()
      if let observer = names.observation.withLock({ $0?.observer }) {
        held.row = observer.snapshot.row.flatMap {
          Mirror(reflecting: $0).descendant("buffer") as AnyObject?
        }
      }
      #expect(held.row != nil)
      names.observation.withLock { $0?.cancel() }
      try await eventually(true) { held.row == nil }
    }
  }

  @Test("observers are notified in the order in which they joined")
  func order() throws {
    let test = try Self.store()
    let order = Locked<[Int]>([])
    let observations = (0..<20).map { number in
      test.store.readAndObserve(Self.target("1")) { _ in order.withLock { $0.append(number) } }
        .observation
    }
    try Self.write("1", "Eve", in: test)
    #expect(order.withLock { $0 } == Array(0..<20))
    observations.forEach { $0.cancel() }
  }
}
