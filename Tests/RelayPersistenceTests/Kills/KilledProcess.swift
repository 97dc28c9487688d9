import Foundation

@testable import RelayPersistence
@testable import RelayStore

/// A process that commits numbered changes and mutations, prints which of them are on disk, and
/// kills itself in a certain phase.
struct KilledProcess {
  let environment: RelayEnvironment
  let server: AppliedMutations
  private let killer: Killer?
  private let path: String
  private let number: Locked<Int>
  /// The number of the process's first commit.
  private let first: Int
  /// The entry of the last call of ``supersede()``.
  private let lastSuperseding = Locked<OutboxEntry.ID?>(nil)

  /// - Parameters:
  ///   - killer: Kills the process; `nil` for a process that continues.
  ///   - number: The number of the first commit.
  init(path: String, killer: Killer?, number: Int = 0) {
    self.path = path
    self.killer = killer
    self.number = Locked(number)
    first = number
    server = AppliedMutations(path: path + "/applied", killer: killer)
    var persistence = Persistence.sqlite(directory: path + "/store", library: testedLibrary)
    if let killer {
      persistence = persistence.watched(
        cache: { Self.watch(cache: $0, killer) }, outbox: { Self.watch(outbox: $0, killer) })
    }
    environment = RelayEnvironment(
      store: RecordStore(
        configuration: .init(garbageCollection: .manual, persistence: persistence)),
      transport: server, outbox: OutboxOptions(serverHonorsIdempotencyKeys: true))
  }

  // MARK: Phases

  private static func watch(
    cache write: WatchedEngine.Write, _ killer: Killer
  ) -> @Sendable () -> Void {
    let isCompaction = write.batch.rows.contains { $0.key.table == .log && $0.bytes == nil }
    let phase = isCompaction ? KillPhase.compaction : .commit
    killer.begin(phase)
    return { killer.end(phase) }
  }

  private static func watch(
    outbox write: WatchedEngine.Write, _ killer: Killer
  ) -> @Sendable () -> Void {
    let removed = write.entries.filter { $0.state == nil }
    if !removed.isEmpty {
      killer.end(.merging)
      killer.begin(.removing)
      return {
        for (id, _) in removed { Killer.say("removed \(id)") }
        killer.end(.removing)
      }
    }
    // A write changes the state of one entry; it may also have given ids to others.
    for (id, state) in write.entries {
      switch state {
      case .sending:
        killer.begin(.sending)
        return {}
      case .acknowledged:
        killer.begin(.acknowledging)
        return {
          Killer.say("acknowledged \(id)")
          killer.end(.acknowledging)
          killer.begin(.merging)
        }
      default: break
      }
    }
    return {}
  }

  private func during(_ phase: KillPhase, _ body: () async throws -> Void) async throws {
    killer?.begin(phase)
    try await body()
    killer?.end(phase)
  }

  // MARK: Work

  /// Continues until the killer ends the process.
  func run() async throws {
    guard let killer else { return }
    if killer.moment.phase == .migration {
      Killer.say("wiping cache")
      try await during(.migration, migrate)
    }
    await environment.store.loaded()
    try await commit()
    try await increment(nil)
    while true {
      try await commit()
      for _ in 0..<3 { try await supersede() }
      try await increment("counter-\(number.withLock { $0 % 5 })")
      try await create()
      switch killer.moment.phase {
      case .commit, .migration: break
      case .checkpoint:
        for _ in 0..<5 { try await commit() }
        try await during(.checkpoint, environment.store.suspend)
        try await environment.store.resume()
      case .compaction: for _ in 0..<8 { try await change(50_000) }
      case .vacuum:
        try await change(3_000_000)
        try await during(.vacuum) { try await change(10) }
      case .wipe: try await wipe()
      case .queueing, .sending, .acknowledging, .merging, .removing:
        try await waitForOutbox()
      }
    }
  }

  /// Waits until the cache and the outbox are loaded.
  private func migrate() async throws {
    await environment.store.loaded()
    guard let outbox = environment.outbox else { return }
    for await _ in outbox.observe() where outbox.isLoaded { break }
  }

  private func next() -> Int {
    number.withLock { number in
      number += 1
      return number
    }
  }

  private func commit() async throws {
    let number = next()
    Killer.say("committing \(number)")
    try environment.commit(number: number)
    try await environment.store.flush()
    Killer.say("flushed \(number)")
  }

  /// The content of the file that an entry has.
  static func content(_ number: Int) -> [UInt8] {
    (0..<3_000).map { UInt8(truncatingIfNeeded: $0 &* number) }
  }

  /// Returns the file of every third entry: bytes, or a file on disk that is moved.
  private func file(_ number: Int) throws -> Upload? {
    let content = Self.content(number)
    if number % 3 > 0 { return nil }
    if number % 2 == 0 { return Upload(content, fileName: "\(number)") }
    let url = URL(filePath: path + "/original-\(number)")
    try Data(content).write(to: url)
    return Upload(file: url, fileName: "\(number)")
  }

  /// Persists an entry, and another one that is sent after it.
  ///
  /// - Parameter counter: Their common counter; `nil` gives each its own counter and no response.
  private func increment(_ counter: String?) async throws {
    for _ in 0..<2 {
      let number = next()
      let counter = counter ?? "never-\(number)"
      try await during(.queueing) {
        let mutation = IncrementMutation.increment(counter, to: number, try file(number))
        let entry = try await environment.commit(
          mutation, optimisticResponse: mutation.optimisticResponse, durability: .outbox(),
          movesFiles: true)
        Killer.say("committed \(entry.id) \(counter) \(number)")
      }
    }
  }

  /// Persists an entry that creates a counter, and another one that changes it under its client id.
  private func create() async throws {
    let (placeholder, name): (String, String) = (
      ClientID.unique(), "made-\(number.withLock { $0 })"
    )
    Killer.say("creating \(placeholder) \(name)")
    for id in [name, placeholder] {
      let number = next()
      try await during(.queueing) {
        let mutation = IncrementMutation.increment(id, to: number, try file(number))
        let response = IncrementMutation.increment(placeholder, to: number).optimisticResponse
        let entry = try await environment.commit(
          mutation, optimisticResponse: response, durability: .outbox())
        Killer.say("committed \(entry.id) \(name) \(number)")
      }
    }
  }

  /// Persists an entry that replaces the one of the last call, or cancels it. None of them is sent
  /// in this process, because an entry before them is in flight.
  private func supersede() async throws {
    let counter = "never-held-\(first)"
    if lastSuperseding.withLock({ $0 == nil }) {
      let number = next()
      try await environment.add(.increment(counter, to: number, file(number)))
    }
    let number = next()
    let isUndone = number % 4 == 0
    Killer.say("superseding \(counter)")
    try await during(.queueing) {
      let mutation = IncrementMutation.increment(counter, to: number, try file(number))
      let entry = try await environment.commit(
        mutation, optimisticResponse: mutation.optimisticResponse, durability: .outbox(),
        coalescing: isUndone
          ? .init(key: counter + " undone", cancels: counter)
          : .init(key: counter, cancels: counter + " undone"))
      let ids = environment.outbox?.entries.map(\.id) ?? []
      if ids.contains(entry.id) { Killer.say("committed \(entry.id) \(counter) \(number)") }
      let last = lastSuperseding.withLock { last in
        defer { last = entry.id }
        return last
      }
      if let last, !ids.contains(last) { Killer.say("vanished \(last)") }
    }
  }

  /// Gives some records new texts with the given total number of bytes.
  private func change(_ byteCount: Int) async throws {
    let number = next()
    try environment.commitUpdate { store in
      for index in 0..<10 {
        let id = DataID("large-\(index)")
        let record = try store[id] ?? store.create(id, type: "Item")
        try record.setValue(
          .string("\(number)" + String(repeating: "y", count: byteCount / 10)), for: "text")
      }
    }
    try await environment.store.flush()
  }

  private func wipe() async throws {
    let number = next()
    Killer.say("wiping all")
    try await during(.wipe) {
      if number % 2 == 0 { environment.reset() } else { try await environment.wipe() }
      Killer.say("wiped \(number)")
    }
  }

  /// Waits until the outbox only contains entries that never get a response.
  private func waitForOutbox() async throws {
    guard let outbox = environment.outbox else { return }
    for await entries in outbox.observe() where entries.allSatisfy({ $0.attempts > 0 }) { break }
  }

  /// Changes the version of a directory's database.
  static func changeVersion(_ path: String) throws {
    let engine = SQLiteEngine(directory: path + "/store", library: testedLibrary)
    try engine.open()
    defer { engine.close() }
    let format = PersistenceFormat(cipher: nil)
    guard let row = try engine.row(at: PersistedHeader.key) else { return }
    var contents = try row.withUnsafeBytes { try format.open($0, at: PersistedHeader.key).contents }
    contents[0] ^= 0x55
    var batch = PersistenceBatch()
    batch.rows = [(PersistedHeader.key, try format.seal(contents, at: PersistedHeader.key).bytes)]
    try engine.write(batch)
  }
}

/// A server whose memory is a file with the keys of the mutations that it has executed, each once.
final class AppliedMutations: Transport {
  private let path: String
  private let killer: Killer?
  private let lock = Locked(0)

  init(path: String, killer: Killer?) {
    self.path = path
    self.killer = killer
  }

  var applied: [String] {
    ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
      .map(String.init)
  }

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    let key = request.key
    if killer != nil {
      Killer.say("sent \(key)")
      // Some are in flight until the process ends.
      if request.variables["id"]?.string?.hasPrefix("never") == true {
        killer?.end(.sending)
        while !Task.isCancelled { try await Task.sleep(for: .seconds(3600)) }
        throw CancellationError()
      }
    }
    let isWhole = try await Self.hasItsFile(request)
    // The outbox knows the server's id before it sends a change of a new object.
    let isKnown = request.variables["id"]?.string.map(ServerIDs.isClientMade) == false
    let line = isWhole && isKnown ? key : "torn \(key)"
    lock.withLock { count in
      count += 1
      if applied.contains(line) { return }
      let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
      _ = Array((line + "\n").utf8).withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      close(file)
    }
    killer?.end(.sending)
    return request.incremented
  }

  /// Whether a mutation that was committed with a file has all of it.
  private static func hasItsFile(_ request: GraphQLRequest) async throws -> Bool {
    let number = request.variables["count"]?.int ?? 0
    let files = request.uploads.map(\.file)
    if number % 3 > 0 { return files.isEmpty }
    return try await files.first?.contents() == KilledProcess.content(number)
  }
}
