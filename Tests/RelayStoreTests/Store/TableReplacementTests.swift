import SeededRandom
import Testing

@testable import InvariantChecks
@testable import RelayStore

/// A collection that retains few records replaces their table; others sweep it. Both must leave the
/// same contents.
@Suite("Collections that replace the table", .timeLimit(.minutes(1)))
struct TableReplacementTests {
  // MARK: The same as a sweep

  /// A random operation on a store.
  private enum Step {
    case write(TestSelection, JSONValue)
    case update(StoreUpdater)
    case reset
    case retain(TestSelection)
    case release
    case collect
    case collectSlices
  }

  /// A cache's memoized values.
  private final class Cache: RecordCache {
    let indexes = Locked<Set<RecordIndex>>([], rank: .leaf)

    func evict(_ index: RecordIndex) { indexes.withLock { _ = $0.remove(index) } }

    func evictAll(except kept: [RecordIndex]) { indexes.withLock { $0.formIntersection(kept) } }
  }

  /// Everything that a collection may change, by id: the free indexes may differ.
  private struct Contents: Equatable {
    let dump: String
    let ids: Set<String>
    let tombstones: Set<String>
    let types: Set<ByteString>
    let clientWritten: [String: Set<FieldKey>]
    let stale: Set<String>
    let memoized: Set<String>
    let hasConnections: Bool
    let revision: UInt64
    let isPending: Bool
    let reports: [RecordStore.GarbageCollectionReport]
    let events: [StoreEvent]
  }

  private struct Run {
    let test: TestStore
    private let cache = Cache()
    private let events: Locked<[StoreEvent]>
    private var retentions: [Retention] = []
    private var reports: [RecordStore.GarbageCollectionReport] = []
    /// The number of collections that replaced the table.
    private(set) var replacementCount = 0
    /// The number of those collections that retained more than the root.
    private(set) var partialCount = 0

    init(replaces: Bool) {
      let events = Locked<[StoreEvent]>([])
      self.events = events
      test = TestStore(
        .init(
          releaseBufferSize: 0, garbageCollection: .manual,
          log: { event in events.withLock { $0.append(event) } }))
      let cache = cache
      test.store.withState { state in
        state.source.observers.memos.cache = cache
        state.collector.replacesTables = replaces
      }
      test.store.collectGarbage()
    }

    mutating func perform(_ step: Step) throws {
      switch step {
      case .write(let selection, let data): try test.write(selection, data)
      case .update(let updater): try test.environment.commitUpdate(updater)
      case .reset: test.store.reset()
      case .retain(let selection): retentions.append(retain(selection, in: test))
      case .release: if !retentions.isEmpty { retentions.removeFirst().release() }
      case .collect:
        let result = collect { $0.withState { $0.collectAll() } }
        reports.append(result.report)
        if result.replacesTable {
          replacementCount += 1
          if result.report.retained > 1 { partialCount += 1 }
        }
      case .collectSlices:
        retain(TestSelection("{ __typename }"), in: test).release()
        #expect(test.store.garbageCollector.isPending)
        collect { store in while store.garbageCollector.step(records: 1_000) {} }
      }
      #if DEBUG || RELAYSTORE_CHECK_INVARIANTS
        #expect(test.store.checkInvariants() == nil)
      #endif
    }

    private mutating func collect<Result>(_ body: (RecordStore) -> Result) -> Result {
      let records = test.store.withState { state in
        Set(
          state.source.allIDs.map(\.index).filter { state.source.base.records[$0.position] != nil })
      }
      cache.indexes.withLock { $0 = records }
      return body(test.store)
    }

    var contents: Contents {
      test.store.state.withLock { state in
        let (source, base) = (state.source, state.source.base)
        func ids(where isIncluded: (RecordIndex) -> Bool) -> Set<String> {
          Set(source.allIDs.filter { isIncluded($0.index) }.map(\.id.rawValue))
        }
        let memoized = cache.indexes.withLock { $0 }
        let clientWritten = source.observers.clientWritten.fields.map { index, keys in
          (source.id(of: index)?.rawValue ?? "", keys)
        }
        return Contents(
          dump: StoreDump(source: source, layer: .base).text, ids: ids { _ in true },
          tombstones: ids { base.records.hasTombstone(at: $0.position) },
          types: source.registeredTypes,
          clientWritten: Dictionary(clientWritten) { $0.union($1) },
          stale: ids { source.observers.invalidations.isStale($0) },
          memoized: ids { memoized.contains($0) },
          hasConnections: !source.observers.connectionEdges.isEmpty, revision: state.revision,
          isPending: state.collector.isPending, reports: reports,
          events: events.withLock { $0 })
      }
    }
  }

  /// Generates random steps.
  private struct StepGenerator {
    var generator: SeededGenerator

    private mutating func number(_ bound: Int) -> Int { .random(in: 0..<bound, using: &generator) }

    private mutating func id() -> String { "u\(number(6))" }

    private mutating func user() -> JSONValue {
      ["id": .string(id()), "name": .string("n\(number(3))"), "best": ["id": .string(id())]]
    }

    mutating func next() -> Step {
      let (id, other, count) = (DataID(id()), DataID(id()), number(4))
      switch number(19) {
      case 0: return .write(TableReplacementTests.me, ["me": user()])
      case 1: return .write(TableReplacementTests.users, ["users": [user(), user()]])
      case 2:
        return .write(
          TableReplacementTests.node(count), ["node": ["__typename": "Pet", "id": "p"]])
      case 3: return .write(TableReplacementTests.items, ["items": [["id": "i1"], ["id": "u2"]]])
      case 4: return .write(TableReplacementTests.searches, TableReplacementTests.results)
      case 5: return .update { try $0.delete(id) }
      case 6: return .update { try $0[id]?.invalidateRecord() }
      case 7: return .update { try $0.root.invalidateRecord() }
      case 8: return .update { try $0.invalidateStore() }
      case 9:
        return .update { store in
          let user = try store[id] ?? store.create(id, type: "User")
          try store.root.setLinkedRecord(
            user, for: "user", arguments: ["id": .string(id.rawValue)])
          try user.setLinkedRecord(store[other], for: "best")
        }
      case 10: return .update { try $0.root.setLinkedRecord($0.root, for: "viewer") }
      case 11: return .reset
      case 12: return .collectSlices
      case 13:
        return .retain([TableReplacementTests.me, TableReplacementTests.items][number(2)])
      case 14, 15: return .release
      default: return .collect
      }
    }
  }

  private static let me = TestSelection("{ me { id name best { id } } }")
  private static let users = TestSelection(#"{ users(ids: ["1"]) { id name best { id } } }"#)
  private static let items = TestSelection("{ items { id } }")
  private static func node(_ number: Int) -> TestSelection {
    TestSelection(
      #"{ __typename node(id: "\#(number)") { __typename id ... on Actor { login } } }"#)
  }
  /// More fields than a record has cells for.
  private static let searches = TestSelection(
    "{ " + (0..<150).map { #"s\#($0): item(id: "\#($0)") { id } "# }.joined() + "}")
  private static let results = JSONValue.object(
    JSONObject((0..<150).map { ("s\($0)", ["id": .string("i\($0)")]) }))

  @Test("a store is after a replacement as it is after a sweep", arguments: 0..<20)
  func sameAsSweep(seed: UInt64) throws {
    var steps = StepGenerator(generator: SeededGenerator(seed: seed))
    var (replacing, sweeping) = (Run(replaces: true), Run(replaces: false))
    for position in 0..<80 {
      let step = steps.next()
      try replacing.perform(step)
      try sweeping.perform(step)
      try #require(replacing.contents == sweeping.contents, "step \(position): \(step)")
    }
    #expect(replacing.replacementCount > 0)
    #expect(sweeping.replacementCount == 0)
  }

  @Test("a replacement keeps what is retained")
  func partial() throws {
    var runs = [Run(replaces: true), Run(replaces: false)]
    for index in runs.indices {
      try runs[index].perform(.write(Self.searches, Self.results))
      try runs[index].perform(.write(Self.me, ["me": ["id": "u", "name": "Ada"]]))
      try runs[index].perform(.retain(Self.me))
      try runs[index].perform(.collect)
      try runs[index].perform(.write(Self.items, ["items": [["id": "i1"], ["id": "u2"]]]))
    }
    #expect(runs[0].contents == runs[1].contents)
    #expect(runs[0].contents.reports == [.init(collected: 150, retained: 2)])
    #expect(runs.map(\.partialCount) == [1, 0])
  }

  @Test("client-written fields of the root stay, and lead to tombstones")
  func clientWritten() throws {
    var runs = [Run(replaces: true), Run(replaces: false)]
    for index in runs.indices {
      try runs[index].perform(.write(Self.node(1), ["node": ["__typename": "Pet", "id": "p"]]))
      try runs[index].perform(
        .update { store in
          let user = try store.create("u", type: "User")
          try store.root.setLinkedRecord(user, for: "user", arguments: ["id": "u"])
          try store.root.invalidateRecord()
        })
      try runs[index].perform(.collect)
    }
    #expect(runs[0].contents == runs[1].contents)
    #expect(runs[0].contents.reports == [.init(collected: 3, retained: 1)])
    #expect(runs[0].contents.dump.contains(#"user(id:\"u\")"#))
    #expect(!runs[0].contents.dump.contains("node"))
    #expect(runs[0].contents.tombstones.count == 1)
    #expect(runs[0].contents.stale == ["client:root"])
  }

  @Test("a collection in slices is done at once if it is small enough")
  func slices() throws {
    let test = TestStore(releaseBufferSize: 0)
    for (budget, isDone) in [(1_000, true), (1, false)] {
      try test.write(Self.searches, Self.results)
      retain(Self.me, in: test).release()
      #expect(test.store.garbageCollector.step(records: budget) == !isDone)
      #expect(test.store.garbageCollector.isPending == !isDone)
    }
  }

  @Test("the removed records are released after the store is unlocked")
  func released() throws {
    let test = TestStore(releaseBufferSize: 0)
    try test.write(Self.me, ["me": ["id": "u", "name": "Ada"]])
    weak var record: RecordBox?
    test.store.state.withLock { state in
      record = state.source.index(of: "u").flatMap { state.source.base[$0] }
      #expect(state.collectGarbage().report.collected == 1)
      #expect(record != nil)
    }
    #expect(record == nil)
  }

  // MARK: Conditions

  private static let reader = TestSelection("fragment F on User { name }").reader
  private static let scope = VariableScope(operation: [:])

  /// A store with 152 records.
  private static func filled() throws -> TestStore {
    let test = TestStore(releaseBufferSize: 0)
    try test.write(searches, results)
    try test.write(me, ["me": ["id": "u", "name": "Ada"]])
    return test
  }

  /// Checks that no collection replaces the table while the result of `begin` exists, and that one
  /// does so after its end.
  private func expectSweep<Value>(
    _ begin: (TestStore) throws -> Value, end: (TestStore, Value) -> Void
  ) throws {
    let test = try Self.filled()
    let value = try begin(test)
    let swept = test.store.withState { $0.collectAll() }
    #expect(!swept.replacesTable)
    #expect(swept.report.collected >= 150)
    end(test, value)
    try test.write(Self.searches, Self.results)
    #expect(test.store.withState { $0.collectAll() }.replacesTable)
  }

  @Test("the table of a store with a replica is swept")
  func replicated() throws {
    try expectSweep {
      $0.store.replicate(Self.reader, in: Self.scope, stamps: { $0([:]) }) { _ in }
    } end: {
      $1.cancel()
    }
  }

  @Test("the table below an optimistic update is swept")
  func optimistic() throws {
    try expectSweep {
      try $0.environment.applyUpdate { try $0["u"]?.setValue("Eve", for: "name") }
    } end: {
      $1.revert()
    }
  }

  @Test("the table of a store with an open batch is swept")
  func batch() throws {
    try expectSweep {
      $0.store.withState { $0.openBatch() }
    } end: { test, _ in
      _ = test.store.withState { $0.closeBatch() }
    }
  }

  @Test("a table is swept when most of its records are kept")
  func kept() throws {
    let test = try Self.filled()
    let retention = retain(Self.searches, in: test)
    let result = test.store.withState { $0.collectAll() }
    #expect(!result.replacesTable)
    #expect(result.report == .init(collected: 1, retained: 151))
    retention.release()
  }

  @Test("records written between the slices of a run stay when it replaces the table")
  func writesBetweenSlices() throws {
    let test = try Self.filled()
    let retention = retain(Self.me, in: test)
    retain(Self.items, in: test).release()
    #expect(test.store.garbageCollector.step(records: 1))
    try test.write(Self.me, ["me": ["id": "v", "name": "Eve", "best": ["id": "w"]]])
    let (report, replacesTable) = test.store.withState { state in
      (state.collect(records: 1_000).report, !state.source.replacedBases.isEmpty)
    }
    #expect(replacesTable)
    // "u" was reachable when the run started.
    #expect(report == .init(collected: 150, retained: 4))
    #expect(test.store.dump().contains(#""w""#))
    retention.release()
  }

  @Test("collection on hold removes nothing")
  func hold() throws {
    let test = TestStore(releaseBufferSize: 0)
    try test.write(Self.me, ["me": ["id": "u", "name": "Ada"]])
    let hold = test.store.garbageCollector.hold()
    #expect(test.store.collectGarbage() == .init(collected: 0, retained: 0))
    hold.release()
    #expect(test.store.collectGarbage() == .init(collected: 1, retained: 1))
  }
}

/// Retains an operation.
private func retain(_ selection: TestSelection, in test: TestStore) -> Retention {
  let plan = selection.normalization
  return test.store.retain(
    RequestIdentity(documentHash: plan.documentHash, variables: [:]),
    test.store.bind(plan, variables: [:]), root: .root)
}

extension StoreState {
  /// Collects all garbage and returns whether that has replaced the table of records.
  fileprivate mutating func collectAll() -> (
    report: RecordStore.GarbageCollectionReport, replacesTable: Bool
  ) {
    let report = collectGarbage().report
    return (report, !source.replacedBases.isEmpty)
  }
}
