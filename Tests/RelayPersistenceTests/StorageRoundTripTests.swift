import Foundation
import RelayPersistence
import RelayStore
import SeededRandom
import Testing

@Suite("Storage: round trips", .timeLimit(.minutes(1)))
struct StorageRoundTripTests {
  @Test("what was flushed is there after the store was opened again")
  func reopened() async throws {
    let directory = TemporaryDirectory()
    var dump = ""
    do {
      let first = PersistedStore(directory)
      try first.environment.commitUpdate { store in
        let user = try store.create("1", type: "User")
        try user.setValue("Ann", for: "name")
        try user.setValue(["a": [1, nil, true]], for: "extra")
        try store.root.setLinkedRecord(user, for: "me")
        try store.root.setLinkedRecords([user], for: "users", arguments: ["first": 10])
      }
      try await first.close()
      dump = first.store.dump(.base)
      #expect(first.events.problems.isEmpty)
    }
    let second = PersistedStore(directory)
    await second.store.loaded()
    #expect(second.differences(from: dump) == [])
    #expect(dump.contains("Ann"))
    #expect(second.events.list.contains(.loaded(records: 2)))
    second.check()
  }

  @Test("random updates are stored, in any number of runs", arguments: [1, 2, 3, 4] as [UInt64])
  func randomUpdates(seed: UInt64) async throws {
    let memory = MemoryPersistence()
    var updates = RandomUpdates(seed: seed)
    var (dump, rounds) = (String?.none, 0)
    for _ in 0..<12 {
      let stored = PersistedStore(memory.persistence)
      // Some runs write before the records have loaded.
      if dump == nil || Int.random(in: 0..<3, using: &updates.random) > 0 {
        await stored.store.loaded()
        if let dump { #expect(stored.differences(from: dump) == []) }
        rounds += 1
      }
      for _ in 0..<Int.random(in: 1..<6, using: &updates.random) {
        let steps = [3, 30, 300].randomElement(using: &updates.random) ?? 3
        try updates.update(stored.environment, steps: steps)
        if Bool.random(using: &updates.random) {
          try await stored.store.flush()
          _ = try memory.image()
        }
        if Int.random(in: 0..<4, using: &updates.random) == 0 { stored.store.collectGarbage() }
      }
      try await stored.close()
      _ = try memory.image()
      stored.check()
      #expect(stored.events.problems.isEmpty)
      dump = stored.store.dump(.base)
    }
    #expect(rounds > 3)
  }
}
