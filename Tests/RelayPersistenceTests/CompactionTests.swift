import Foundation
import RelayPersistence
import RelayStore
import Testing

@Suite("Storage: compaction of the log", .timeLimit(.minutes(1)))
struct CompactionTests {
  private static let (pages, limit) = (200, 256 * 1024)

  /// A store with 64 records in each page.
  private static func filled(_ memory: MemoryPersistence) async throws -> PersistedStore {
    let stored = PersistedStore(memory.persistence)
    await stored.store.loaded()
    try stored.environment.commitUpdate { store in
      for number in 0..<pages * PersistedPage.size {
        let record = try store.create(DataID("item:\(number)"), type: "Item")
        try record.setValue(.string(String(repeating: "x", count: 40)), for: "text")
      }
    }
    try await stored.store.flush()
    return stored
  }

  @Test("no batch writes or removes much more than was changed")
  func bounded() async throws {
    let memory = MemoryPersistence()
    let stored = try await Self.filled(memory)
    let first = memory.state.withLock { $0.writes.count }
    var round = 0
    // Twice, to see the state that the first compaction leaves behind.
    for goal in [1, 2] {
      while memory.state.withLock({ $0.logRemovals.reduce(0, +) }) < goal * 2 * Self.limit {
        try #require(round < 500, "The log is not compacted.")
        round += 1
        try stored.environment.commitUpdate { [round] store in
          for page in 0..<Self.pages {
            let id = DataID(
              "item:\(page * PersistedPage.size + (round * 7 + page) % PersistedPage.size)")
            try store[id]?.setValue(
              .string("\(round)" + String(repeating: "y", count: 90)), for: "text")
          }
        }
        try await stored.store.flush()
      }
    }
    let (writes, removals) = memory.state.withLock { (Array($0.writes[first...]), $0.logRemovals) }
    // Pages are counted by their average size, and a batch also writes its own changes.
    #expect(writes.allSatisfy { $0 < Self.limit * 3 / 2 })
    #expect(removals.allSatisfy { $0 <= Self.limit })
    let dump = stored.store.dump(.base)
    try await stored.close()
    let second = PersistedStore(memory.persistence)
    await second.store.loaded()
    #expect(second.differences(from: dump) == [])
    #expect(second.events.problems.isEmpty)
  }
}
