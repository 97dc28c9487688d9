import SeededRandom
import Testing

@testable import RelayStore

/// A store without roots is collected at once, and one that retains an operation without records by
/// a run. Both must then be the same.
@Suite("The collection of a store without roots", .timeLimit(.minutes(10)))
struct CollectAllTests {
  // MARK: The same as a run

  /// A random operation on a store.
  private enum Step {
    case write(TestSelection, JSONValue)
    case update(StoreUpdater)
    case reset
    case collect
    case collectSlices
  }

  /// The values that a cache has memoized.
  private final class Cache: RecordCache {
    let indexes = Locked<Set<RecordIndex>>([], rank: .leaf)

    func evict(_ index: RecordIndex) { indexes.withLock { _ = $0.remove(index) } }

    func evictAll(except kept: [RecordIndex]) { indexes.withLock { $0.formIntersection(kept) } }
  }

  /// All that a collection may change, by id: the order of the free indexes may differ.
  private struct Contents: Equatable {
    let dump: String
    let ids: Set<String>
    let tombstones: Set<String>
    let freeCount: Int
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
    private static let version = TestSelection("{ version }")
    let test: TestStore
    private let cache = Cache()
    private let events: Locked<[StoreEvent]>
    private var retention: Retention?
    private var reports: [RecordStore.GarbageCollectionReport] = []
    /// The number of collections for which the store had no roots.
    private(set) var fastCount = 0

    init(retains: Bool) {
      let events = Locked<[StoreEvent]>([])
      self.events = events
      test = TestStore(
        .init(
          releaseBufferSize: 0, garbageCollection: .manual,
          log: { event in events.withLock { $0.append(event) } }))
      let cache = cache
      test.store.withState { $0.source.recordCache = cache }
      retention = retain(Self.version, in: test)
      if !retains { retention = nil }
      test.store.collectGarbage()
    }

    mutating func perform(_ step: Step) throws {
      switch step {
      case .write(let selection, let data): try test.write(selection, data)
      case .update(let updater): try test.environment.commitUpdate(updater)
      case .reset:
        let retains = retention != nil
        test.store.reset()
        if retains { retention = retain(Self.version, in: test) }
      case .collect: reports.append(collect { $0.collectGarbage() })
      case .collectSlices:
        let plan = TestSelection("{ __typename }")
        retain(plan, in: test).release()
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
      if test.store.withState(\.hasOnlyGarbage) { fastCount += 1 }
      return body(test.store)
    }

    var contents: Contents {
      test.store.state.withLock { state in
        let (source, base) = (state.source, state.source.base)
        func ids(where isIncluded: (RecordIndex) -> Bool) -> Set<String> {
          Set(source.allIDs.filter { isIncluded($0.index) }.map(\.id.rawValue))
        }
        let memoized = cache.indexes.withLock { $0 }
        let clientWritten = source.clientWrittenFields.map { index, keys in
          (source.id(of: index)?.rawValue ?? "", keys)
        }
        return Contents(
          dump: StoreDump(source: source, layer: .base).text, ids: ids { _ in true },
          tombstones: ids { base.tombstones.contains($0) }, freeCount: base.free.count,
          types: source.registeredTypes,
          clientWritten: Dictionary(clientWritten) { $0.union($1) },
          stale: ids { source.invalidations.isStale($0) },
          memoized: ids { memoized.contains($0) },
          hasConnections: !source.connectionEdges.isEmpty, revision: state.revision,
          isPending: state.collector.isPending, reports: reports,
          events: events.withLock { $0 })
      }
    }
  }

  /// Makes random steps.
  private struct StepGenerator {
    var generator: SeededGenerator

    private mutating func number(_ bound: Int) -> Int { .random(in: 0..<bound, using: &generator) }

    private mutating func id() -> String { "u\(number(6))" }

    private mutating func user() -> JSONValue {
      ["id": .string(id()), "name": .string("n\(number(3))"), "best": ["id": .string(id())]]
    }

    mutating func next() -> Step {
      let (id, other, count) = (DataID(id()), DataID(id()), number(4))
      switch number(15) {
      case 0: return .write(CollectAllTests.me, ["me": user()])
      case 1: return .write(CollectAllTests.users, ["users": [user(), user()]])
      case 2:
        return .write(CollectAllTests.node(count), ["node": ["__typename": "Pet", "id": "p"]])
      case 3: return .write(CollectAllTests.items, ["items": [["id": "i1"], ["id": "u2"]]])
      case 4: return .write(CollectAllTests.searches, CollectAllTests.results)
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

  @Test("a store without roots is after a collection as it is after a run", arguments: 0..<40)
  func sameAsRun(seed: UInt64) throws {
    var steps = StepGenerator(generator: SeededGenerator(seed: seed))
    var (fast, ordinary) = (Run(retains: false), Run(retains: true))
    for position in 0..<60 {
      let step = steps.next()
      try fast.perform(step)
      try ordinary.perform(step)
      try #require(fast.contents == ordinary.contents, "step \(position): \(step)")
    }
    #expect(fast.fastCount > 0)
    #expect(ordinary.fastCount == 0)
  }

  @Test("client-written fields of the root stay, and lead to tombstones")
  func clientWritten() throws {
    var runs = [Run(retains: false), Run(retains: true)]
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
    #expect(runs[0].contents.reports == [.init(collected: 3, kept: 1)])
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

  @Test("the removed records can be released after the store is unlocked")
  func released() throws {
    let test = TestStore(releaseBufferSize: 0)
    try test.write(Self.me, ["me": ["id": "u", "name": "Ada"]])
    test.store.state.withLock { state in
      weak let record = state.source.index(of: "u").flatMap { state.source.base[$0] }
      let collected = state.collectGarbage()
      withExtendedLifetime(collected) { #expect(record != nil) }
      #expect(collected.report.collected == 1)
    }
  }

  // MARK: Conditions

  /// Checks that a store has only garbage until `begin` and again after the end of its result.
  private func expectRoot<Root>(
    in test: TestStore = TestStore(releaseBufferSize: 0), _ begin: (TestStore) throws -> Root,
    end: (TestStore, Root) -> Void
  ) throws {
    try test.write(Self.me, ["me": ["id": "u", "name": "Ada"]])
    #expect(test.store.withState(\.hasOnlyGarbage))
    let root = try begin(test)
    #expect(!test.store.withState(\.hasOnlyGarbage))
    end(test, root)
    #expect(test.store.withState(\.hasOnlyGarbage))
    #expect(test.store.collectGarbage().collected == 1)
  }

  private static let reader = TestSelection("fragment F on User { name }").reader
  private static let scope = VariableScope(operation: [:])

  @Test("a retained operation needs a run")
  func retained() throws {
    try expectRoot {
      retain(Self.me, in: $0)
    } end: {
      $1.release()
    }
  }

  @Test("an operation in the release buffer needs a run")
  func buffered() throws {
    try expectRoot(in: TestStore(releaseBufferSize: 1)) {
      retain(Self.me, in: $0).release()
    } end: { test, _ in
      test.store.withState { $0.retention.removeAll() }
    }
  }

  @Test("an observer needs a run")
  func observed() throws {
    try expectRoot {
      $0.store.observe("u", Self.reader, in: Self.scope) { _ in }
    } end: {
      $1.cancel()
    }
  }

  @Test("an observer of a list of fragments needs a run")
  func observedList() throws {
    try expectRoot { test in
      test.store.observe([.record("u", Self.scope)], Self.reader) { _ in }
    } end: {
      $1.cancel()
    }
  }

  @Test("a replica needs a run")
  func replicated() throws {
    try expectRoot {
      $0.store.replicate(Self.reader, in: Self.scope) { _ in }
    } end: {
      $1.cancel()
    }
  }

  @Test("an optimistic update needs a run")
  func optimistic() throws {
    try expectRoot {
      try $0.environment.applyUpdate { try $0["u"]?.setValue("Eve", for: "name") }
    } end: {
      $1.revert()
    }
  }

  @Test("an open batch needs a run")
  func batch() throws {
    try expectRoot {
      $0.store.withState { $0.openBatch() }
    } end: { test, _ in
      _ = test.store.withState { $0.closeBatch() }
    }
  }

  @Test("a run in progress is not abandoned")
  func runInProgress() throws {
    try expectRoot { test in
      let retention = retain(Self.users, in: test)
      retain(Self.items, in: test).release()
      #expect(test.store.garbageCollector.step(records: 1))
      retention.release()
    } end: { test, _ in
      while test.store.garbageCollector.step(records: 1) {}
      try? test.write(Self.me, ["me": ["id": "u", "name": "Ada"]])
    }
  }

  @Test("collection on hold removes nothing")
  func hold() throws {
    let test = TestStore(releaseBufferSize: 0)
    try test.write(Self.me, ["me": ["id": "u", "name": "Ada"]])
    let hold = test.store.garbageCollector.hold()
    #expect(test.store.collectGarbage() == .init(collected: 0, kept: 0))
    hold.release()
    #expect(test.store.collectGarbage() == .init(collected: 1, kept: 1))
  }
}

/// Retains an operation.
private func retain(_ selection: TestSelection, in test: TestStore) -> Retention {
  let plan = selection.normalization
  return test.store.retain(
    RequestIdentity(plan, variables: [:]), test.store.bind(plan, variables: [:]), root: .root)
}
