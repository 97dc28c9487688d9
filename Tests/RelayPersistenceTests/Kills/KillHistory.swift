import Foundation
import RelayPersistence
import RelayStore
import Testing

/// The output of processes before they were killed, and its implications for the persisted data.
struct KillHistory {
  /// The highest number of a commit or an entry.
  private(set) var number = 0
  private var flushed = 0
  /// The highest number at the time of the last wipe.
  private var wiped = 0
  /// The keys of the entries that were persisted and not wiped, with the counter and its count.
  private(set) var committed: [String: (counter: String, count: Int)] = [:]
  /// The keys of entries that a later one may have replaced.
  private var superseded: Set<String> = []
  /// The server's ids of the created objects, by their client ids.
  private(set) var created: [String: String] = [:]
  /// The number of entries that later ones have replaced or cancelled.
  private(set) var vanished = 0
  /// The number of objects that were created, also before a wipe.
  private(set) var creations = 0
  private var acknowledged: Set<String> = []
  private var removed: Set<String> = []
  private var wipedKeys: Set<String> = []
  /// The keys among them that must be gone by now.
  private var mustBeWiped: Set<String> = []
  /// The counts from responses in the cache.
  private var counts: [String: Int] = [:]
  private var durations: [KillPhase: Int] = [:]

  /// The duration of a phase in microseconds.
  func duration(of phase: KillPhase) -> Int { durations[phase] ?? 500 }

  /// Adds a process's lines.
  ///
  /// - Returns: Whether the process was killed within the phase.
  mutating func add(_ lines: [String], in killed: KillPhase) -> Bool {
    var open: Set<KillPhase> = []
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      guard words.count > 1 else { continue }
      if words.count > 3 || words[0] == "committing", let count = words.last.flatMap(Int.init) {
        number = max(number, count)
      }
      let phase = KillPhase(rawValue: words[1])
      switch words[0] {
      case "begin": if let phase { open.insert(phase) }
      case "end":
        if let phase, words.count > 2, let duration = Int(words[2]) {
          open.remove(phase)
          // The shortest duration: a longer wait would outlast most phases.
          durations[phase] = max(1, min(durations[phase] ?? .max, duration))
        }
      case "flushed": flushed = max(flushed, Int(words[1]) ?? 0)
      case "committed": if words.count > 3 { commit(words) }
      case "creating":
        creations += 1
        if words.count > 2 { created[words[1]] = words[2] }
      case "superseding": supersede(words[1])
      case "vanished": vanished += 1
      case "sent": #expect(!acknowledged.contains(words[1]), "\(words[1]) was sent again")
      case "acknowledged": acknowledged.insert(words[1])
      case "removed": remove(words[1])
      case "wiping": loseCache(all: words[1] == "all")
      case "wiped": wipe(Int(words[1]) ?? 0)
      default: break
      }
    }
    return open.contains(killed)
  }

  private mutating func commit(_ words: [String]) {
    committed[words[1]] = (words[2], Int(words[3]) ?? 0)
  }

  private mutating func supersede(_ counter: String) {
    for (key, value) in committed where value.counter == counter {
      superseded.insert(key)
      committed[key] = nil
    }
  }

  private mutating func remove(_ key: String) {
    removed.insert(key)
    if let (counter, count) = committed[key] { counts[counter] = max(counts[counter] ?? 0, count) }
  }

  /// From here on the cache may be empty, and with `all` the outbox too.
  private mutating func loseCache(all: Bool) {
    (flushed, counts) = (0, [:])
    if all {
      wipedKeys.formUnion(committed.keys)
      wipedKeys.formUnion(superseded)
      (committed, superseded, created) = ([:], [], [:])
    }
  }

  private mutating func wipe(_ number: Int) {
    wiped = number
    self.number = max(self.number, number)
    mustBeWiped.formUnion(wipedKeys)
  }

  // MARK: Checks

  /// Checks the contents of a directory after a process was killed.
  func check(_ directory: TemporaryDirectory, after phase: KillPhase) async throws {
    try checkOutbox(directory)
    try await checkCache(directory, after: phase)
  }

  private func checkOutbox(_ directory: TemporaryDirectory) throws {
    let path = directory.path + "/store"
    let persistence = Persistence.sqlite(directory: path, library: testedLibrary)
    let entries = try persistence.storedEntries()
    let keys = entries.map(\.id.rawValue)
    #expect(Set(keys).count == keys.count)
    #expect(mustBeWiped.isDisjoint(with: keys))
    #expect(removed.isDisjoint(with: keys))
    for entry in entries where acknowledged.contains(entry.id.rawValue) {
      #expect(entry.state == .acknowledged)
    }
    let applied = AppliedMutations(path: directory.path + "/applied", killer: nil).applied
    let lost = Set(committed.keys).subtracting(keys).subtracting(applied)
    #expect(lost.isEmpty, "\(lost) of \(committed.count)")
  }

  private func checkCache(_ directory: TemporaryDirectory, after phase: KillPhase) async throws {
    let stored = PersistedStore(
      .sqlite(directory: directory.path + "/store", library: testedLibrary))
    await stored.store.loaded()
    // The new cache may not have been created yet.
    let problems = stored.events.problems.filter { problem in
      if phase == .migration, case .persistenceReplaced = problem { false } else { true }
    }
    #expect(problems.isEmpty)
    let found = try stored.environment.committedNumber()
    #expect(found ?? 0 >= flushed)
    #expect(found ?? .max > wiped)
    #expect(found ?? 0 <= number)
    for (counter, count) in counts { #expect(stored.environment.count(of: counter) >= count) }
    stored.check()
    try await stored.close()
  }
}
