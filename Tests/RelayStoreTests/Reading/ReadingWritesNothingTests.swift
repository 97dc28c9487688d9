import RelayStore
import RelayStoreTesting
import Testing

/// A read leaves the store unchanged, whatever it encounters.
@Suite("Reading writes nothing", .timeLimit(.minutes(1)))
struct ReadingWritesNothingTests {
  private let environment = RelayEnvironment(
    store: RecordStore(configuration: .init(garbageCollection: .manual)),
    transport: MockTransport())

  @Test("reading ids that the store does not have adds no records")
  func unknownIDs() throws {
    try environment.commitUpdate { _ = try $0.create("1", type: "Todo") }
    let (count, before) = (environment.store.statistics.records, environment.store.dump())
    for number in 0..<1_000 {
      let reference = FragmentRef<TodoRow_todo>(id: DataID("unknown \(number)"))
      #expect(environment.read(reference).data == nil)
    }
    #expect(environment.store.statistics.records == count)
    #expect(environment.store.dump() == before)
  }

  @Test("a snapshot of an unknown id names it, lacks its path, and is as stale as the store")
  func snapshot() throws {
    let reference = FragmentRef<TodoRow_todo>(id: "unknown")
    let snapshot = environment.read(reference)
    #expect(snapshot.seenRecords == ["unknown"] && snapshot.missing == [ResponsePath()])
    #expect(!snapshot.isDeleted && !snapshot.isStale && !snapshot.isOptimistic)
    try environment.commitUpdate { try $0.invalidateStore() }
    #expect(environment.read(reference).isStale)
    let list = environment.read([reference, FragmentRef(id: "other")])
    #expect(list.seenRecords == ["unknown", "other"])
  }

  @Test("an observer of an unknown id is told when the record arrives")
  func observed() throws {
    let reference = FragmentRef<TodoRow_todo>(id: "1")
    #expect(environment.read(reference).data == nil)
    let texts = Locked<[String?]>([])
    let (first, observation) = environment.readAndObserve(reference) { snapshot in
      texts.withLock { $0.append(snapshot.data?.text) }
    }
    #expect(first.data == nil)
    try environment.commitUpdate { store in
      let todo = try store.create("1", type: "Todo")
      try todo.setValue("1", for: "id")
      try todo.setValue("Feed the cat", for: "text")
      try todo.setValue(false, for: "isComplete")
      try todo.setValue(.null, for: "assignee")
    }
    #expect(texts.withLock { $0 } == ["Feed the cat"])
    withExtendedLifetime(observation) {}
  }
}
