import Foundation
import RelayStore
import SeededRandom
import Testing

@testable import RelayPersistence

/// `make soak-storage` runs many more cases, so the suite has 60 minutes.
@Suite("Storage: loss of power", .timeLimit(.minutes(60)))
struct PowerLossTests {
  @Test("whatever sectors have reached the disk, no commit is torn and no mutation is lost")
  func images() async throws {
    let count = size("RELAYSTORE_POWER_LOSSES", otherwise: 40)
    let seed = UInt64(size("RELAYSTORE_SEED", otherwise: .random(in: 0..<1_000_000)))
    var random = SeededGenerator(seed: seed)
    var (early, entries) = (0, 0)
    // Each run has up to a hundred images.
    var rest = count
    while rest > 0 {
      let log = try await recording(&random)
      let operations = log.operations
      let moments = (0..<min(100, rest)).map { _ in
        Int.random(in: 0...operations.count, using: &random)
      }
      rest -= moments.count
      var (disk, expected, done) = (SimulatedDisk(), Expectation(), 0)
      for moment in moments.sorted() {
        for operation in operations[done..<moment] {
          disk.apply(operation)
          if case .mark(let mark) = operation { expected.add(mark) }
        }
        done = moment
        let image = disk.image(&random)
        let found = try await check(image, expected)
        if found.number < expected.committing { early += 1 }
        entries += found.entries
        for _ in 0..<found.problems {
          Issue.record("seed \(seed), operation \(moment) of \(operations.count)")
        }
      }
    }
    print(
      "Power lost: \(count) times, seed \(seed), \(early) earlier revisions, \(entries) entries")
    #expect(early > count / 8 && entries > count / 8)
  }

  /// The expected contents of the disk.
  private struct Expectation {
    /// The number of the last commit that was started.
    var committing = 0
    /// The number of the last commit that can no longer be lost.
    var suspended = 0
    var committed: Set<OutboxEntry.ID> = []
    var acknowledged: Set<OutboxEntry.ID> = []
    private var removing: Set<OutboxEntry.ID> = []

    mutating func add(_ mark: DiskLog.Mark) {
      switch mark {
      case .committing(let number): committing = number
      case .suspended(let number): suspended = number
      case .committed(let id): committed.insert(id)
      case .acknowledged(let id): acknowledged.insert(id)
      case .removing(let id): removing.insert(id)
      }
    }

    /// The entries that must be in the outbox.
    var entries: Set<OutboxEntry.ID> { committed.subtracting(removing) }
  }

  // MARK: Recording

  /// Runs a program that uses every area of the storage, and logs its disk operations.
  private func recording(_ random: inout SeededGenerator) async throws -> DiskLog {
    let (log, directory) = (DiskLog(), TemporaryDirectory())
    let disk = try TestDisk(didSucceed: log.add)
    let persistence = disk.persistence(directory).watched(
      cache: { _ in {} },
      outbox: { write in
        for (id, state) in write.entries where state == nil { log.mark(.removing(id)) }
        return {
          for (id, state) in write.entries where state == .acknowledged {
            log.mark(.acknowledged(id))
          }
        }
      })
    let environment = RelayEnvironment(
      store: RecordStore(
        configuration: .init(garbageCollection: .manual, persistence: persistence)),
      transport: SometimesAnswering(), outbox: OutboxOptions(serverHonorsIdempotencyKeys: true))
    let outbox = try #require(environment.outbox)
    try await outbox.onQueue { [path = directory.path] in
      outbox.work.files?.files.willCall = { log.add($0, $1, in: path) }
    }
    await environment.store.loaded()
    for number in 1...60 {
      log.mark(.committing(number: number))
      try environment.commit(number: number)
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<4: try await environment.store.flush()
      case 4..<8:
        let counter = "counter-\(Int.random(in: 0..<9, using: &random))"
        let mutation = IncrementMutation.increment(
          counter, to: number, try upload(number, in: directory))
        let entry = try await environment.commit(
          mutation, optimisticResponse: mutation.optimisticResponse, durability: .outbox(),
          movesFiles: true)
        log.mark(.committed(entry.id))
      case 8: try environment.fill(bytes: 2_500_000)
      case 9: try environment.fill(bytes: 100)
      case 10:
        try await environment.store.suspend()
        log.mark(.suspended(number: number))
        try await environment.store.resume()
      default: break
      }
    }
    try await environment.store.suspend()
    return log
  }

  /// The file of every second mutation: bytes, or a file on disk that is moved.
  private func upload(_ number: Int, in directory: TemporaryDirectory) throws -> Upload? {
    let content = KilledProcess.content(number)
    switch number % 4 {
    case 0: return Upload(content, fileName: "\(number)")
    case 2:
      let url = directory.url.appending(path: "original-\(number)")
      try Data(content).write(to: url)
      return Upload(file: url, fileName: "\(number)")
    default: return nil
    }
  }

  /// A server that responds to two out of three requests, and never to the third.
  private final class SometimesAnswering: Transport {
    func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
      guard case .number(let count)? = request.variables["count"], (count.int ?? 0) % 3 > 0 else {
        throw RelayError(.response, "This is never answered.")
      }
      return request.incremented
    }
  }

  // MARK: Checking

  /// Opens the files of an image, and checks their contents.
  private func check(
    _ image: [String: [UInt8]], _ expected: Expectation
  ) async throws -> (number: Int, entries: Int, problems: Int) {
    let directory = TemporaryDirectory()
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    for (name, bytes) in image {
      let url = directory.url.appending(path: name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: url)
    }
    var problems = 0
    func expect(_ condition: Bool, _ comment: Comment) {
      #expect(condition, comment)
      if !condition { problems += 1 }
    }

    let stored = PersistedStore(directory)
    await stored.store.loaded()
    expect(stored.events.problems.isEmpty, "\(stored.events.problems)")
    let number = try stored.environment.committedNumber() ?? 0
    expect(number >= expected.suspended && number <= expected.committing, "\(number)")
    stored.check()
    try await stored.close()

    let persistence = Persistence.sqlite(directory: directory.path, library: testedLibrary)
    let records = try persistence.storedRecords()
    for record in records {
      let files = OutboxFiles(directory: directory.path + "/uploads")
      let isWhole = (try? files.check(record.uploads, of: record.entry.id)) != nil
      expect(isWhole, "the files of \(record.entry)")
    }
    let entries = records.map(\.entry)
    let ids = Set(entries.map(\.id))
    expect(expected.entries.subtracting(ids).isEmpty, "of \(expected.entries.count) entries")
    expect(ids.count == entries.count, "an entry is there twice")
    for entry in entries where expected.acknowledged.contains(entry.id) {
      expect(entry.state == .acknowledged, "\(entry)")
    }
    return (number, entries.count, problems)
  }
}

extension RelayEnvironment {
  /// Gives some records new texts with the given total number of bytes.
  func fill(bytes count: Int) throws {
    try commitUpdate { store in
      for index in 0..<10 {
        let id = DataID("large-\(index)")
        let record = try store[id] ?? store.create(id, type: "Item")
        try record.setValue(.string(String(repeating: "y", count: count / 10)), for: "text")
      }
    }
  }
}
