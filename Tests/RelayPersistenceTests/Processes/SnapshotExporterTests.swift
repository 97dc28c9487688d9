import Foundation
import RelayStoreTesting
import Testing

@testable import RelayPersistence
@testable import RelayStore

@Suite("Snapshot exporters", .timeLimit(.minutes(1)))
struct SnapshotExporterTests {
  private let container = SharedContainer()
  private let clock = VirtualClock()
  private let app: RelayEnvironment
  /// One element for each file written.
  private let exports: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    app = makeApp(clock: clock)
    (exports, continuation) = AsyncStream.makeStream()
  }

  private func exporter(layer: RecordStore.Layer = .visible) -> SnapshotExporter {
    app.exportSnapshots(
      of: [TodosQuery("a")], to: container.snapshot, delay: .seconds(2), layer: layer
    ) { [continuation] in continuation.yield() }
  }

  @Test("changes of the exported data are exported together")
  func coalesced() async throws {
    try app.receive([("1", "milk")])
    let exporter = exporter()
    var written = exports.makeAsyncIterator()
    _ = await written.next()
    #expect(try container.reader().texts() == ["milk"])

    try app.receive([("1", "oat milk")])
    try await clock.sleepers(1)
    try app.receive([("1", "oat milk"), ("2", "bread")])
    #expect(try container.reader().texts() == ["milk"])
    clock.advance(by: .seconds(2))
    _ = await written.next()
    #expect(try container.reader().texts() == ["oat milk", "bread"])
    exporter.cancel()
  }

  @Test(
    "the same data again, or another change of its records, or of others, does not write the file")
  func unchanged() async throws {
    try app.receive([("1", "milk")])
    let exporter = exporter()
    var written = exports.makeAsyncIterator()
    _ = await written.next()
    let date = try modification()
    try app.receive([("1", "milk")])
    try app.receive([("9", "other")], tag: "b")
    try app.commitUpdate { try $0[DataID("1")]?.setValue(.string("x"), for: "note") }
    try await exporter.export()
    #expect(try modification() == date)
    try app.receive([("1", "oat milk")])
    try await exporter.export()
    #expect(try modification() != date)
    exporter.cancel()
  }

  private func modification() throws -> UInt64? {
    let attributes = try FileManager.default.attributesOfItem(atPath: container.snapshot.path)
    return attributes[.systemFileNumber].flatMap { $0 as? NSNumber }?.uint64Value
  }

  @Test("it keeps its queries from the collector, also after a reset, until it is dropped")
  func retention() async throws {
    try app.receive([("1", "milk")])
    var exporter: SnapshotExporter? = exporter()
    app.store.collectGarbage()
    try await exporter?.export()
    #expect(try container.reader().texts() == ["milk"])
    app.reset()
    try await exporter?.export()
    #expect(try container.reader().texts() == nil)
    try app.receive([("2", "bread")])
    app.store.collectGarbage()
    try await exporter?.export()
    #expect(try container.reader().texts() == ["bread"])
    exporter?.cancel()
    #expect(app.store.statistics.retainedOperations == 0)
    exporter = nil
  }

  @Test("a file that cannot be written is reported, and written with the next change")
  func failure() async throws {
    let events = Locked<[StoreEvent]>([])
    let (problems, problem) = AsyncStream<Void>.makeStream()
    let app = RelayEnvironment(
      store: RecordStore(
        configuration: .init(
          clock: clock,
          log: { event in
            events.withLock { $0.append(event) }
            if case .snapshotFailed = event { problem.yield() }
          })), transport: ForbiddenTransport())
    try app.receive([("1", "milk")])
    var files = FileSystem()
    files.willCall = { call, _ in
      if call == .write { throw PersistenceFailure(.io, "The disk is full.") }
    }
    app.exports.files = files
    let exporter = app.exportSnapshots(
      of: [TodosQuery("a")], to: container.snapshot
    ) { [continuation] in continuation.yield() }
    for await _ in problems { break }
    #expect(throws: RelayError.self) { try container.reader() }
    app.exports.files = FileSystem()
    try app.receive([("1", "oat milk")])
    try await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    for await _ in exports { break }
    #expect(try container.reader().texts() == ["oat milk"])
    #expect(events.withLock { $0.contains { $0.isProblem } })
    exporter.cancel()
  }
}
