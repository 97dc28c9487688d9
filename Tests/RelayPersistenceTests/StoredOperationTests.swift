import Foundation
import RelayStoreTesting
import Testing

@testable import RelayPersistence
@testable import RelayStore

/// A query for a list of items, with a separate list for each tag.
private let items = OperationPlan(
  name: "ItemsQuery",
  reader: SelectionPlan("ItemsQuery Query{items(tag:$tag) [Item{id ID! name String}]}"),
  normalization: SelectionPlan(
    "Query{items(tag:$tag) [Item{__typename String! id ID! name String}]}"))

extension PersistedStore {
  fileprivate func request(_ tag: String) -> OperationRequest {
    OperationRequest(
      items, variables: Variables(json: ["tag": .string(tag)]), store: store, root: .root)
  }

  /// Writes a response with one item, as a fetch would.
  fileprivate func fetch(_ tag: String, id: String, name: String = "x") throws {
    let request = request(tag)
    let data: JSONValue = [
      "items": [["__typename": "Item", "id": .string(id), "name": .string(name)]]
    ]
    try store.publish(
      [.commit(try request.payload(data.jsonBytes), root: .root)], of: request.written)
  }

  fileprivate func check(_ tag: String) -> OperationAvailability {
    store.check(request(tag).written)
  }
}

@Suite("Storage: operations", .timeLimit(.minutes(1)))
struct StoredOperationTests {
  private func reopened(
    _ memory: MemoryPersistence,
    _ configuration: RecordStore.Configuration = .init(
      garbageCollection: .manual), queryLimit: Int = 200
  ) async -> PersistedStore {
    var persistence = memory.persistence
    persistence.queryLimit = queryLimit
    let stored = PersistedStore(persistence, configuration: configuration)
    await stored.store.loaded()
    return stored
  }

  @Test("the queries of the last run are available, and keep their data from the collector")
  func kept() async throws {
    let memory = MemoryPersistence()
    let first = await reopened(memory)
    try first.fetch("a", id: "1")
    let retention = first.store.retain(
      first.request("b").identity, first.request("b").plan, root: .root)
    try first.fetch("b", id: "2")
    try first.environment.commitUpdate { _ = try $0.create("garbage", type: "Item") }
    let dates = ["a", "b"].map { first.check($0) }
    try await first.close()
    retention.release()

    let second = await reopened(memory)
    #expect(["a", "b"].map { second.check($0).isAvailable } == [true, true])
    for (old, new) in zip(dates, ["a", "b"].map { second.check($0) }) {
      guard case .available(let old?) = old, case .available(let new?) = new else {
        Issue.record("A fetch time is lost.")
        continue
      }
      #expect(abs(old.timeIntervalSince(new)) < 0.001)
    }
    second.store.collectGarbage()
    #expect(["a", "b"].map { second.check($0).isAvailable } == [true, true])
    #expect(!second.store.dump(.base).contains("garbage"))
    second.check()
  }

  @Test("the time for which the server says that a response is fresh goes on after a restart")
  func maxAge() async throws {
    let memory = MemoryPersistence()
    let clock = VirtualClock()
    var configuration = RecordStore.Configuration(clock: clock, garbageCollection: .manual)
    configuration.date = { Date(timeIntervalSince1970: 1_000_000) }
    let first = await reopened(memory, configuration)
    for (tag, maxAge) in [("a", Duration.seconds(50)), ("b", nil)] {
      var written = first.request(tag).written
      written.maxAge = maxAge
      let payload = try first.request(tag).payload(Array(#"{"items":[]}"#.utf8))
      try first.store.publish([.commit(payload, root: .root)], of: written)
    }
    try await first.close()

    configuration.date = { Date(timeIntervalSince1970: 1_000_020) }
    let second = await reopened(memory, configuration)
    #expect(second.store.timeLeft(of: second.request("a").identity) == .seconds(30))
    #expect(second.store.timeLeft(of: second.request("b").identity) == nil)
    clock.advance(by: .seconds(30))
    #expect(["a", "b"].map { second.check($0) == .stale } == [true, false])
  }

  @Test("a load that does not wait for the storage says when data of the last run has become stale")
  func staleWhileLoading() async throws {
    let memory = MemoryPersistence()
    var configuration = RecordStore.Configuration(
      clock: VirtualClock(), garbageCollection: .manual)
    configuration.date = { Date(timeIntervalSince1970: 1_000_000) }
    let first = await reopened(memory, configuration)
    var written = first.request("a").written
    written.maxAge = .seconds(50)
    let payload = try first.request("a").payload(Array(#"{"items":[]}"#.utf8))
    try first.store.publish([.commit(payload, root: .root)], of: written)
    try await first.close()
    configuration.date = { Date(timeIntervalSince1970: 1_000_060) }
    let gate = GatedPersistence(memory)
    let second = PersistedStore(gate.persistence, configuration: configuration)
    let load = QueryLoad(
      second.request("a"), in: second.environment, policy: .networkOnly, options: LoadOptions())
    #expect(!load.state.withLock { $0.isExpired })
    gate.open()
    await second.store.loaded()
    #expect(load.state.withLock { $0.isExpired })
    load.end()
  }

  @Test("the least recently used queries are dropped beyond the limit")
  func limit() async throws {
    let memory = MemoryPersistence()
    let first = await reopened(
      memory, .init(releaseBufferSize: 0, garbageCollection: .manual), queryLimit: 2)
    for tag in ["a", "b", "a", "c"] { try first.fetch(tag, id: tag) }
    try await first.close()
    let second = await reopened(
      memory, .init(releaseBufferSize: 0, garbageCollection: .manual), queryLimit: 2)
    second.store.collectGarbage()
    #expect(["a", "b", "c"].map { second.check($0).isAvailable } == [true, false, true])
    try second.fetch("d", id: "d")
    second.store.collectGarbage()
    #expect(["a", "c", "d"].map { second.check($0).isAvailable } == [false, true, true])
  }

  @Test("beyond the limit of bytes the least recently used queries are dropped, pinned ones never")
  func byteLimit() async throws {
    let memory = MemoryPersistence()
    var persistence = memory.persistence
    persistence.byteLimit = 20_000
    let first = PersistedStore(persistence)
    await first.store.loaded()
    first.store.pin(first.request("pinned").identity, first.request("pinned").plan, root: .root)
    let name = String(repeating: "x", count: 1_000)
    try first.fetch("pinned", id: "pinned", name: name)
    for index in 0..<40 {
      try first.fetch("\(index)", id: "\(index)", name: name)
      try await first.store.flush()
    }
    for _ in 0..<100 { try await first.store.flush() }
    #expect(memory.engine().byteCount < 30_000)
    #expect(first.check("pinned").isAvailable)
    #expect(first.check("39").isAvailable)
    #expect(!first.check("0").isAvailable)
    first.check()
    try await first.close()

    let second = PersistedStore(persistence)
    await second.store.loaded()
    second.check()
    second.store.collectGarbage()
    #expect(second.check("pinned").isAvailable)
    second.store.unpin(second.request("pinned").identity)
    for _ in 0..<200 { try second.fetch("\(UInt64.random(in: 0...UInt64.max))", id: "1") }
    second.store.collectGarbage()
    #expect(!second.check("pinned").isAvailable)
  }

  @Test("a query expires by the dates of both runs", arguments: [3000.0, 5000, -10])
  func expiration(seconds: Double) async throws {
    let memory = MemoryPersistence()
    let start = Date(timeIntervalSince1970: 1_700_000_000)
    var configuration = RecordStore.Configuration(
      queryExpiration: .seconds(3600), garbageCollection: .manual)
    configuration.date = { start }
    let first = await reopened(memory, configuration)
    try first.fetch("a", id: "1")
    try await first.close()
    configuration.date = { start.addingTimeInterval(seconds) }
    let second = await reopened(memory, configuration)
    switch seconds {
    case 3000: #expect(second.check("a").isAvailable)
    // The device's clock was set back.
    case ..<0: #expect(second.check("a") == .stale)
    // An expired query is not retained.
    default:
      second.store.collectGarbage()
      #expect(second.check("a").isMissing)
      try await second.close()
      #expect(try memory.image().roots.isEmpty)
    }
  }

  @Test("a query that is fresh by its own time is kept over a restart, however old it is")
  func freshByOwnAge() async throws {
    let memory = MemoryPersistence()
    let start = Date(timeIntervalSince1970: 1_700_000_000)
    var configuration = RecordStore.Configuration(
      queryExpiration: .seconds(60), garbageCollection: .manual)
    configuration.maxAges = ["Item": .seconds(3600)]
    configuration.date = { start }
    let first = await reopened(memory, configuration)
    try first.fetch("a", id: "1")
    try await first.close()
    for (seconds, isKept) in [(3000.0, true), (4000, false)] {
      configuration.date = { start.addingTimeInterval(seconds) }
      let next = await reopened(memory, configuration)
      next.store.collectGarbage()
      #expect(next.check("a").isAvailable == isKept)
      #expect(next.check("a").isMissing != isKept)
      try await next.close()
    }
  }

  @Test(
    "a query that has expired is stale, not new, when it is in use before the records are loaded")
  func expiredInUse() async throws {
    let memory = MemoryPersistence()
    let start = Date(timeIntervalSince1970: 1_700_000_000)
    var configuration = RecordStore.Configuration(
      queryExpiration: .seconds(3600), garbageCollection: .manual)
    configuration.date = { start }
    let first = await reopened(memory, configuration)
    try first.fetch("a", id: "1")
    try await first.close()
    configuration.date = { start.addingTimeInterval(5000) }
    let gated = GatedPersistence(memory)
    let second = PersistedStore(gated.persistence, configuration: configuration)
    let request = second.request("a")
    let retention = second.store.retain(request.identity, request.plan, root: .root)
    gated.open()
    await second.store.loaded()
    #expect(second.check("a") == .stale)
    retention.release()
  }

  @Test("invalidations and later writes are compared across runs")
  func invalidation() async throws {
    let memory = MemoryPersistence()
    let first = await reopened(memory)
    try first.fetch("a", id: "1")
    try first.fetch("b", id: "2")
    try first.environment.commitUpdate { try $0["1"]?.invalidateRecord() }
    try await first.close()

    let second = await reopened(memory)
    #expect(second.check("a") == .stale)
    #expect(second.check("b").isAvailable)
    try second.fetch("a", id: "1")
    #expect(second.check("a").isAvailable)
    try await second.close()

    let third = await reopened(memory)
    #expect(["a", "b"].map { third.check($0).isAvailable } == [true, true])
    try third.environment.commitUpdate { try $0.invalidateStore() }
    try await third.close()

    let fourth = await reopened(memory)
    #expect(["a", "b"].map { fourth.check($0) } == [.stale, .stale])
    try fourth.fetch("b", id: "2")
    #expect(fourth.check("b").isAvailable)
  }

  @Test("an invalidation of the last run does not concern what was written before the load")
  func writtenWhileLoading() async throws {
    let memory = MemoryPersistence()
    let first = await reopened(memory)
    try first.fetch("a", id: "1")
    for _ in 0..<5 { try first.environment.commitUpdate { try $0.invalidateStore() } }
    try await first.close()
    let second = PersistedStore(memory.persistence)
    try second.fetch("a", id: "1", name: "new")
    await second.store.loaded()
    #expect(second.check("a").isAvailable)
  }
}
