import RelayPersistence
import RelayStore
import RelayStoreTesting
import Testing

@Suite("Statistics of a store", .timeLimit(.minutes(1)))
struct StatisticsTests {
  @Test(
    "the records of the base are counted: with the root and deleted ones, without collected ones")
  func records() throws {
    let environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)),
      transport: MockTransport())
    let store = environment.store
    let first = store.statistics
    #expect(first.records == 1 && first.observers == 0)
    #expect(first.retainedOperations == 0 && first.optimisticUpdates == 0)
    try environment.commitUpdate { store in
      for id in ["a", "b", "c"] { _ = try store.create(DataID(id), type: "Todo") }
    }
    let count = store.statistics.records
    #expect(count >= 4 && store.statistics.isEmpty)
    try environment.commitUpdate { _ = try $0.create("d", type: "Todo") }
    #expect(store.statistics.records == count + 1)
    try environment.commitUpdate { try $0.delete("a") }
    #expect(store.statistics.records == count + 1)
    let retention = environment.retain(TodoListQuery())
    let model = environment.readAndObserve(TodoListQuery()) { _ in }.observation
    #expect(store.statistics.retainedOperations == 1 && store.statistics.observers == 1)
    #expect(!store.statistics.isEmpty)
    let report = store.collectGarbage()
    #expect(report.collected >= 4 && store.statistics.records == report.retained)
    withExtendedLifetime((retention, model)) {}
  }

  @Test("ids of collected records that something still links to are not counted")
  func tombstones() throws {
    let environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)),
      transport: MockTransport())
    try environment.commitUpdate { store in
      try store.root.setLinkedRecord(try store.create("u", type: "User"), for: "user")
    }
    let report = environment.store.collectGarbage()
    #expect(report.retained == 1 && environment.store.statistics.records == 1)
  }

  @Test("a mirror is an observer")
  func mirror() {
    struct Writer: FragmentWriter {
      func write(_ changes: FragmentChanges<TodoRow_todo>) {}
    }
    let environment = RelayEnvironment(transport: MockTransport())
    let mirror = environment.mirror(TodoRow_todo.self, into: Writer())
    #expect(environment.store.statistics.observers == 1)
    mirror.cancel()
    #expect(environment.store.statistics.observers == 0)
  }
}
