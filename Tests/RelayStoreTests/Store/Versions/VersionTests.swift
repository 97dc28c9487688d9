import Dispatch
import Foundation
import RelayStoreTesting
import SeededRandom
import Testing

@testable import RelayStore

@Suite("Published versions", .timeLimit(.minutes(1)))
struct VersionTests {
  private static let search = TestSelection(
    "query S($ids: [ID!]) { users(ids: $ids) { id name } }")
  private static let user = TestSelection("fragment F on User { id name }").reader

  private static func users(_ names: [String: String]) -> JSONValue {
    let users = names.sorted { $0.key < $1.key }.map { id, name -> JSONValue in
      ["__typename": "User", "id": .string(id), "name": .string(name)]
    }
    return ["users": .array(users)]
  }

  private static func write(_ names: [String: String], in test: TestStore) throws {
    try test.write(search, users(names), variables: ["ids": ["a"]])
  }

  private static func target(_ id: DataID) -> ReadTarget {
    .record(id, user, in: VariableScope(operation: [:]))
  }

  /// Calls the closure on another thread and returns its result; `nil` if it takes ten seconds.
  private func onThread<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) -> Result? {
    let (result, isDone) = (Locked<Result?>(nil), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      let value = body()
      result.withLock { $0 = value }
      isDone.signal()
    }
    return isDone.wait(timeout: .now() + 10) == .success ? result.withLock { $0 } : nil
  }

  @Test("a read does not wait for a thread that holds the store's lock")
  func noWaiting() throws {
    let test = TestStore()
    try Self.write(["1": "Ada"], in: test)
    let name = test.store.state.withLock { _ in
      onThread { test.json(Self.user, id: "1")?["name"] }
    }
    #expect(name == .string("Ada"))
  }

  @Test("a read during an update shows the state before it, and one after it the new state")
  func duringUpdate() throws {
    let test = TestStore()
    try Self.write(["1": "Ada"], in: test)
    try test.environment.commitUpdate { store in
      try store["1"]?.setValue("Eve", for: "name")
      #expect(test.json(Self.user, id: "1")?["name"] == "Ada")
      #expect(onThread { test.json(Self.user, id: "1")?["name"] } == .some("Ada"))
    }
    #expect(test.json(Self.user, id: "1")?["name"] == "Eve")
  }

  @Test("a change is published before a model can receive its deliveries")
  func publishedBeforeDeliveries() throws {
    let test = TestStore()
    try Self.write(["1": "Ada"], in: test)
    let seen = Locked<[JSONValue?]>([])
    let observation = test.store.readAndObserve(Self.target("1")) { _ in
      let name = test.json(Self.user, id: "1")?["name"]
      seen.withLock { $0.append(name) }
    }.observation
    try Self.write(["1": "Eve"], in: test)
    #expect(seen.withLock { $0 } == ["Eve"])
    observation.cancel()
  }

  @Test("a record of an older version lives until the version's last reader ends")
  func lifetime() throws {
    let test = TestStore()
    try Self.write(["1": "Ada"], in: test)
    let old = Self.held("1", in: test)
    let versions = test.store.state.versions
    let readers = [versions.begin(), versions.begin()]
    try Self.write(["1": "Eve"], in: test)
    try Self.write(["2": "Bob"], in: test)
    #expect(old.record != nil)
    let isLast = readers.map { versions.end($0) }
    #expect(isLast == [false, true])
    test.store.state.withLock { $0.reclaimVersions() }
    #expect(old.record == nil)
  }

  @Test("the end of a slow read makes the store release what it kept alive")
  func releaseAfterRead() async throws {
    let test = TestStore()
    try Self.write(["1": "Ada"], in: test)
    let old = Self.held("1", in: test)
    let reader = test.store.state.versions.begin()
    try Self.write(["1": "Eve"], in: test)
    #expect(old.record != nil)
    if test.store.state.versions.end(reader) { test.store.reclaimInBackground() }
    try await eventually(true) { old.record == nil }
  }

  private final class Held { weak var record: RecordBox? }

  private static func held(_ id: DataID, in test: TestStore) -> Held {
    let held = Held()
    test.store.state.withLock { state in
      held.record = state.source.index(of: id).flatMap { state.source.base[$0] }
    }
    return held
  }

  // MARK: A model

  /// What a target reads as.
  private struct Value: Equatable {
    let json: JSONValue?
    let isDeleted, isOptimistic, isStale: Bool
    let missing: [ResponsePath]
    let revision: UInt64

    init(_ snapshot: RowSnapshot) {
      json = snapshot.row.map { .object($0.json) }
      (isDeleted, isOptimistic) = (snapshot.isDeleted, snapshot.isOptimistic)
      (isStale, missing, revision) = (snapshot.isStale, snapshot.missing, snapshot.revision)
    }
  }

  private struct OpenReader {
    let reader: VersionReader
    let values: [Value]
  }

  private static let targets: [ReadTarget] =
    (0..<12).map { target(DataID("\($0)")) } + [
      .record(.root, search.reader, in: VariableScope(operation: ["ids": ["a"]]))
    ]

  private func values(_ reader: VersionReader, _ store: RecordStore) -> [Value] {
    Self.targets.map { target in
      var effects = ReadEffects(areReadsWanted: false)
      return Value(reader.read(target, store.bindings, &effects))
    }
  }

  @Test("every version reads as the store did when it was published", arguments: 0..<20)
  func model(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let test = TestStore(releaseBufferSize: 2)
    let versions = test.store.state.versions
    var (open, updates, retentions) = ([OpenReader](), [OptimisticUpdate](), [Retention]())
    for step in 0..<200 {
      let id = DataID("\(Int.random(in: 0..<12, using: &random))")
      switch Int.random(in: 0..<16, using: &random) {
      case 0..<4:
        var names: [String: String] = [:]
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          names["\(Int.random(in: 0..<12, using: &random))"] = "\(step)"
        }
        try Self.write(names, in: test)
      case 4:
        updates.append(
          try test.environment.applyUpdate { store in
            try store[id]?.setValue(.string("optimistic \(step)"), for: "name")
          })
      case 5: if !updates.isEmpty { updates.removeFirst().revert() }
      case 6: try test.environment.commitUpdate { try $0.delete(id) }
      case 7: try test.environment.commitUpdate { try $0[id]?.invalidateRecord() }
      case 8 where seed % 4 == 0: test.store.reset()
      case 9:
        retentions.append(
          test.store.retain(
            RequestIdentity(
              documentHash: Self.search.normalization.documentHash, variables: ["ids": ["a"]]),
            test.store.bind(Self.search.normalization, variables: ["ids": ["a"]]), root: .root))
      case 10: if !retentions.isEmpty { retentions.removeFirst().release() }
      case 11: test.store.collectGarbage()
      case 12: _ = test.store.garbageCollector.step(records: 3)
      case 13...15 where open.count > 3:
        let index = Int.random(in: open.indices, using: &random)
        _ = versions.end(open.remove(at: index).reader)
      default:
        let reader = versions.begin()
        let expected = Self.targets.map { target in test.store.withState { Value($0.read(target)) }
        }
        #expect(values(reader, test.store) == expected)
        open.append(OpenReader(reader: reader, values: expected))
      }
      for reader in open { #expect(values(reader.reader, test.store) == reader.values) }
    }
    for reader in open { _ = versions.end(reader.reader) }
  }
}
