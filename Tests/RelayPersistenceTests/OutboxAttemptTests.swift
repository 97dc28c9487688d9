import Foundation
import RelayPersistence
import RelayStore
import RelayStoreTesting
import Testing

/// The attempts of entries, and the entries that wait for them.
@Suite("Outbox: attempts", .timeLimit(.minutes(1)))
struct OutboxAttemptTests {
  private let cache = MemoryPersistence()
  private let database = MemoryPersistence()
  private let clock = VirtualClock()

  private func app(
    serverHonorsIdempotencyKeys: Bool = true, _ change: (inout OutboxOptions) -> Void = { _ in }
  ) throws -> OutboxApp {
    try OutboxApp(
      cache, database, serverHonorsIdempotencyKeys: serverHonorsIdempotencyKeys, clock: clock,
      change: change)
  }

  @Test("resume sends what waits at once, and its timer ends")
  func resumption() async throws {
    let app = try app()
    try await app.environment.add(.set("1", to: "a"))
    try await app.server.next().fail(offline())
    await app.until { $0.first?.nextAttempt != nil }
    try await clock.sleepers(1)
    app.outbox.resume()
    await app.outbox.untilIdle()
    #expect(app.outbox.entries.map(\.state) == [.sending])
    #expect(app.outbox.entries.map(\.nextAttempt) == [nil])
    try await eventually(0) { clock.sleeperCount }
  }

  @Test("an entry that is sent again at its date does not wait for it any more")
  func nextAttempt() async throws {
    let app = try app()
    try await app.environment.add(.set("1", to: "a"))
    try await app.server.next().fail(offline())
    await app.until { $0.first?.nextAttempt != nil }
    try await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    await app.until { $0.first?.attempts == 2 }
    #expect(app.outbox.entries.map(\.nextAttempt) == [nil])
    #expect(database.storedEntries.map(\.entry.nextAttempt) == [nil])
  }

  @Test("a retried entry has no message of the attempt before")
  func retry() async throws {
    let app = try app()
    let entry = try await app.environment.add(.set("1", to: "a"))
    try await app.server.next().refuse("no")
    await app.until { $0.first?.state == .failed }
    try await app.outbox.retry(entry.id)
    #expect(app.outbox.entries.map(\.errorMessage) == [nil])
  }

  @Test("null for the mutation's own field is a refusal, and its data is merged")
  func nullField() async throws {
    let app = try app()
    try await app.environment.add(.set("1", to: "a"))
    try await app.server.next().succeedPartly(["setText": nil], "forbidden")
    await app.until { $0.first?.state != .sending && $0.first?.attempts == 1 }
    #expect(app.outbox.entries.map(\.state) == [.failed])
    #expect(app.text("1") == nil)
  }

  @Test("an entry that is too old has failed, its update is reverted, and it is not sent")
  func ageLimit() async throws {
    let app = try app { $0.ageLimit = .seconds(60) }
    try await app.environment.add(.set("1", to: "a"))
    try await app.server.next().fail(offline())
    await app.until { $0.first?.nextAttempt != nil }
    try await clock.sleepers(1)
    clock.advance(by: .seconds(61))
    await app.until { $0.first?.state == .failed }
    #expect(app.outbox.entries.first?.errorMessage == "The mutation was not sent in time.")
    #expect(app.text("1") == nil)
    #expect(app.server.count == 1)
    #expect(database.storedEntries.map(\.entry.state) == [.failed])
  }

  @Test("a commit beyond the limit of entries throws, and shows nothing")
  func entryLimit() async throws {
    let app = try app { $0.entryLimit = 1 }
    app.outbox.suspend()
    try await app.environment.add(.set("1", to: "a"))
    await #expect(throws: RelayError.self) {
      try await app.environment.add(.set("2", to: "b"))
    }
    #expect(app.outbox.entries.count == 1)
    #expect(app.text("2") == nil)
  }

  @Test("an entry with an unknown outcome blocks those that share an id")
  func unknown() async throws {
    let app = try app(serverHonorsIdempotencyKeys: false)
    let first = try await app.environment.add(.set("1", to: "a"))
    try await app.environment.add(.set("1", to: "b"))
    try await app.server.next().fail(lost())
    await app.until { $0.first?.state == .unknown }
    #expect(app.outbox.entries.map(\.state) == [.unknown, .blocked(on: first.id)])
    #expect(database.storedEntries.map(\.entry.state) == [.unknown, .blocked(on: first.id)])
  }

  @Test("an id that only another entry has is one that both share")
  func idOfEntry() async throws {
    let app = try app()
    let first = try await app.environment.add(.set("1", to: "a"))
    try await app.server.next().refuse("no")
    await app.until { $0.first?.state == .failed }
    // The store does not know the dependency, because the update has been reverted.
    try await app.environment.add(.set("2", to: "b", with: "1"))
    await app.outbox.untilIdle()
    #expect(app.outbox.entries.map(\.state) == [.failed, .blocked(on: first.id)])
  }

  @Test("an entry whose placeholder was replaced shares the server's id with later ones")
  func replacedID() async throws {
    let placeholder: String = ClientID.unique()
    let app = try app()
    let added = try await app.environment.add(.add("milk", as: placeholder))
    try await app.environment.add(.set(placeholder, to: "soy milk"))
    try await app.server.next().succeed(todo("addTodo", "42", "milk"))
    try await app.outbox.outcome(of: added.id)
    await app.until([.sending])
    try await app.environment.add(.set("42", to: "oat milk"))
    await app.outbox.untilIdle()
    #expect(app.outbox.entries.map(\.state) == [.sending, .queued])
  }

  @Test("an answered entry that is not stored yet blocks no other, and cannot be discarded")
  func acknowledged() async throws {
    let app = try app()
    await app.environment.store.loaded()
    try await app.environment.store.suspend()
    let entry = try await app.environment.add(.set("1", to: "a"))
    try await app.server.next().succeed(todo("setText", "1", "a"))
    await app.until([.acknowledged])
    try await app.outbox.discard(entry.id)
    #expect(database.storedEntries.map(\.entry.id) == [entry.id])
    try await app.environment.add(.set("1", to: "b"))
    await app.outbox.untilIdle()
    #expect(app.outbox.entries.map(\.state) == [.acknowledged, .sending])
  }

  @Test("an answered entry that cannot be removed is gone in this run")
  func failedRemoval() async throws {
    // Opened and read; then opened and written as queued, as sending, and with its response.
    let faults = FaultyPersistence(
      failingAt: 7, with: PersistenceFailure(.io, "The disk is full."), database.engine)
    let app = try OutboxApp(
      cache, database, clock: clock, engine: faults.persistence.makeEngine)
    try await app.environment.add(.set("1", to: "a"))
    try await app.server.next().succeed(todo("setText", "1", "a"))
    try await eventually {
      app.events.problems
    } is: {
      !$0.isEmpty
    }
    await app.outbox.untilIdle()
    #expect(app.outbox.entries.isEmpty)
    #expect(app.text("1") == "a")
    #expect(database.storedEntries.map(\.entry.state) == [.acknowledged])
  }

  @Test("a placeholder of before a reset has no id of the server")
  func placeholderAfterReset() async throws {
    let placeholder: String = ClientID.unique()
    let app = try app()
    let added = try await app.environment.add(.add("milk", as: placeholder))
    try await app.server.next().succeed(todo("addTodo", "42", "milk"))
    try await app.outbox.outcome(of: added.id)
    try await app.environment.wipe()
    try await app.environment.add(.set(placeholder, to: "soy milk"))
    #expect(database.storedEntries.map { $0.variables["id"]?.string } == [placeholder])
  }

  // MARK: Later runs

  @Test("an entry that waited for credentials is sent by the next run")
  func credentials() async throws {
    let first = try app()
    let entry = try await first.environment.add(.set("1", to: "a"))
    try await first.server.next().fail(401)
    await first.until([.blockedOnAuthentication])
    let second = try app()
    try await second.outbox.loaded()
    await second.outbox.untilIdle()
    #expect(second.outbox.entries.map(\.state) == [.sending])
    #expect(second.outbox.entries.map(\.id) == [entry.id])
  }

  @Test("a commit of the next run is stored beside the entries of this one, also after gaps")
  func keys() async throws {
    let first = try app()
    first.outbox.suspend()
    var ids: [OutboxEntry.ID] = []
    for id in ["1", "2", "3"] {
      ids.append(try await first.environment.add(.set(id, to: "a")).id)
    }
    try await first.outbox.discard(ids.removeFirst())
    let second = try app()
    second.outbox.suspend()
    ids.append(try await second.environment.add(.set("4", to: "a")).id)
    #expect(database.storedEntries.map(\.entry.id) == ids)
  }

  @Test("an answer in the next run comes after those of the runs before")
  func placesOfAnswers() async throws {
    let first = try app()
    await first.environment.store.loaded()
    try await first.environment.store.suspend()
    try await first.environment.add(.set("1", to: "a"))
    try await first.server.next().succeed(todo("setText", "1", "a"))
    await first.until([.acknowledged])
    let places = Locked<[UInt64]>([])
    let engine: @Sendable () -> any PersistenceEngine = { [database] in
      WatchedEngine(database.engine()) { _ in
        { places.withLock { $0 += database.storedEntries.map(\.acknowledgement) } }
      }
    }
    let second = try OutboxApp(cache, database, clock: clock, engine: engine)
    try await second.environment.add(.set("2", to: "b"))
    try await second.server.next().succeed(todo("setText", "2", "b"))
    await second.until([])
    #expect(places.withLock { $0 }.max() == 2)
  }
}
