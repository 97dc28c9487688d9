import Foundation
import Measuring
import RelayPersistence
import RelayStore

/// The cases of a store of 100,000 items.
struct StorageSuite {
  let directory: URL
  private let count = 100_000
  private var query: ItemsQuery { ItemsQuery(first: count) }

  init(directory: URL) { self.directory = directory }

  private func path(_ name: String) -> URL { directory.appendingPathComponent(name) }

  /// - Parameter name: The name of the storage's directory; `nil` for a store without storage.
  private func environment(_ name: String?) -> RelayEnvironment {
    let configuration = RecordStore.Configuration(
      garbageCollection: .manual,
      persistence: name.map { .sqlite(directory: path($0)) })
    return RelayEnvironment(
      store: RecordStore(configuration: configuration), transport: NoTransport())
  }

  private func remove(_ name: String) { try? FileManager.default.removeItem(at: path(name)) }

  /// Persists the list that ``load()`` and ``change(_:)`` read.
  func fill() async throws {
    remove("list")
    let environment = environment("list")
    await environment.store.loaded()
    try environment.commitPayload(query, data: payload(count))
    try await environment.store.suspend()
  }

  /// Persists a response of new records in the background.
  func write(_ rounds: Int) async throws {
    let bytes = payload(count)
    for round in 0...rounds {
      remove("write")
      let environment = environment("write")
      await environment.store.loaded()
      try environment.commitPayload(query, data: bytes)
      let (start, cpu) = (Samples.wall, Samples.processNow)
      try await environment.store.flush()
      let (end, cpuEnd) = (Samples.wall, Samples.processNow)
      // The first round warms up.
      if round > 0 {
        Samples.record("write", nanoseconds: end - start)
        Samples.record("write_cpu", nanoseconds: cpuEnd - cpu)
      }
      try await environment.store.suspend()
    }
  }

  /// Loads the list, as an app does at launch.
  func load() async throws {
    let (start, cpu) = (Samples.wall, Samples.processNow)
    let environment = environment("list")
    await environment.store.loaded()
    Samples.record("load", nanoseconds: Samples.wall - start)
    Samples.record("load_cpu", nanoseconds: Samples.processNow - cpu)
    let first = Samples.wall
    let row = environment.read(FragmentRef<ItemRow>(id: "item:50000")).data
    Samples.record("first_fragment", nanoseconds: Samples.wall - first)
    guard row?.name == "Item number 50000" else { throw Unexpected.noData }
    // The first check decodes each record; the second one finds the decoded records.
    let decode = Samples.now
    guard environment.check(query).isAvailable else { throw Unexpected.noData }
    let check = Samples.now
    guard environment.check(query).isAvailable else { throw Unexpected.noData }
    let again = Samples.now - check
    Samples.record("decode", nanoseconds: max(again, check - decode) - again)
    try await environment.store.suspend()
  }

  /// In each round, changes 1,000 records of the list, none of them adjacent, and persists them in
  /// one batch.
  func change(_ rounds: Int) async throws {
    let environment = environment("list")
    await environment.store.loaded()
    for round in 0..<rounds {
      let written = Self.writtenBytes
      try environment.commitUpdate { store in
        for index in 0..<1_000 {
          let item = (index * 7_919 + round * 104_729) % count
          try store[DataID("item:\(item)")]?.setValue(
            .number(JSONNumber(1_000 + round)), for: "score")
        }
      }
      let start = Samples.wall
      try await environment.store.flush()
      Samples.record("scattered", nanoseconds: Samples.wall - start)
      let flushed = Self.writtenBytes
      print("BYTES name=scattered bytes=\(flushed - written)")
      // After a scheduled write, a compaction may follow in its own batch.
      try await Task.sleep(for: .milliseconds(40))
      let rest = Self.writtenBytes - flushed
      if rest > 0 { print("BYTES name=scattered bytes=\(rest)") }
    }
    try await environment.store.suspend()
  }

  /// Publishes a response that changes 10,000 items, alternating with and without storage.
  func publish(_ rounds: Int) async throws {
    remove("publish")
    let (with, without) = (environment("publish"), environment(nil))
    await with.store.loaded()
    for round in 0...rounds {
      let bytes = payload(10_000, adding: round)
      var cases = [("publish_stored", with), ("publish_plain", without)]
      if round % 2 == 0 { cases.reverse() }
      for (name, environment) in cases {
        let start = Samples.now
        try environment.commitPayload(ItemsQuery(first: 10_000), data: bytes)
        let end = Samples.now
        if round > 0 { Samples.record(name, nanoseconds: end - start) }
        // Background writes of one case must not disturb the other.
        try await with.store.flush()
      }
    }
    try await with.store.suspend()
  }

  /// The number of bytes that this process has passed to `write`.
  private static var writtenBytes: Int {
    let text = (try? String(contentsOfFile: "/proc/self/io", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("wchar: ") }
    return line.flatMap { Int($0.dropFirst(7)) } ?? 0
  }

  enum Unexpected: Error { case noData }
}
