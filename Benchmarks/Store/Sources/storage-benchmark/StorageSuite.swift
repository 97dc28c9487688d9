import Foundation
import Measuring
import RelayStore
import RelayStoreSQLite

/// The cases, each over a store of 100,000 items.
struct StorageSuite {
  let directory: URL
  private let count = 100_000
  private let bytes = payload(100_000)

  init(directory: URL) { self.directory = directory }

  private func path(_ name: String) -> URL { directory.appendingPathComponent(name) }

  private func environment(_ name: String?) -> RelayEnvironment {
    let configuration = RecordStore.Configuration(
      garbageCollection: .manual,
      storage: name.map { .sqlite(directory: path($0)) })
    return RelayEnvironment(
      store: RecordStore(configuration: configuration), transport: NoTransport())
  }

  private func remove(_ name: String) { try? FileManager.default.removeItem(at: path(name)) }

  /// The wall time, in nanoseconds.
  private var wall: UInt64 { DispatchTime.now().uptimeNanoseconds }

  func warmUp() async throws {
    remove("list")
    let environment = environment("list")
    await environment.store.loaded()
    try environment.commitPayload(ItemsQuery(first: count), json: bytes)
    try await environment.store.suspend()
  }

  /// Stores a response of new records behind the app.
  func writeBehind() async throws {
    remove("list")
    let environment = environment("list")
    await environment.store.loaded()
    try environment.commitPayload(ItemsQuery(first: count), json: bytes)
    let (start, cpu) = (wall, Samples.processNow)
    try await environment.store.flush()
    Samples.record("store_100000", nanoseconds: wall - start)
    Samples.record("store_100000_cpu", nanoseconds: Samples.processNow - cpu)
    try await environment.store.suspend()
  }

  /// Loads what `writeBehind` has stored.
  func load() async throws {
    let (start, cpu) = (wall, Samples.processNow)
    let environment = environment("list")
    await environment.store.loaded()
    Samples.record("load_100000", nanoseconds: wall - start)
    Samples.record("load_100000_cpu", nanoseconds: Samples.processNow - cpu)
    let first = wall
    let row = environment.read(FragmentRef<ItemRow>(id: "item-50000")).data
    Samples.record("first_fragment", nanoseconds: wall - first)
    precondition(row?.score == 50_000)
    // The first check decodes each record; the second one finds them decoded.
    let decode = wall
    precondition(environment.check(ItemsQuery(first: count)).isAvailable)
    let check = wall
    precondition(environment.check(ItemsQuery(first: count)).isAvailable)
    let again = wall - check
    Samples.record("check_100000", nanoseconds: again)
    Samples.record("decode_100000", nanoseconds: max(again, check - decode) - again)
    try await environment.store.suspend()
  }

  /// Changes 1,000 records at random places.
  func scattered() async throws {
    let environment = environment("list")
    await environment.store.loaded()
    for round in 0..<20 {
      try environment.commitUpdate { store in
        for index in 0..<1_000 {
          let id = (index * 7919 + round * 104_729) % 100_000
          try store[DataID("item-\(id)")]?.setValue(.number(JSONNumber(round + id)), for: "score")
        }
      }
      let (start, written) = (wall, Self.writtenBytes)
      try await environment.store.flush()
      Samples.record("scattered_1000", nanoseconds: wall - start)
      print("BYTES name=scattered_1000 bytes=\(Self.writtenBytes - written)")
    }
    try await environment.store.suspend()
  }

  /// Publishes a response of 10,000 items with and without a storage, in turns.
  func publish() async throws {
    remove("publish")
    let (with, without) = (environment("publish"), environment(nil))
    await with.store.loaded()
    for round in 0..<6 {
      let bytes = payload(10_000, offset: round)
      for (name, environment) in [("publish_stored", with), ("publish_plain", without)] {
        let start = Samples.now
        try environment.commitPayload(ItemsQuery(first: 10_000), json: bytes)
        if round > 0 { Samples.record(name, nanoseconds: Samples.now - start) }
      }
      try await with.store.flush()
    }
    try await with.store.suspend()
  }

  /// The number of bytes that this process has written.
  private static var writtenBytes: Int {
    let text = (try? String(contentsOfFile: "/proc/self/io", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("wchar: ") }
    return line.flatMap { Int($0.dropFirst(7)) } ?? 0
  }
}
