import Foundation
import SeededRandom
import Testing

@testable import RelayPersistence
@_spi(GeneratedCode) @testable import RelayStore

/// Random runs of a program that is killed and has a failing database: every value from the server
/// is written once.
///
/// `make soak-storage` runs many more cases, so the suite has 20 minutes.
@Suite("Mirrors after a restart", .timeLimit(.minutes(20)))
struct MirrorRestartTests {
  @Test("every change is written exactly once", arguments: [1, 2, 4, 5, 6] as [UInt64])
  func random(seed: UInt64) async throws {
    let directory = TemporaryDirectory()
    let database = try AppDatabase(directory)
    try database.createLoggedItems()
    var app = RestartedApp(database, seed: seed)
    for run in 0..<25 { try await app.run(isLast: run == 24) }
    print("Mirror restarts: seed \(seed), \(app.reached.sorted { $0.key < $1.key })")
    for state in ["ahead", "lost by the writer", "deleted between runs", "collected"] {
      #expect(app.reached[state, default: 0] > 0, "\(state) was not reached")
    }
  }

  @Test("a value that the store has lost stays until the store has another one")
  func ahead() async throws {
    let directory = TemporaryDirectory()
    let database = try AppDatabase(directory)
    try database.createLoggedItems()
    let memory = MemoryPersistence()
    var rows: [RowKey: [UInt8]] = [:]
    do {
      let (stored, writer) = (PersistedStore(memory.persistence), database.writer())
      let mirror = stored.environment.mirror(ItemFragment.self, into: writer)
      await stored.store.loaded()
      try stored.environment.writeItem("a", ["number": 1])
      try stored.environment.writeItem("b", ["number": 1])
      try stored.environment.deleteItem("b")
      try await writer.settled()
      try await stored.store.flush()
      rows = memory.state.withLock { $0.rows }
      try stored.environment.writeItem("a", ["number": 2])
      try stored.environment.writeItem("b", ["number": 2])
      try await writer.settled()
      mirror.cancel()
      try await stored.close()
    }
    memory.state.withLock { $0.rows = rows }
    _ = try database.drainLog()
    let (stored, writer) = (PersistedStore(memory.persistence), database.writer())
    let mirror = stored.environment.mirror(ItemFragment.self, into: writer)
    await stored.store.loaded()
    try await writer.settled()
    #expect(stored.number(of: "a") == 1 && stored.number(of: "b") == nil)
    try stored.environment.commitUpdate { try $0["a"]?.setValue(5, for: "unrelated") }
    try await writer.flush()
    #expect(try database.drainLog() == [])
    for id in ["a", "b"] { try stored.environment.writeItem(id, ["number": 2]) }
    try await writer.flush()
    #expect(try database.drainLog() == [])
    for id in ["a", "b"] { try stored.environment.writeItem(id, ["number": 1]) }
    try await writer.flush()
    #expect(try database.drainLog() == ["a=1", "b=1"])
    mirror.cancel()
  }

  @Test("an optimistic value that was saved is reverted by the next run")
  func optimistic() async throws {
    let directory = TemporaryDirectory()
    let database = try AppDatabase(directory)
    try database.createLoggedItems()
    let memory = MemoryPersistence()
    do {
      let (stored, writer) = (PersistedStore(memory.persistence), database.writer())
      let mirror = stored.environment.mirror(ItemFragment.self, into: writer)
      await stored.store.loaded()
      try stored.environment.writeItem("a", ["number": 1])
      try await stored.store.flush()
      let update = try stored.environment.applyUpdate { try $0["a"]?.setValue(2, for: "number") }
      try await writer.settled()
      #expect(try database.drainLog().last == "a=2")
      mirror.cancel()
      try await stored.close()
      withExtendedLifetime(update) {}
    }
    let (stored, writer) = (PersistedStore(memory.persistence), database.writer())
    let mirror = stored.environment.mirror(ItemFragment.self, into: writer)
    await stored.store.loaded()
    try await writer.settled()
    #expect(try database.drainLog() == ["a=1"])
    mirror.cancel()
  }
}

/// An app whose store and database both lose some of their data when it is killed.
private struct RestartedApp {
  private let database: AppDatabase
  private let memory = MemoryPersistence()
  private var random: SeededGenerator
  /// The number that the server has for each object; `nil` for a deleted one.
  private var server: [String: Int?] = [:]
  private var lastNumber = 0
  /// The number of commits, the last commit of each object, and the last commit in the storage.
  private var commitCount = 0
  private var lastCommits: [String: Int] = [:]
  private var storedCommit = 0
  /// The newest write of each object that the database logged.
  private var written: [String: String] = [:]
  /// The objects whose last commit the store had lost at the start of the run.
  private var ahead: Set<String> = []
  /// The number of times that each state was reached.
  private(set) var reached: [String: Int] = [:]

  init(_ database: AppDatabase, seed: UInt64) {
    self.database = database
    random = SeededGenerator(seed: seed)
  }

  /// Runs the app until it is killed.
  mutating func run(isLast: Bool) async throws {
    try database.setFailing(false)
    let (stored, writer) = (PersistedStore(memory.persistence), database.writer())
    let mirror = stored.environment.mirror(ItemFragment.self, into: writer)
    await stored.store.loaded()
    let aheadBefore = ahead
    ahead = Set(lastCommits.filter { $0.value > storedCommit }.keys)
    reached["ahead", default: 0] += ahead.count
    try await writer.settled()
    try check(mayGoBack: aheadBefore)
    var image: (rows: [RowKey: [UInt8]], commit: Int)?
    var isFailing = false
    for _ in 0..<Int.random(in: 1..<12, using: &random) {
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<6: try fetch(stored, changes: true)
      case 6: try fetch(stored, changes: false)
      case 7:
        try await stored.store.flush()
        if image == nil { image = (memory.state.withLock { $0.rows }, commitCount) }
      case 8 where !isFailing:
        try await writer.flush()
        if stored.store.collectGarbage().collected > 0 { reached["collected", default: 0] += 1 }
      case 9, 10:
        isFailing = Bool.random(using: &random)
        try database.setFailing(isFailing)
      default:
        try? await writer.flush()
        try check()
      }
    }
    if isLast {
      try database.setFailing(false)
      try fetch(stored, changes: false)
    }
    // Writes that the writer could not make are lost with it, as in a kill.
    do {
      try await writer.flush()
      try checkComplete(stored)
    } catch let error as RelayError where error.code == .persistence {
      reached["lost by the writer", default: 0] += 1
    }
    try check()
    mirror.cancel()
    try await stored.close()
    // The store loses its last commits too.
    storedCommit = commitCount
    if let image, Bool.random(using: &random) {
      memory.state.withLock { $0.rows = image.rows }
      storedCommit = image.commit
    }
  }

  /// Commits the server's current values of some objects; with `changes`, they may change first.
  private mutating func fetch(_ stored: PersistedStore, changes: Bool) throws {
    for _ in 0..<(changes ? Int.random(in: 1..<5, using: &random) : 12) {
      let id = "item-\(Int.random(in: 0..<12, using: &random))"
      if changes {
        lastNumber += 1
        let isDeleted = Int.random(in: 0..<5, using: &random) == 0
        server.updateValue(isDeleted ? nil : lastNumber, forKey: id)
      }
      guard let number = server[id] else { continue }
      commitCount += 1
      lastCommits[id] = commitCount
      if let number {
        try stored.environment.writeItem(
          id, ["name": .string("\(number)"), "number": .number(JSONNumber(number))])
      } else {
        try stored.environment.commitUpdate { store in
          if try store[DataID(id)] != nil { try store.delete(DataID(id)) }
        }
      }
    }
  }

  /// Checks the writes since the last call: no write is repeated, and none is older than the one
  /// before, except for objects that were deleted in between.
  ///
  /// - Parameter mayGoBack: The objects that were ahead of the store in the previous run. Once the
  ///   store has persisted anything since, they no longer count as ahead.
  private mutating func check(mayGoBack: Set<String> = []) throws {
    for line in try database.drainLog() {
      let parts = line.split(separator: "=").map(String.init)
      let before = written.updateValue(parts[1], forKey: parts[0])
      #expect(before != parts[1], "\(line) was written twice")
      if parts[1] == "deleted" { reached["deleted between runs", default: 0] += 1 }
      if let before = before.flatMap({ Int($0) }), let number = Int(parts[1]), number < before {
        reached["gone back", default: 0] += 1
        #expect(mayGoBack.contains(parts[0]), "\(line) was written after \(before)")
      }
    }
  }

  /// Checks that the database matches the store, except for objects that are ahead of it.
  private func checkComplete(_ stored: PersistedStore) throws {
    let rows = try database.rows("SELECT id, number FROM items", columns: 2)
    let numbers = Dictionary(rows.map { ($0[0] ?? "", $0[1].flatMap { Int($0) }) }) { $1 }
    for id in (0..<12).map({ "item-\($0)" }) where !ahead.contains(id) {
      let state = stored.store.withState { $0.source[$0.index(of: DataID(id))].state }
      switch state {
      case .present: #expect(numbers[id] == stored.number(of: id), "\(id)")
      case .deleted: #expect(numbers[id] == nil, "\(id)")
      case .unknown: break
      }
    }
  }
}

extension PersistedStore {
  /// The number of an item in the store.
  fileprivate func number(of id: String) -> Int? {
    environment.read(FragmentRef<ItemFragment>(id: DataID(id))).data?.number
  }
}
