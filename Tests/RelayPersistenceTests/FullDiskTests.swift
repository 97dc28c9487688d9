import RelayPersistence
import RelayStore
import Testing

@Suite("Storage: a full disk at the start", .timeLimit(.minutes(1)))
struct FullDiskTests {
  @Test("what is stored is read, and the log has the reason when something is to be written")
  func reading() async throws {
    let directory = TemporaryDirectory()
    let first = try Run(.sqlite(directory: directory.path, library: testedLibrary))
    try first.environment.commit(number: 1)
    let entry = try await first.environment.add(.increment("counter", to: 1))
    try await first.environment.store.suspend()
    #expect(directory.files == ["cache.sqlite", "outbox.sqlite"])

    let disk = try TestDisk(fault: { $0.kind == .write ? .status(13) : nil })
    let second = try Run(disk.persistence(directory))
    try await second.outbox.loaded()
    #expect(try second.environment.committedNumber() == 1)
    #expect(second.outbox.entries.map(\.id) == [entry.id])
    // On a full disk it could not be created, and it is not necessary.
    #expect(!directory.files.contains { $0.hasSuffix("-shm") })

    try second.environment.commit(number: 2)
    await #expect(throws: RelayError.self) { try await second.environment.store.flush() }
    #expect(
      second.problem { if case .persistenceFailed(let text) = $0 { text } else { nil } } == true)
    await #expect(throws: RelayError.self) {
      try await second.environment.add(.increment("counter", to: 2))
    }
    second.outbox.resume()
    await second.outbox.untilIdle()
    await second.outbox.untilIdle()
    #expect(second.problem { if case .outboxFailed(let text) = $0 { text } else { nil } } == true)
  }

  private struct Run {
    let environment: RelayEnvironment
    let outbox: Outbox
    let events: PersistedStore.Events

    init(_ persistence: Persistence) throws {
      let events = PersistedStore.Events()
      self.events = events
      environment = RelayEnvironment(
        store: RecordStore(
          configuration: .init(
            garbageCollection: .manual, persistence: persistence, log: { events.append($0) })),
        transport: NoTransport(), outbox: OutboxOptions(serverHonorsIdempotencyKeys: true))
      outbox = try #require(environment.outbox)
      outbox.suspend()
    }

    /// Returns whether the first matching problem says that the disk is full; `nil` if there is
    /// none.
    func problem(_ text: (StoreEvent) -> String?) -> Bool? {
      events.problems.lazy.compactMap(text).first?.contains("The disk is full")
    }
  }
}
